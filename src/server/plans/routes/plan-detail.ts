import { readStoredPlan } from '../../../accounts/plans/read-stored-plan.ts';
import type { Visible } from '../../../api/access/grants.ts';
import type { PlanDetail, PlanRow, ReviewHost } from '../../../api/plans.ts';
import { hasNotBegun } from '../../../api/states.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import { failed, ok, type Result } from '../../../core/problem/problem.ts';
import { type PlanReview, toPlanReview } from '../../../output/review/plan-review.ts';
import { type PlannedHost, planDifference } from '../../../output/review/planned-hosts.ts';
import { pausedNames } from '../../accounts/routes/paused-accounts.ts';
import { firstOf } from '../../database/page.ts';
import { missing } from '../../http/api-answers.ts';
import type { Answered, HttpParts } from '../../http/route.ts';
import { toRehearsal } from '../../http/shapes.ts';
import { undoSource } from '../decisions/stored-plan.ts';
import type { PlanRecord } from '../records/plans.ts';

/** The most hosts that the page of a plan lists as irreversible; all hosts have a list of their own. */
const mostIrreversible = 500;
/** A longer list of unusual changes no longer names exceptions. */
const mostUnusual = 100;
/** Hosts whose state is read one by one if the account is too large for one page. */
const mostLookups = 100;
const largestPage = 500;

/** What the page of a plan shows, without the row of the plan itself. */
export async function planDetailOf(
  parts: HttpParts,
  record: PlanRecord,
  visible: Visible,
): Promise<Result<Answered<Omit<PlanDetail, keyof PlanRow>>>> {
  const reviewed = await storedReview(parts, record, visible);
  if (!reviewed.ok) return reviewed;
  const { review } = reviewed.value;
  const run = await latestRun(parts, record, visible);
  const rehearsed = await parts.store.rehearsals.find(record.id, visible);
  const shown = review.irreversible.slice(0, mostIrreversible);
  const unusual = review.unusual.slice(0, mostUnusual);
  const pauses = await parts.store.pauses.list();
  return ok({
    is_paused: hasNotBegun(record.state) && pausedNames(pauses, parts.settings).has(record.account),
    verdict: review.verdict,
    irreversible_hosts: await withStates(parts, record.account, shown, visible),
    unusual_hosts: await withStates(parts, record.account, unusual, visible),
    problems: shownProblems(review),
    groups: review.groups,
    causes: review.causes,
    chains: review.chains,
    more: {
      ...review.more,
      irreversible_hosts: review.irreversible.length - shown.length,
      unusual_hosts: review.unusual.length - unusual.length,
    },
    calls_by_kind: review.calls_by_kind,
    minimum_calls: review.minimum_calls,
    seconds: review.seconds,
    rehearsal: rehearsed === undefined ? null : toRehearsal(rehearsed),
    run,
    undone_by: run === null ? null : await latestUndo(parts, run, visible),
    difference: await differenceOf(parts, record, review.hosts, visible),
    comments: await parts.store.plans.comments(record.id, visible),
  });
}

/** Without `--ack`, which is for the command line: here, the numbers that an approval must repeat have fields. */
export function shownProblems({ problems }: PlanReview): Answered<PlanDetail['problems']> {
  return problems.map(({ hint, ...each }) => ({
    ...each,
    ...(hint === undefined || each.code === 'limit-exceeded' ? {} : { hint }),
  }));
}

async function latestRun(
  { store }: HttpParts,
  { id, account }: PlanRecord,
  visible: Visible,
): Promise<string | null> {
  return firstOf(await store.runs.list({ visible, account, plan: id, limit: 1 }))?.id ?? null;
}

async function latestUndo({ store }: HttpParts, run: string, visible: Visible): Promise<string | null> {
  return firstOf(await store.plans.list({ visible, source: `${undoSource}${run}`, limit: 1 }))?.id ?? null;
}

async function differenceOf(
  parts: HttpParts,
  { id }: PlanRecord,
  hosts: readonly PlannedHost[],
  visible: Visible,
): Promise<PlanDetail['difference']> {
  const previous = await parts.store.plans.previous(id, visible);
  if (previous === undefined) return null;
  const reviewed = await storedReview(parts, previous, visible);
  // An earlier plan that can't be read anymore only leaves out the comparison.
  if (!reviewed.ok) return null;
  return { previous: previous.id, ...planDifference(hosts, reviewed.value.review.hosts) };
}

/** The hosts of a plan with their state in the fleet, as the last check saw it. */
export async function withStates(
  { store }: Pick<HttpParts, 'store'>,
  account: string,
  hosts: readonly PlannedHost[],
  visible: Visible,
): Promise<readonly Answered<ReviewHost>[]> {
  const seen = new Map<string, string | null>();
  const page = await store.hosts.list({ visible, accounts: [account], limit: largestPage });
  if (page.ok) for (const { host_id: id, state } of page.value.items) seen.set(id, state);
  const looked = hosts.filter(({ host_id }) => !seen.has(host_id));
  for (const { host_id } of looked.slice(0, mostLookups)) {
    const host = await store.hosts.find(account, host_id, visible);
    if (host !== undefined) seen.set(host_id, host.state);
  }
  return hosts.map((host) => toReviewHost(host, seen.get(host.host_id)));
}

function toReviewHost(
  { online, last_seen: since, ...host }: PlannedHost,
  seen: string | null | undefined,
): Answered<ReviewHost> {
  // Of hosts that were deleted since, the plan alone knows their state.
  const state = seen ?? online;
  return {
    ...host,
    online: state,
    // The plan knows since when a host is online or offline, as long as no check saw it in the other state.
    last_seen: state === 'offline' && online === 'offline' ? since : null,
  };
}

export interface StoredReview {
  readonly plan: Plan;
  readonly review: PlanReview;
}

/** Cached reviews: someone who pages through the hosts of a plan reads the same plan repeatedly. */
const mostKept = 8;
/** Larger plans are computed again each time rather than kept. */
const longestKept = 20_000_000;

const kept = new Map<string, StoredReview>();

/**
 * The stored plan with its review. A checksum always identifies the same bytes, so a cached review is never outdated.
 */
export async function storedReview(
  { store }: Pick<HttpParts, 'store'>,
  { id, checksum }: Pick<PlanRecord, 'id' | 'checksum'>,
  visible: Visible,
): Promise<Result<StoredReview>> {
  const known = kept.get(checksum);
  if (known !== undefined) return ok(known);
  const text = await store.plans.document(id, visible);
  if (text === undefined) return failed(missing);
  const plan = readStoredPlan(text, id);
  if (!plan.ok) return plan;
  const reviewed = { plan: plan.value, review: toPlanReview(plan.value) };
  if (text.length <= longestKept) {
    if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? '');
    kept.set(checksum, reviewed);
  }
  return ok(reviewed);
}
