import { readStoredPlan } from '../../../accounts/plans/read-stored-plan.ts';
import type { Visible } from '../../../api/access/grants.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import { failed, ok, type Result } from '../../../core/problem/problem.ts';
import { type PlanReview, toPlanReview } from '../../../output/review/plan-review.ts';
import { missing } from '../../http/api-answers.ts';
import type { HttpParts } from '../../http/http-parts.ts';
import type { PlanRecord } from '../records/plans.ts';

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
