import { nothingRecalled } from '../../model/install-request.ts';
import type { Observed } from '../../model/observed.ts';
import type { PlanInputs } from '../make-plan.ts';
import { type Diff, diff } from './diff.ts';

/** The desired state beside a fleet, which need not be the one that was read. */
export function compare(inputs: PlanInputs, observed: Observed): Diff {
  return diff({
    desired: inputs.desired,
    observed,
    now: inputs.now,
    strict: inputs.strict ?? false,
    skipBlocked: inputs.skipBlocked ?? false,
    ...(inputs.facts === undefined ? {} : { facts: inputs.facts }),
    installs: inputs.installs ?? nothingRecalled,
  });
}
