import { once } from '../../lib/once.ts';
import { noFacts } from '../../model/facts.ts';
import type { HostId } from '../../model/observed.ts';
import type { Diff } from '../difference/compare.ts';
import { groupClaims } from '../intents/with-expulsions.ts';
import type { Summary } from '../types/plan.ts';
import type { PlanInputs } from '../types/plan-inputs.ts';
import { guard } from './guard.ts';
import { type PolicyJudgment, policyProblems } from './policies.ts';
import { protectionProblems } from './protect.ts';

/** Compares what a plan changes with the protection of hosts, with policies and with limits. */
export function guardPlan(
  inputs: PlanInputs,
  { changes, managed, matching, undecided }: Diff,
  summary: Summary,
): PolicyJudgment {
  const { desired, observed } = inputs;
  const managedIds = once((): ReadonlySet<HostId> => new Set(managed().map(({ host }) => host.id)));
  const policed = policyProblems({
    policy: desired.policy,
    changes,
    observed,
    facts: inputs.facts ?? noFacts,
    now: inputs.now,
    isClaimed: (id) => managedIds().has(id),
    claimsGroup: groupClaims(managed, undecided),
  });
  const limited = guard({
    limits: desired.limits,
    limitPlaces: desired.limitPlaces,
    acks: inputs.acks ?? {},
    summary,
    fleetSize: observed.count,
    pinned: matching.pinned,
    allowEmptyFleet: inputs.allowEmptyFleet ?? false,
    lastFleetSize: inputs.lastFleetSize,
  });
  return {
    ...policed,
    limits: [...limited.limits, ...policed.limits],
    breaches: [...limited.breaches, ...policed.breaches],
    problems: [...protectionProblems(desired, changes), ...policed.problems, ...limited.problems],
  };
}
