import { makePlan } from '../../src/core/plan/make-plan.ts';
import type { Plan } from '../../src/core/plan/types/plan.ts';
import { type PlanInputs } from '../../src/core/plan/types/plan-inputs.ts';
import { type GivenEntry, givenDesired, noLimits } from './desired.ts';
import { at, type GivenHost, givenFleet } from './fleet.ts';

export interface GivenPlan {
  readonly entries: readonly GivenEntry[];
  readonly hosts: readonly GivenHost[];
  readonly groups?: Readonly<Record<string, string>>;
  readonly options?: Partial<PlanInputs>;
}

/** The plan that the planner makes of these entries and hosts, with limits that stop nothing. */
export function givenPlan({ entries, hosts, groups = {}, options = {} }: GivenPlan): Plan {
  return makePlan({
    desired: givenDesired(entries, noLimits),
    observed: givenFleet(hosts, groups),
    account: { companyId: '1234567890', service: 'https://remote.example.com' },
    now: at,
    ...options,
  });
}
