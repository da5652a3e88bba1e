import type { AccountCheck, DriftedAttribute } from '../../../accounts/engine/check-account.ts';
import { hostIdsOf } from '../../../core/plan/types/step.ts';
import type { PlanRecord } from '../../plans/records/plan-record.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import type { Health } from '../records/account-record.ts';

/** `converged` only if this read shows it. */
export function healthOf(
  { plan, drift }: AccountCheck,
  open: PlanRecord | undefined,
  {
    isRunning,
    isPaused,
    isIgnored,
  }: { readonly isRunning: boolean; readonly isPaused: boolean; readonly isIgnored: IsIgnored },
): Health {
  if (plan.summary.installsInDoubt > 0) return 'in_doubt';
  if (isRunning) return 'running';
  if (open !== undefined && (open.state === 'waiting' || open.state === 'approved')) return 'waiting';
  const ignored = drift.filter(isIgnored);
  if (drift.length > ignored.length || !areAllOf(plan, ignored)) return 'drifted';
  if (plan.summary.installsInProgress > 0) return 'in_progress';
  if (isPaused) return 'paused';
  return ignored.length > 0 ? 'ignored' : 'converged';
}

type IsIgnored = (each: DriftedAttribute) => boolean;

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
