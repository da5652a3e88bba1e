import type { AccountConfig } from '../../accounts/config/account-config.ts';
import type { AccountsFile } from '../../accounts/config/read-accounts.ts';
import type { AccountEnd } from '../../accounts/rollouts/account-end.ts';
import { deadlinePassed, type RolloutResult, runRollout } from '../../accounts/rollouts/run-rollout.ts';
import { readRolloutPlan } from '../../accounts/rollouts/save-rollout.ts';
import { failed, ok, type Result } from '../../core/problem/problem.ts';
import { type CallAllowance, createCallAllowance } from '../../run/apply/admission.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../../run/apply/exit-code.ts';
import { coverRollout } from '../../run/state/covered-state.ts';
import type { State } from '../../run/state/interface/state.ts';
import type { RolloutAccount } from '../../run/state/rollout/rollout.ts';
import type { RolloutEvent } from '../../run/state/rollout/rollout-record.ts';
import { logAuditHead } from '../running/event-stream.ts';
import { type Context, hearStop } from '../shell/context.ts';
import { applyAccountPlan } from './account-run.ts';
import { exitForRollout } from './rollout-exit-code.ts';
import { type AccountRunFlags, type RolloutLimits, runFlagsOf } from './rollout-flags.ts';
import { createRolloutReporter } from './rollout-reporter.ts';
import type { RolloutSession } from './rollout-session.ts';

/** How long a continued account waits for the run that another machine may still be ending, in milliseconds. */
const takeoverMs = 60_000;

/** Runs the accounts of a rollout that are left, after the event that starts or continues it. */
export async function carryOutRollout(
  context: Context,
  { state, lease, record, origin }: RolloutSession,
  {
    file,
    first,
    flags,
  }: {
    readonly file: AccountsFile;
    readonly first: RolloutEvent;
    readonly flags: AccountRunFlags & RolloutLimits;
  },
): Promise<Result<ExitCode>> {
  const configured = new Map(file.accounts.map((account) => [account.name, account]));
  const before = record.current();
  const interrupted = new Set(
    [...before.accounts.values()].filter(({ status }) => status === 'running').map(({ name }) => name),
  );
  const { head } = before;
  const what = {
    rollout_id: head.rollout_id,
    index_checksum: head.index_checksum,
    accounts: head.accounts.length,
    waves: head.waves.length,
  };
  const { clock } = context.io;
  const noted = await state.audit.append(clock, [
    first.type === 'begun'
      ? { kind: 'rollout-started', origin, what: { ...what, covers: coverRollout(head) } }
      : { kind: 'rollout-continued', origin, what },
  ]);
  if (!noted.ok) return failed(...noted.problems);
  const begun = await record.note([first]);
  if (!begun.ok) return begun;
  const { maxCalls, deadline, summaryOut } = flags;
  const accountFlags = runFlagsOf(flags);
  const finished = [...before.accounts.values()].filter(({ status }) => status === 'done').length;
  const reporter = createRolloutReporter(context, head, { summaryOut, finished });
  const shared: SharedBudget = {
    ...(maxCalls === undefined ? {} : { calls: createCallAllowance(maxCalls) }),
    ...(deadline === undefined ? {} : { until: clock.now() + deadline }),
  };
  reporter.start();
  const stop = hearStop(context, 'accounts that are done stay as they are');
  let result: RolloutResult;
  try {
    result = await runRollout({
      record,
      lease,
      clock,
      stop: stop.signal,
      ...(shared.until === undefined ? {} : { until: shared.until }),
      onEvent: reporter.progress,
      apply: (account, halt) =>
        applyOne(context, state, {
          account,
          config: configured.get(account.name),
          halt,
          onLine: (line) => reporter.line(account.name, line),
          shared,
          flags: {
            ...accountFlags,
            ...(interrupted.has(account.name) && accountFlags.lockTimeout === undefined
              ? { lockTimeout: takeoverMs }
              : {}),
          },
          rolloutId: head.rollout_id,
        }),
    });
  } finally {
    stop.end();
  }
  const exitCode = exitForRollout(result.rollout, result.stop?.kind ?? null);
  const ending = { rollout_id: head.rollout_id, exit_code: exitCode, stop: result.stop?.kind ?? null };
  const audited = await state.audit.append(clock, [{ kind: 'rollout-ended', origin, what: ending }]);
  const ended = await reporter.end(result.rollout, exitCode, [...result.problems, ...audited.problems]);
  await logAuditHead(context, state);
  return ok(ended);
}

interface OneAccount {
  readonly account: RolloutAccount;
  readonly config: AccountConfig | undefined;
  readonly halt: AbortSignal;
  readonly onLine: (line: string) => void;
  readonly flags: AccountRunFlags;
  readonly shared: SharedBudget;
  readonly rolloutId: string;
}

/** The calls and the time of all accounts together. */
interface SharedBudget {
  readonly calls?: CallAllowance;
  /** Milliseconds since the epoch. */
  readonly until?: number;
}

/** Why no account can start any more; undefined if one can. */
function spentWords({ calls, until }: SharedBudget, now: number): string | undefined {
  if (calls !== undefined && calls.left <= 0) return 'the rollout has used the calls of --max-calls';
  return until !== undefined && now >= until ? deadlinePassed : undefined;
}

async function applyOne(
  context: Context,
  state: State,
  { account, config, halt, onLine, flags, shared, rolloutId }: OneAccount,
): Promise<AccountEnd> {
  if (config === undefined)
    return { exitCode: exitCodes.invalid, why: 'the configuration has no account with this name' };
  if (config.mode === 'observe') return { exitCode: exitCodes.refused, why: 'its mode is observe' };
  const now = context.io.clock.now();
  const spent = spentWords(shared, now);
  if (spent !== undefined) return { exitCode: exitCodes.incomplete, stops: 'budget-spent', why: spent };
  const plan = await readRolloutPlan(state.rollouts, rolloutId, account.name, account.planChecksum);
  if (!plan.ok) return { exitCode: exitCodeOf(plan.problems), why: plan.problems[0]?.message ?? '' };
  return applyAccountPlan({ context, account: config, halt, onLine }, plan.value, {
    ...flags,
    ...(shared.calls === undefined ? {} : { calls: shared.calls }),
    ...(shared.until === undefined ? {} : { deadline: shared.until - now }),
  });
}
