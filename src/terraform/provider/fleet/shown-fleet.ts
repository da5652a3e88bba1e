import { type Problem, problem } from '../../../core/problem/problem.ts';

/** The part of a whole fleet that a plan shows. */
export interface ShownFleet {
  readonly checksum: string;
  readonly summary: string;
}

/** A plan without changes shows the values of the latest apply. */
export const nothingShown: ShownFleet = { checksum: '', summary: 'no changes' };

/** How the fleet differs from what the approved plan showed. Terraform would report a bug in the provider. */
export function fleetChanged(before: ShownFleet, now: ShownFleet): Problem | undefined {
  if (before.checksum === now.checksum && before.summary === now.summary) return undefined;
  return problem(
    'stale-plan',
    `the fleet has changed since the plan, and now needs another one: ${before.summary} in the plan, ${now.summary} now`,
    { hint: 'nothing was sent for this resource. Plan again, and apply that plan' },
  );
}
