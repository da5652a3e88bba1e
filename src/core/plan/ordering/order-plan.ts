import { once } from '../../lib/once.ts';
import type { Diff } from '../difference/compare.ts';
import { worthRefreshing } from '../intents/pending-installs.ts';
import type { Forecast } from '../types/forecast.ts';
import { defaultBatchSize, type PlanInputs } from '../types/plan-inputs.ts';
import type { Step } from '../types/step.ts';
import { forecastSeconds } from './forecast.ts';
import type { Ordering } from './order.ts';
import { orderChanges } from './order-changes.ts';
import { makeSteps } from './steps.ts';

export interface PlanOrder {
  readonly ordering: Ordering;
  /** Made on first use: the totals of a plan do not need them. */
  steps(): readonly Step[];
  /** Absent while the service's pace is not known. */
  readonly forecast?: Forecast | undefined;
}

/** The order with the fewest calls. */
export function orderPlan(difference: Diff, inputs: PlanInputs): PlanOrder {
  const { desired, pace, batchSize = defaultBatchSize, deleteFirst = false } = inputs;
  const { changes, changeOf, pendingInstalls } = difference;
  const ordering = orderChanges(difference, inputs);
  const steps = once(() =>
    makeSteps({
      desired,
      changes,
      refreshes: worthRefreshing(pendingInstalls),
      changeOf,
      renames: ordering.steps,
      batchSize,
      deleteFirst,
    }),
  );
  if (pace === undefined) return { ordering, steps };
  return { ordering, steps, forecast: { pace, seconds: forecastSeconds(steps(), pace) } };
}
