import type { Reread } from '../../apply/reread.ts';
import { createStepRunner } from '../../apply/run-step.ts';
import { createSight } from '../../apply/sight.ts';
import type { StepResult } from '../../apply/step-result.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ObservedHost } from '../../model/observed.ts';
import type { BatchMember, Expectation, Reason, Step, StepId } from '../../plan/plan.ts';
import type { Picture } from './picture.ts';
import { nowhere } from './small-desired.ts';
import type { Traffic } from './traffic.ts';

export interface StepSurroundings {
  readonly picture: Picture;
  readonly reread: Reread;
  readonly traffic: Traffic;
  readonly clock: Clock;
}

/**
 * Carries out one step as the engine does: lost replies and conflicts are settled by reads that all share, and
 * nothing is sent for a host that a read shows changed by someone else since the step was made.
 */
export async function runSingleStep(
  step: Step,
  { picture, reread, traffic, clock }: StepSurroundings,
  stop: AbortSignal,
): Promise<StepResult> {
  const sight = createSight([step], picture.readAt);
  const unwatch = picture.watch(sight);
  const sent = traffic.send();
  try {
    const run = createStepRunner({ writer: picture.writer, reread, sight, stop, clock, done: new Map() });
    return await run(step, 0);
  } finally {
    unwatch();
    sent();
  }
}

const reason: Reason = nowhere;

export const singleStep = {
  id: 'terraform' as StepId,
  after: [],
  hazards: [],
  reason,
} as const;

export function expectationOf({ id, name, groupId }: ObservedHost): Expectation {
  return { hostId: id, name, groupId };
}

export function toMember(host: ObservedHost): BatchMember {
  return { hostId: host.id, name: host.name, reason, expects: expectationOf(host), hazards: [] };
}
