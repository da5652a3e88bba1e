import { once } from '../../lib/once.ts';
import { createPriorityQueue } from '../../lib/priority-queue.ts';
import type { Diff } from '../difference/compare.ts';
import { worthRefreshing } from '../intents/pending-installs.ts';
import type { Forecast, Pace } from '../types/forecast.ts';
import { defaultBatchSize, type PlanInputs } from '../types/plan-inputs.ts';
import { isNameStep, type Step } from '../types/step.ts';
import { openUp } from './open-up.ts';
import type { Ordering } from './order.ts';
import { orderChanges } from './order-changes.ts';
import { stepHeights } from './step-heights.ts';
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

/** Seconds until the last response if calls are sent at the pace, those with the most successors first. */
function forecastSeconds(steps: readonly Step[], pace: Pace): number {
  const named = steps.filter(isNameStep);
  const batches = (kind: Step['kind']) => {
    const calls = steps.filter((step) => step.kind === kind).length;
    return calls === 0 ? 0 : (calls - 1) / pace.rate + pace.latency;
  };
  const changes = Math.max(scheduleSeconds(named, pace), batches('move'), batches('refresh'));
  return Math.round((changes + batches('antivirus') + batches('delete')) * 10) / 10;
}

interface Ready {
  readonly step: Step;
  readonly height: number;
}

function scheduleSeconds(steps: readonly Step[], { rate, latency }: Pace): number {
  const heights = stepHeights(steps);
  const height = (step: Step) => heights.get(step.id) as number;
  const ready = createPriorityQueue<Ready>((a, b) => a.height > b.height);
  const running = createPriorityQueue<{ readonly step: Step; readonly ends: number }>(
    (a, b) => a.ends < b.ends,
  );
  const makeReady = (step: Step) => ready.push({ step, height: height(step) });
  const behind = openUp(steps, (id) => !heights.has(id), makeReady);
  let now = 0;
  let last = 0;
  for (;;) {
    const soonest = running.peek();
    const next = ready.peek();
    if (next === undefined || (soonest !== undefined && soonest.ends <= now)) {
      const ended = running.pop();
      if (ended === undefined) return last;
      now = Math.max(now, ended.ends);
      for (const step of behind(ended.step.id)) makeReady(step);
      continue;
    }
    ready.pop();
    last = now + latency;
    running.push({ step: next.step, ends: last });
    now += 1 / rate;
  }
}
