import { type Problem, problem } from '../../../core/problem/problem.ts';
import type { ShownPlan } from '../../fleet/approved-plans.ts';
import type { Value } from '../../protocol/value/value.ts';
import { partsOfDesired } from './fleet-rules.ts';
import type { FleetConfig, FleetState } from './fleet-values.ts';

type Shown = Pick<FleetState, 'checksum' | 'summary'>;

const argumentNames = [
  'content',
  'file',
  'acks',
  'skip_blocked',
  'delete_first',
  'strict',
  ...partsOfDesired,
] as const;

/** A plan without changes shows the values of the latest apply. */
export const nothingShown: Shown = { checksum: '', summary: 'no changes' };

/** What a plan shows of a whole fleet. The latest apply distinguishes plans of the same desired state. */
export function shownFleet(
  config: FleetConfig,
  prior: Pick<FleetState, 'applied_at'> | null,
  { checksum, summary }: Shown,
): ShownPlan {
  const values = argumentNames.map((name) => config[name] as Value);
  return {
    resource: `rampart_fleet ${JSON.stringify([values, prior?.applied_at ?? null])}`,
    shown: JSON.stringify({ checksum, summary }),
  };
}

/** The fleet is not as the approved plan showed it. */
export function fleetChanged(approved: ShownPlan, now: Shown): Problem {
  const { summary } = JSON.parse(approved.shown) as Shown;
  return problem(
    'stale-plan',
    `the fleet has changed since the plan, and now needs another one: ${summary} in the plan, ${now.summary} now`,
    { hint: 'nothing was sent for this resource. Plan again, and apply that plan' },
  );
}
