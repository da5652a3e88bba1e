import { blockedBy } from '../../../accounts/approvals/requirements.ts';
import type { AccountCheck, DriftedAttribute } from '../../../accounts/engine/check-account.ts';
import { hostIdsOf } from '../../../core/plan/types/step.ts';
import type { FreshPlan } from '../../plans/rules/new-plan.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import type { Found } from '../decisions/account-event.ts';
import { failureOf } from './check-result.ts';

/** What a check found, for its decision. */
export function foundOf(
  { plan, drift }: AccountCheck,
  fresh: FreshPlan | undefined,
  isIgnored: IsIgnored,
  redact: (text: string) => string,
): Found {
  const why = blockedBy(plan);
  const ignored = drift.filter(isIgnored);
  const isMore = drift.length > ignored.length || !areAllOf(plan, ignored);
  const { installsInDoubt, installsInProgress } = plan.summary;
  return {
    plan: fresh === undefined ? null : { ...fresh.plan, exceeds: plan.breaches.length > 0 },
    blocked: why === null ? null : { why, failure: failureOf(plan.problems, redact) },
    differences: isMore ? 'some' : ignored.length > 0 ? 'ignored' : 'none',
    installs: installsInDoubt > 0 ? 'in_doubt' : installsInProgress > 0 ? 'in_progress' : 'none',
  };
}

export type IsIgnored = (each: DriftedAttribute) => boolean;

/** Ignored is the difference that a person saw: another value in the fleet is another difference. */
export function ignoredIn(ignores: Awaited<ReturnType<JobParts['store']['ignores']['of']>>): IsIgnored {
  const values = new Map(ignores.map(({ hostId, attribute, live }) => [`${hostId} ${attribute}`, live]));
  return ({ hostId, attribute, live }) => values.get(`${hostId} ${attribute}`) === live;
}

/** Whether the plan changes no host other than those whose differences these are. */
function areAllOf({ steps }: AccountCheck['plan'], differences: readonly DriftedAttribute[]): boolean {
  const hosts = new Set<string>(differences.map(({ hostId }) => hostId));
  return steps.every((step) => hostIdsOf(step).every((id) => hosts.has(id)));
}
