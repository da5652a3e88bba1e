import { requirementsOf } from '../../../accounts/approvals/requirements.ts';
import type { AccountConfig } from '../../../accounts/config/account-config.ts';
import { planChecksum, printPlan } from '../../../core/plan/document/plan-document.ts';
import { isEmpty, type Plan } from '../../../core/plan/types/plan.ts';
import type { Problem } from '../../../core/problem/problem.ts';
import { toPlanReview } from '../../../output/review/plan-review.ts';
import { isInRollout } from '../../accounts/rules/claim-accounts.ts';
import type { HeldPlan } from '../../accounts/rules/hold.ts';
import { approvalPolicyOf } from '../../approvals/rules/approval-policy.ts';
import type { Tenant } from '../../database/tenant.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import { queueRun, server } from '../../runs/rules/queue-run.ts';
import { withoutTime } from '../../runs/rules/run-windows.ts';
import type { Store } from '../../store/open-store.ts';
import { isUndo, type NewPlan, type PlanRecord } from '../records/plan-record.ts';
import { acksOf, lastingRefusal } from './approved-plan.ts';
import { digestsOf } from './plan-digests.ts';

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
  /** The last check found no difference, so nothing that someone rejected has disappeared since. */
  readonly wasConverged: boolean;
}

/** What became of the plan of a check. */
export interface Proposed {
  /** The open plan of the account, or the rejected one. */
  readonly open?: PlanRecord;
  /** Why its run can't begin until a person changes something, although it is approved. */
  readonly refusal?: Problem;
}

/**
 * Makes the plan of a check the open one of its account. In mode `correct`, a plan within the limits is approved by the
 * account's policy, and its run is queued unless changes are paused or the account is held; any other plan waits.
 * The rejected plan if someone rejected the same changes. No plan if one of the account is running.
 */
export async function proposeCheckedPlan(
  plan: Plan,
  account: AccountConfig,
  { isPaused, held, hasOpen, wasConverged, ...origin }: PlanOrigin & Standing,
  parts: JobParts,
): Promise<Proposed> {
  const { store } = parts;
  const open = hasOpen ? await openPlan(account, store) : undefined;
  if (open !== undefined && isUndo(open)) return started(open, undefined, account, isPaused, parts);
  if (account.mode === 'observe' || isEmpty(plan)) {
    // If the same differences come back some day, a person decides about them again. In mode correct nobody would: whoever
    // undoes a rejected edit, and makes it again, must not get it applied.
    if (isEmpty(plan) && !wasConverged && account.mode !== 'correct')
      await store.plans.endRejections([account.name], origin);
    if (open === undefined) return {};
    const why = isEmpty(plan)
      ? 'the fleet no longer differs from the desired state'
      : `the account is in mode observe`;
    await store.plans.makeStale(account.name, why, origin);
    return {};
  }
  const isWithin = account.mode === 'correct' && plan.breaches.length === 0;
  const waits = isWithin && held?.until === 'person' ? { ...origin, reason: held.reason } : origin;
  const state = isWithin && waits === origin ? 'approved' : 'waiting';
  const proposed = await propose(plan, account, waits, state, parts);
  if (proposed === undefined) return {};
  if (held !== undefined && proposed.approvals.length === 0) return { open: proposed };
  return started(proposed, plan, account, isPaused, parts);
}

/**
 * Queues the run of an approved plan that has none: the account's policy approved it, or the server that took the last
 * approval ended before it queued the run. A plan that a roll-out approved, or has among its own, waits for its wave.
 */
async function started(
  plan: PlanRecord,
  content: Plan | undefined,
  account: AccountConfig,
  isPaused: boolean,
  parts: JobParts,
): Promise<Proposed> {
  const open = plan;
  const approver = plan.approvals.at(-1);
  if (plan.state !== 'approved' || isPaused || approver?.via === 'roll-out') return { open };
  if (await isInRollout(plan.account, parts.store)) return { open };
  // A run that can only be refused would be queued again by the check after it.
  const refusal = content && lastingRefusal({ plan: content, acks: acksOf(plan) }, account, parts);
  if (refusal !== undefined) return { open, refusal };
  if (approver === undefined)
    await queueRun(parts, plan, server, 'the changes are within the limits of the account');
  else await queueRun(parts, plan, approver.by, approver.comment);
  return { open };
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
    digests: digestsOf(plan),
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
