import type { Clock } from '../../core/lib/surroundings.ts';
import type { ObservedHost } from '../../core/model/observed.ts';
import { expectationOf } from '../../core/plan/ordering/steps.ts';
import type { BatchMember, Reason, Step, StepId } from '../../core/plan/types/step.ts';
import { createLatestRead, type Reread } from '../../run/apply/latest-read.ts';
import type { Learned } from '../../run/apply/name-step.ts';
import { createStepRunner } from '../../run/apply/run-step.ts';
import type { StepResult } from '../../run/apply/step-result.ts';
import type { FleetWriter } from '../../service/wire/fleet.ts';
import type { LatestObservation } from './latest-observation.ts';
import type { OperationTracker } from './operation-tracker.ts';
import { nowhere } from './small-desired.ts';

export interface StepSurroundings {
  readonly observation: LatestObservation;
  readonly reread: Reread;
  readonly learned: Learned;
  readonly operations: OperationTracker;
  readonly clock: Clock;
}

/**
 * Executes one step as the engine does: shared reads settle lost replies and conflicts, and nothing is sent for a host
 * that someone else has changed since the step was made.
 */
export async function runSingleStep(
  step: Step,
  { observation, reread, learned, operations, clock }: StepSurroundings,
  stop: AbortSignal,
  writer: FleetWriter = observation.writer,
): Promise<StepResult> {
  const latestRead = createLatestRead([step], observation.readAt);
  const unwatch = observation.watch(latestRead);
  const sent = operations.send();
  try {
    const run = createStepRunner({
      writer,
      reread,
      latestRead,
      learned,
      stop,
      clock,
      done: new Map(),
    });
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

export function toMember(host: ObservedHost): BatchMember {
  return { hostId: host.id, name: host.name, reason, expects: expectationOf(host), hazards: [] };
}
