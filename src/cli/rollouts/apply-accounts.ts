import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccountConfig } from '../../accounts/config/account-config.ts';
import { readAccounts } from '../../accounts/config/read-accounts.ts';
import { changesDigest, indexFileOf, openPlans, type SavedPlans } from '../../accounts/plans/plans-index.ts';
import { readRolloutPlan } from '../../accounts/rollouts/save-rollout.ts';
import { printable } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import { planChecksum } from '../../core/plan/document/plan-document.ts';
import { acknowledge } from '../../core/plan/guards/guard.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import type { State } from '../../run/state/interface/state.ts';
import { mayContinue, type Rollout, rolloutOf } from '../../run/state/rollout/rollout.ts';
import type { RolloutHead } from '../../run/state/rollout/rollout-record.ts';
import { planAccounts } from '../accounts/plan-accounts.ts';
import { type ContinueRolloutFlags, continueRolloutCommand } from '../commands/rollout.ts';
import { readOnlyProblem, userApproves } from '../running/carry-out.ts';
import { originOfCommand } from '../service/command-origin.ts';
import type { Context } from '../shell/context.ts';
import { checkPlanFile, signedWords } from '../trust/plan-signatures.ts';
import { carryOutRollout } from './carry-out-rollout.ts';
import { createRollout } from './new-rollout.ts';
import type { ApplyManyFlags } from './rollout-flags.ts';
import { reportWithoutRun } from './rollout-reporter.ts';
import { withRollout } from './rollout-session.ts';

/** Applies the plans of a folder. Passing the folder approves the index, and so every plan in it. */
export async function applyPlans(context: Context, flags: ApplyManyFlags, path: string): Promise<ExitCode> {
  const misuse = readOnlyProblem(context);
  if (misuse !== undefined) return context.fail([misuse]);
  const plans = await openPlans(context.path(path), path);
  if (!plans.ok) return context.fail(plans.problems);
  const signed = context.signed.isRequired() ? await checkIndex(context, flags, path, plans.value) : ok(null);
  if (!signed.ok) return context.fail(signed.problems);
  return rollOut(context, flags, plans.value, true);
}

/** The signature of an index is that of each plan in it. */
async function checkIndex(
  context: Context,
  flags: ApplyManyFlags,
  path: string,
  { index }: SavedPlans,
): Promise<Result<null>> {
  const onDisk = { file: indexFileOf(path), checksum: index.checksum, account: null };
  const signature = await checkPlanFile(context, onDisk, flags);
  if (!signature.ok) return signature;
  for (const { plan } of index.review.accounts)
    if (plan !== undefined) context.signed.add(plan.checksum, signature.value);
  context.log(signedWords(signature.value));
  return ok(null);
}

/** Plans the selected accounts, shows one review, asks once, and applies the plans. */
export async function applySelected(
  context: Context,
  flags: ApplyManyFlags,
  accounts: readonly AccountConfig[],
): Promise<ExitCode> {
  const misuse = readOnlyProblem(context);
  if (misuse !== undefined) return context.fail([misuse]);
  const scratch = flags.out === undefined ? await mkdtemp(join(tmpdir(), 'rampart-plans-')) : undefined;
  try {
    const folder = flags.out ?? scratch ?? '';
    const { ack: _, accountAcks: __, summaryOut: ___, reason: ____, ticket: _____, ...planning } = flags;
    const code = await planAccounts(reviewOnly(context), accounts, { ...planning, out: folder });
    const plans = await openPlans(context.path(folder), 'the plans');
    if (!plans.ok) return code === 0 ? context.fail(plans.problems) : code;
    if (plans.value.index.review.interrupted) return code;
    return await rollOut(context, flags, plans.value, false);
  } finally {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  }
}

/** With `--json` the review is not part of the events; in text, the folder of the plans is not worth a line. */
function reviewOnly(context: Context): Context {
  const silent = context.settings.format === 'json';
  const nothing = () => {};
  return {
    ...context,
    log: nothing,
    ...(silent ? { print: nothing, printExactly: nothing, printJson: nothing } : {}),
  };
}

async function rollOut(
  context: Context,
  flags: ApplyManyFlags,
  plans: SavedPlans,
  isApproved: boolean,
): Promise<ExitCode> {
  const { io, settings } = context;
  const unreviewed = otherThanReviewed(plans, flags);
  if (unreviewed !== undefined) return context.fail([unreviewed]);
  const file = await readAccounts({ folder: io.cwd, env: io.env });
  if (!file.ok) return context.fail(file.problems);
  const opened = await context.state.open(flags.continue === true ? { continues: true } : {});
  if (!opened.ok) return context.fail(opened.problems);
  const state = opened.value;
  const earlier = flags.continue === true ? await earlierRollout(state, plans) : ok(null);
  if (!earlier.ok) return context.fail(earlier.problems);
  if (earlier.value !== null) return continueEarlierRollout(context, flags, earlier.value);
  const origin = await originOfCommand(context, {
    command: 'apply',
    reason: flags.reason,
    ticket: flags.ticket,
  });
  const created = await createRollout({
    plans,
    file: file.value,
    isReviewed: isApproved || flags.autoApprove !== true,
    named: new Set(settings.accountNames),
    flags,
    origin,
    state,
    now: io.clock.now(),
    maxPlanAge: flags.maxPlanAge,
  });
  if (!created.ok) return context.fail(created.problems);
  context.report(created.problems);
  const { head } = created.value;
  const id = head.rollout_id;
  if (head.accounts.length === 0) {
    const removed = await state.rollouts.remove([id]);
    if (!removed.ok) return context.fail(removed.problems);
    const events = [{ type: 'begun', at: head.at } as const, { type: 'completed', at: head.at } as const];
    const rollout = rolloutOf({ head, events, revision: events.length });
    const why = 'There is nothing to apply: no account has changes that can be applied.';
    return reportWithoutRun(context, rollout, why, flags.summaryOut);
  }
  if (settings.format === 'text') context.log(printable(introduction(head)));
  const asked = `Apply these changes to ${count(head.accounts.length, 'account')}?`;
  if (!isApproved && !(await userApproves(flags, asked, context))) {
    await state.rollouts.remove([id]);
    return context.fail([
      problem('not-approved', 'the plans were not approved, so nothing was changed', {
        hint: 'answer yes, add --auto-approve, or save the plans for review: rampart plan --accounts … --out plans/',
      }),
    ]);
  }
  const code = await withRollout(context, { state, id, origin, lockTimeoutMs: 0 }, (session) =>
    carryOutRollout(context, session, {
      file: file.value,
      first: { type: 'begun', at: new Date(io.clock.now()).toISOString() },
      flags,
    }),
  );
  return code.ok ? code.value : context.fail(code.problems);
}

function introduction(head: RolloutHead): string {
  const waves = head.waves.map(({ name, accounts }) => `${name} (${accounts.length})`);
  const failed = head.left_out.filter(({ status }) => status === 'failed').length;
  const rest = failed === 0 ? '' : ` ${count(failed, 'account')} can't be applied and count as failed.`;
  return `Waves: ${waves.join(', ')}.${rest}`;
}

function otherThanReviewed(
  { index }: SavedPlans,
  { checksum, changes }: ApplyManyFlags,
): Problem | undefined {
  if (checksum === undefined || index.checksum === checksum.trim().toLowerCase()) return undefined;
  if (changes !== undefined && changes === changesDigest(index)) return undefined;
  return problem('stale-plan', `these are not the reviewed plans: their checksum is ${index.checksum}`, {
    hint: 'review these plans, then use their checksum',
  });
}

/** The clocks of two machines may differ this much: the one that planned, and the one that applies. */
const mostSkewMs = 60 * 60_000;

/**
 * The latest rollout that was started from these plans; null if there is none. Refused if its record has other plans: a
 * checksum in a record proves nothing.
 */
async function earlierRollout(state: State, plans: SavedPlans): Promise<Result<Rollout | null>> {
  const { rollouts } = state;
  const { review, checksum } = plans.index;
  const ids = await rollouts.list();
  if (!ids.ok) return ids;
  for (const id of ids.value) {
    const log = await rollouts.read(id);
    if (!log.ok) return log;
    if (log.value === null) continue;
    const { head, events } = log.value;
    if (head.index_checksum === checksum && events.length > 0) {
      const rollout = rolloutOf(log.value);
      const same = await hasThesePlans(state, plans, rollout);
      return same.ok ? ok(rollout) : same;
    }
    // Older rollouts can't be of these plans.
    if (Date.parse(head.at) < Date.parse(review.created_at) - mostSkewMs) break;
  }
  return ok(null);
}

/** Approvals may have been added to the plans of the rollout, and nothing else. */
async function hasThesePlans(
  { rollouts }: State,
  plans: SavedPlans,
  { id, head }: Rollout,
): Promise<Result<null>> {
  for (const { account, plan_checksum: expected } of head.accounts) {
    const saved = await readRolloutPlan(rollouts, id, account, expected);
    if (!saved.ok) return saved;
    const reviewed = await plans.readPlan(account);
    if (!reviewed.ok || planChecksum(acknowledge(reviewed.value, saved.value.acks)) !== expected)
      return failed(
        problem('plan-file-checksum', `the record of rollout ${id} has another plan of "${account}"`, {
          hint: 'plan again, and apply the new plans; remove the record if you do not know who wrote it',
        }),
      );
  }
  return ok(null);
}

/** Goes on with an earlier rollout of the same plans. One that is done is only shown: nothing is applied twice. */
async function continueEarlierRollout(
  context: Context,
  flags: ContinueRolloutFlags,
  rollout: Rollout,
): Promise<ExitCode> {
  const { id, state } = rollout;
  if (state === 'aborted' || state === 'undoing' || state === 'undone') {
    const what = state === 'aborted' ? 'was aborted' : 'was undone';
    return context.fail([
      problem('not-approved', `rollout ${id} of these plans ${what}, so they are not applied again`, {
        hint: 'plan again, and have the new plans reviewed',
      }),
    ]);
  }
  if (mayContinue(rollout)) {
    context.log(`Continuing rollout ${id} of these plans.`);
    return continueRolloutCommand(context, flags, id);
  }
  return reportWithoutRun(
    context,
    rollout,
    `Rollout ${id} has already applied these plans.`,
    flags.summaryOut,
  );
}
