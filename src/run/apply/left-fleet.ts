import type { Observed } from '../../core/model/observed.ts';
import { predict } from '../../core/plan/ordering/predict.ts';
import type { Step } from '../../core/plan/types/step.ts';
import type { StepSummary } from './run-summary.ts';

/** The fleet after a run that could not read it again: the earlier read with all completed steps applied. */
export function leftFleet(before: Observed, steps: readonly StepSummary[]): Observed {
  return predict(before, steps.flatMap(donePart));
}

function donePart({ step, outcome, failedHosts }: StepSummary): readonly Step[] {
  // An accepted install does not show anything about the host.
  if (step.kind === 'antivirus') return [];
  if (outcome === 'done' || outcome === 'already') return [step];
  if (step.kind === 'rename' || step.kind === 'temporary-rename' || failedHosts.length === 0) return [];
  if (outcome === 'skipped' || outcome === 'not-started') return [];
  const failed = new Set(failedHosts.map((each) => each.hostId));
  return [{ ...step, hosts: step.hosts.filter(({ hostId }) => !failed.has(hostId)) }];
}
