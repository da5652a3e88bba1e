import { isDeepStrictEqual } from 'node:util';
import { requirementsOf } from '../../../accounts/approvals/requirements.ts';
import type { AccountConfig } from '../../../accounts/config/account-config.ts';
import { readStoredPlan } from '../../../accounts/plans/read-stored-plan.ts';
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
import { decideCheck } from '../decisions/decide-check.ts';
import { type KeptUnits, keptUnits } from '../decisions/kept-units.ts';
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
  /** The open plan that it may replace. Absent: any. */
  readonly replaces?: PlanRecord | null;
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
  const before = open && (await approvedUnits(open, plan, account, parts));
  const command = decideCheck({
    mode: account.mode,
    found: { isEmpty: isEmpty(plan), changes: changesIn(plan), exceeds: plan.breaches.length > 0 },
    open: open && { isUndo: isUndo(open), kept: before?.kept },
    held,
    wasConverged,
  });
  switch (command.kind) {
    case 'stay':
      return open === undefined ? {} : started(open, undefined, account, isPaused, parts);
    case 'keep':
      if (open === undefined) return {};
      return started(
        await noteKept(open, command.kept, origin, parts),
        before?.content,
        account,
        isPaused,
        parts,
      );
    case 'close':
      if (command.endsRejections) await store.plans.endRejections([account.name], origin);
      if (open !== undefined) await store.plans.makeStale(account.name, command.why, origin);
      return {};
    case 'propose': {
      const { state, reason, isHeld } = command;
      const from = { ...origin, replaces: open ?? null, ...(reason === undefined ? {} : { reason }) };
      const proposed = await propose(plan, account, from, state, parts);
      if (proposed === undefined) return {};
      if (isHeld && proposed.approvals.length === 0) return { open: proposed };
      return started(proposed, plan, account, isPaused, parts);
    }
  }
}

/**
 * What this check leaves of an open plan that people approved, or are approving. Undefined if it has no approvals, if this
 * version can't read it, or if it is empty or the same.
 */
async function approvedUnits(
  open: PlanRecord,
  later: Plan,
  account: AccountConfig,
  { store, settings }: JobParts,
): Promise<{ readonly content: Plan; readonly kept: KeptUnits | undefined } | undefined> {
  if (open.approvals.length === 0 || isUndo(open) || isEmpty(later)) return undefined;
  const content = await readContent(open, store);
  if (content === undefined) return undefined;
  const isSame = digestsOf(content).content === digestsOf(withoutTime(later)).content;
  if (isSame && (open.later?.leftOut ?? []).length === 0) return undefined;
  const required = requirementsOf(later, approvalPolicyOf(account, settings));
  return {
    content,
    kept: keptUnits({ plan: content, required: open.required }, { plan: later, required }),
  };
}

/** Writes what a check leaves of an open plan, if it differs from what the check before left. */
async function noteKept(
  open: PlanRecord,
  { leftOut, hasMore }: KeptUnits,
  origin: PlanOrigin,
  { store }: JobParts,
): Promise<PlanRecord> {
  const known = open.later ?? { leftOut: [], authors: [] };
  const { author } = origin;
  const isNewAuthor = hasMore && author !== null && !known.authors.includes(author);
  if (!isNewAuthor && isDeepStrictEqual(known.leftOut, leftOut)) return open;
  const later = { leftOut, authors: isNewAuthor ? [...known.authors, author] : known.authors };
  // If someone has decided about it meanwhile, the next check sees how.
  return (await store.plans.keep(open, later, origin)) ?? open;
}

function changesIn({ summary: { rename, move, antivirus, delete: deletions } }: Plan): number {
  return rename + move + antivirus + deletions;
}

/** The content of a stored plan; undefined if this version can't read it. */
export async function readContent(
  { id }: PlanRecord,
  { plans }: Pick<Store, 'plans'>,
): Promise<Plan | undefined> {
  const text = await plans.document(id, 'all');
  const plan = text === undefined ? undefined : readStoredPlan(text, id);
  return plan?.ok === true ? plan.value : undefined;
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
    await queueRun(
      parts,
      plan,
      server,
      plan.changes === 0 ? refreshWords : 'the changes are within the limits of the account',
    );
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

const refreshWords = 'the plan changes nothing: it asks hosts to report their status';

/** Stores a plan as the open one of its account. */
export async function propose(
  given: Plan,
  account: AccountConfig,
  { source, commit, author, reason, beganAt, tenant, replaces }: PlanOrigin,
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
    changes: changesIn(plan),
    irreversible: install + deletions,
    calls: plan.calls.planned,
    required,
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(beganAt === undefined ? {} : { beganAt }),
    ...(tenant === undefined ? {} : { tenant }),
    ...(replaces === undefined ? {} : { replaces }),
  });
  return proposed?.plan;
}
