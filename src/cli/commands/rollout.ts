import { readAccounts } from '../../accounts/config/read-accounts.ts';
import type { AccountEnd } from '../../accounts/rollouts/account-end.ts';
import { paintRollout, toRolloutDocument } from '../../accounts/rollouts/rollout-document.ts';
import { changeRollout } from '../../accounts/rollouts/rollout-record-keeper.ts';
import { undoRollout } from '../../accounts/rollouts/undo-rollout.ts';
import { count } from '../../core/lib/words.ts';
import type { Limit } from '../../core/model/policy.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import type { State } from '../../run/state/interface/state.ts';
import {
  accountsLeft,
  mayAbort,
  mayContinue,
  type Rollout,
  type RolloutAccount,
  rolloutLockKey,
  rolloutOf,
} from '../../run/state/rollout/rollout.ts';
import type { RolloutEvent } from '../../run/state/rollout/rollout-record.ts';
import { printResult } from '../listing/print-listing.ts';
import { undoAccount } from '../rollouts/account-run.ts';
import { carryOutRollout } from '../rollouts/carry-out-rollout.ts';
import { exitForRollout } from '../rollouts/rollout-exit-code.ts';
import type { AccountRunFlags, RolloutLimits } from '../rollouts/rollout-flags.ts';
import { createRolloutReporter } from '../rollouts/rollout-reporter.ts';
import {
  continueTimeoutMs,
  findRollout,
  type RolloutSession,
  withRollout,
} from '../rollouts/rollout-session.ts';
import { readOnlyProblem, userApproves } from '../running/carry-out.ts';
import { originOfCommand } from '../service/command-origin.ts';
import { type Context, hearStop } from '../shell/context.ts';

export interface ContinueRolloutFlags extends AccountRunFlags, RolloutLimits {
  readonly maxFailed?: Limit;
}

/** Shows a rollout, from any machine with the same state; without an id, the latest one. */
export async function rolloutShow(context: Context, _flags: unknown, id?: string): Promise<ExitCode> {
  const state = await context.state.open();
  if (!state.ok) return context.fail(state.problems);
  const log = await findRollout(state.value, id);
  if (!log.ok) return context.fail(log.problems);
  const rollout = rolloutOf(log.value);
  const holder = await state.value.holder(rolloutLockKey(rollout.id));
  if (!holder.ok) return context.fail(holder.problems);
  const document = toRolloutDocument(rollout, exitForRollout(rollout), holder.value);
  return printResult(context, document, () => paintRollout(rollout, holder.value));
}

/** Continues a rollout: failed accounts and those that were running are applied again, and none that is done. */
export async function continueRolloutCommand(
  context: Context,
  flags: ContinueRolloutFlags,
  id?: string,
): Promise<ExitCode> {
  return change(context, { command: 'rollout continue', id, ...flags }, async (session) => {
    const refused = continueProblem(session.record.current());
    if (refused !== undefined) return failed(refused);
    const file = await readAccounts({ folder: context.io.cwd, env: context.io.env });
    if (!file.ok) return file;
    const { maxFailed } = flags;
    const at = new Date(context.io.clock.now()).toISOString();
    return carryOutRollout(context, session, {
      file: file.value,
      first: {
        type: 'continued',
        at,
        origin: session.origin,
        ...(maxFailed === undefined ? {} : { max_failed: maxFailed }),
      },
      flags,
    });
  });
}

function continueProblem(rollout: Rollout) {
  if (mayContinue(rollout)) return undefined;
  const { id, state } = rollout;
  const why =
    state === 'draft'
      ? 'was never started, because its plans were not all saved'
      : accountsLeft(rollout).length > 0
        ? `is ${state}`
        : 'has no account left';
  return problem('usage', `rollout ${id} ${why}, so it can't be continued`, {
    hint: 'start a new one: rampart apply --accounts EXPRESSION',
  });
}

/** Marks a rollout as aborted. A process that runs it starts no more accounts; running accounts finish. */
export async function abortRolloutCommand(
  context: Context,
  { reason }: { readonly reason?: string },
  id?: string,
): Promise<ExitCode> {
  const opened = await context.state.open();
  if (!opened.ok) return context.fail(opened.problems);
  const state = opened.value;
  const log = await findRollout(state, id);
  if (!log.ok) return context.fail(log.problems);
  const { clock } = context.io;
  const rolloutId = log.value.head.rollout_id;
  const origin = await originOfCommand(context, { command: 'rollout abort', reason });
  const abort = (rollout: Rollout): Result<RolloutEvent> =>
    mayAbort(rollout)
      ? ok({ type: 'aborted', at: new Date(clock.now()).toISOString(), origin })
      : failed(problem('usage', `rollout ${rolloutId} is ${rollout.state}, so there is nothing to abort`));
  const possible = abort(rolloutOf(log.value));
  if (!possible.ok) return context.fail(possible.problems);
  const what = { rollout_id: rolloutId };
  const audited = await state.audit.append(clock, [{ kind: 'rollout-aborted', origin, what }]);
  if (!audited.ok) return context.fail(audited.problems);
  const aborted = await changeRollout(state.rollouts, rolloutId, abort);
  if (!aborted.ok) return context.fail(aborted.problems);
  const document = toRolloutDocument(aborted.value, exitForRollout(aborted.value));
  return printResult(context, document, `Aborted rollout ${rolloutId}. No further account is started.\n`);
}

/** Undoes the runs of a rollout, the last wave first. */
export async function undoRolloutRuns(
  context: Context,
  flags: AccountRunFlags & { readonly autoApprove?: true },
  id?: string,
): Promise<ExitCode> {
  return change(context, { command: 'rollout undo', id, ...flags }, async (session) => {
    const { record, lease, state, origin } = session;
    const rollout = record.current();
    const touched = [...rollout.accounts.values()].filter(
      ({ wave, status }) => wave !== null && status !== 'undone' && status !== 'skipped',
    );
    const asked = `Undo the runs of rollout ${rollout.id} in up to ${count(touched.length, 'account')}?`;
    if (!(await userApproves(flags, asked, context)))
      return failed(
        problem('not-approved', 'the reversal was not approved, so nothing was changed', {
          hint: 'answer yes, or add --auto-approve',
        }),
      );
    const file = await readAccounts({ folder: context.io.cwd, env: context.io.env });
    if (!file.ok) return file;
    const configured = new Map(file.value.accounts.map((account) => [account.name, account]));
    const what = { rollout_id: rollout.id };
    const { clock } = context.io;
    const audited = await state.audit.append(clock, [{ kind: 'rollout-undo-started', origin, what }]);
    if (!audited.ok) return failed(...audited.problems);
    const at = new Date(clock.now()).toISOString();
    const begun = await record.note([{ type: 'undo-started', at, origin }]);
    if (!begun.ok) return begun;
    const reporter = createRolloutReporter(context, rollout.head);
    reporter.start();
    const stop = hearStop(context, 'accounts that are undone stay undone');
    const answer = flags.autoApprove === true ? {} : { answer: 'yes' };
    const undone = await undoRollout({
      record,
      lease,
      clock,
      stop: stop.signal,
      onEvent: reporter.progress,
      undo: async (account, halt) => {
        const config = configured.get(account.name);
        if (config === undefined || config.mode === 'observe')
          return {
            exitCode: exitCodes.refused,
            why: 'the configuration has no such account, or only observes it',
          };
        const runs = await runsOf(state, rollout, account);
        if (!runs.ok) return { exitCode: exitCodes.error, why: runs.problems[0]?.message ?? '' };
        let last: AccountEnd | null = null;
        const onLine = (line: string) => reporter.line(account.name, line);
        for (const runId of runs.value) {
          last = await undoAccount({ context, account: config, halt, onLine, ...answer }, runId, flags);
          if (last.exitCode !== exitCodes.success) break;
        }
        return last;
      },
    }).finally(() => stop.end());
    if (!undone.ok) return undone;
    const exitCode = undone.value ? exitForRollout(record.current()) : exitCodes.interrupted;
    const ended = { ...what, exit_code: exitCode };
    const noted = await state.audit.append(clock, [{ kind: 'rollout-undo-ended', origin, what: ended }]);
    return ok(await reporter.end(record.current(), exitCode, noted.problems));
  });
}

/** The runs of an account's saved plan since the rollout began, latest first: a killed run and its continuation. */
async function runsOf(
  state: State,
  { head }: Rollout,
  { account, planChecksum }: RolloutAccount,
): Promise<Result<readonly string[]>> {
  if (account === null) return ok([]);
  const listed = await state.listRuns({ account, since: Date.parse(head.at) });
  if (!listed.ok) return listed;
  return ok(
    listed.value.filter((run) => run.head.plan_checksum === planChecksum).map((run) => run.head.run_id),
  );
}

/** Runs a command that changes a rollout, under its lock. */
async function change(
  context: Context,
  given: {
    readonly command: string;
    readonly id: string | undefined;
    readonly reason?: string;
    readonly lockTimeout?: number;
  },
  work: (session: RolloutSession) => Promise<Result<ExitCode>>,
): Promise<ExitCode> {
  const readOnly = readOnlyProblem(context);
  if (readOnly !== undefined) return context.fail([readOnly]);
  const state = await context.state.open({ continues: true });
  if (!state.ok) return context.fail(state.problems);
  const log = await findRollout(state.value, given.id);
  if (!log.ok) return context.fail(log.problems);
  const { command, reason } = given;
  const origin = await originOfCommand(context, { command, reason });
  const id = log.value.head.rollout_id;
  const lockTimeoutMs = given.lockTimeout ?? continueTimeoutMs;
  const done = await withRollout(context, { state: state.value, id, origin, lockTimeoutMs }, work);
  return done.ok ? done.value : context.fail(done.problems);
}
