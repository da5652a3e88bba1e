import { once } from '../../lib/once.ts';
import type { Diff } from '../difference/compare.ts';
import { worthRefreshing } from '../intents/pending-installs.ts';
import type { Forecast } from '../types/forecast.ts';
import { defaultBatchSize, type PlanInputs } from '../types/plan-inputs.ts';
import type { Step } from '../types/step.ts';
import { forecastSeconds, longestChain } from './forecast.ts';
import type { Ordering } from './order.ts';
import { orderChanges } from './order-changes.ts';
import { makeSteps } from './steps.ts';

export interface PlanOrder {
  readonly ordering: Ordering;
  /** Made on first use: the totals of a plan do not need them. */
  steps(): readonly Step[];
  readonly forecast?: Forecast | undefined;
}

/** The fewest calls, or with `fast` the order in which long chains are cut. The forecast shows the cost of both. */
export function orderPlan(difference: Diff, inputs: PlanInputs): PlanOrder {
  const cheapest = inOrder(difference, inputs, orderChanges(difference, inputs));
  const { pace } = inputs;
  if (pace === undefined) return cheapest;
  const longest = longestChain(cheapest.steps().length, cheapest.ordering.components, pace);
  const fastest =
    longest === undefined ? cheapest : inOrder(difference, inputs, orderChanges(difference, inputs, longest));
  const costOf = ({ steps }: PlanOrder) => ({
    calls: steps().length,
    seconds: forecastSeconds(steps(), pace),
  });
  const forecast = { pace, fewestCalls: costOf(cheapest), fast: costOf(fastest) };
  return { ...(inputs.fast === true ? fastest : cheapest), forecast };
}

function inOrder(difference: Diff, inputs: PlanInputs, ordering: Ordering): PlanOrder {
  const { desired, batchSize = defaultBatchSize, deleteFirst = false } = inputs;
  const { changes, changeOf, pendingInstalls } = difference;
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
  return { ordering, steps };
}
