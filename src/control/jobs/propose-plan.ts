import { planChecksum, printPlan } from '../../core/plan/document/plan-document.ts';
import { isEmpty, type Plan } from '../../core/plan/types/plan.ts';
import { toPlanReview } from '../../output/review/plan-review.ts';
import type { AccountConfig } from '../accounts/account-config.ts';
import { requirementsOf } from '../approvals/requirements.ts';
import type { Store } from '../store/open-store.ts';
import type { NewPlan, PlanRecord } from '../store/plans.ts';
import type { Tenant } from '../store/tenant.ts';
import { approvalPolicyOf } from './approval-policy.ts';
import { isInRollout } from './claim-accounts.ts';
import type { HeldPlan } from './hold.ts';
import { isSameChange } from './is-same-change.ts';
import type { JobParts } from './job-parts.ts';
import { queueRun, server } from './queue-run.ts';
import { withoutTime } from './run-windows.ts';

/** Where a plan comes from. */
export interface PlanOrigin {
  readonly source: string;
  readonly commit: string | null;
  readonly author: string | null;
  /** Why it waits, though mode `correct` could apply it. */
  readonly reason?: string;
  /** When the check that made it began. */
  readonly beganAt?: Date;
  /** Whose fleet it is for: an account that now belongs to another tenant gets no such plan. */
  readonly tenant?: Tenant;
}

/** What is known about an account before its plan is proposed. */
interface Standing {
  readonly isPaused: boolean;
  /** Why mode `correct` does not apply the plan by itself. */
  readonly held: HeldPlan | undefined;
  /** A plan of it waits, is approved or runs. */
  readonly hasOpen: boolean;
}

/**
 * Makes the plan of a check the open one of its account. In mode `correct`, a plan within the limits is approved by the
 * account's policy, and its run is queued unless changes are paused or the account is held; any other plan waits.
 * The rejected plan if someone rejected the same changes. Undefined if a plan of the account is running.
 */
export async function proposeCheckedPlan(
  plan: Plan,
  account: AccountConfig,
  { isPaused, held, hasOpen, ...origin }: PlanOrigin & Standing,
  parts: JobParts,
): Promise<PlanRecord | undefined> {
  const { store } = parts;
  const open = hasOpen ? await openPlan(account, store) : undefined;
  // The reversal of a run differs from the desired state on purpose.
  if (open !== undefined && isUndo(open)) return started(open, isPaused, parts);
  if (account.mode === 'observe' || isEmpty(plan)) {
    if (open === undefined) return undefined;
    const why = isEmpty(plan)
      ? 'the fleet no longer differs from the desired state'
      : `the account is in mode observe`;
    await store.plans.makeStale(account.name, why, origin);
    return undefined;
  }
  const refused = open === undefined ? await rejected(plan, account, origin, parts) : undefined;
  if (refused !== undefined) return refused;
  const isWithin = account.mode === 'correct' && plan.breaches.length === 0;
  const waits = isWithin && held?.until === 'person' ? { ...origin, reason: held.reason } : origin;
  const state = isWithin && waits === origin ? 'approved' : 'waiting';
  const proposed = await propose(plan, account, waits, state, parts);
  if (proposed === undefined || (held !== undefined && proposed.approvals.length === 0)) return proposed;
  return started(proposed, isPaused, parts);
}

/**
 * Queues the run of an approved plan that has none: the account's policy approved it, or the server that took the last
 * approval ended before it queued the run. A plan that a roll-out approved, or has among its own, waits for its wave.
 */
async function started(plan: PlanRecord, isPaused: boolean, parts: JobParts): Promise<PlanRecord> {
  const approver = plan.approvals.at(-1);
  if (plan.state !== 'approved' || isPaused || approver?.via === 'roll-out') return plan;
  if (await isInRollout(plan.account, parts.store)) return plan;
  if (approver === undefined)
    await queueRun(parts, plan, server, 'the changes are within the limits of the account');
  else await queueRun(parts, plan, approver.by, approver.comment);
  return plan;
}

/** The beginning of the source of a plan that reverses a run. */
export const undoSource = 'undo of run ';

export function isUndo(plan: Pick<PlanRecord, 'source'> | undefined): boolean {
  return plan?.source.startsWith(undoSource) === true;
}

async function openPlan({ name }: AccountConfig, { plans }: Store): Promise<PlanRecord | undefined> {
  const open = await plans.list({
    visible: 'all',
    account: name,
    states: ['waiting', 'approved'],
    limit: 1,
  });
  return open.ok ? open.value.items[0] : undefined;
}

/**
 * The latest plan of the account if someone rejected it, its time has not passed, and it would change the same. Whoever
 * rejected the reversal of a run said nothing about the desired state.
 */
async function rejected(
  plan: Plan,
  { name }: AccountConfig,
  { beganAt }: PlanOrigin,
  parts: JobParts,
): Promise<PlanRecord | undefined> {
  // By the clock of the database, which ends a rejection when someone plans again.
  const now = beganAt?.getTime() ?? parts.clock.now();
  const listed = await parts.store.plans.list({ visible: 'all', account: name, limit: 1 });
  const latest = listed.ok ? listed.value.items[0] : undefined;
  if (latest?.state !== 'rejected' || isUndo(latest)) return undefined;
  if (latest.expiresAt.getTime() <= now) return undefined;
  return (await isSameChange(latest, plan, parts)) ? latest : undefined;
}

/** Stores a plan as the open one of its account. */
export async function propose(
  given: Plan,
  account: AccountConfig,
  { source, commit, author, reason, beganAt, tenant }: PlanOrigin,
  state: NewPlan['state'],
  { store, settings }: Pick<JobParts, 'store' | 'settings'>,
): Promise<PlanRecord | undefined> {
  const plan = withoutTime(given);
  const required = requirementsOf(plan, approvalPolicyOf(account, settings));
  const { rename, move, antivirus: install, delete: deletions, refresh } = plan.summary;
  const proposed = await store.plans.propose({
    account: account.name,
    checksum: planChecksum(plan),
    document: printPlan(plan),
    review: toPlanReview(plan),
    source,
    commit,
    author,
    expiresAt: new Date(required.expiresAt),
    counts: { rename, move, delete: deletions, install, refresh },
    changes: rename + move + install + deletions,
    irreversible: install + deletions,
    calls: plan.calls.planned,
    required,
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(beganAt === undefined ? {} : { beganAt }),
    ...(tenant === undefined ? {} : { tenant }),
  });
  return proposed?.plan;
}
