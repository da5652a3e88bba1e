import type { Clock } from '../../core/lib/surroundings.ts';
import { grouped } from '../../core/lib/words.ts';
import { isDoneOutcome, type StepOutcome } from '../../core/model/run-event.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { isNameStep } from '../../core/plan/types/step.ts';
import { durationWords } from '../../output/review/duration-words.ts';
import { renameComponents } from '../../output/review/rename-rows.ts';
import { componentTitle } from '../../output/review/rename-words.ts';
import { stepTitle } from '../../output/review/step-title.ts';
import type { TelemetryEvent } from '../../run/telemetry/telemetry-event.ts';
import type { Context } from '../shell/context.ts';

/** The progress of a run: one line that is overwritten on a terminal, plain lines elsewhere. */
export interface Progress {
  event(event: TelemetryEvent): void;
  end(): void;
}

/** Plans up to this size print each step; larger ones print every twentieth part, or once in half a minute. */
const smallPlan = 40;
const longSilenceMs = 30_000;

export function createProgress({ io, settings, live }: Context, plan: Plan): Progress {
  const { stderr, clock } = io;
  const { red } = settings.errColor;
  const titles = new Map<string, string>(plan.steps.map((step) => [step.id, stepTitle(step)]));
  const components = componentsByStep(plan);
  const part = plan.steps.length <= smallPlan ? 1 : Math.ceil(plan.steps.length / 20);
  const calls = createRateMeter(clock);
  const ends = createRateMeter(clock);
  const under = new Set<string>();
  let tally: Tally = { done: 0, of: plan.steps.length, failed: 0 };
  let notStarted = 0;
  let reportedAt = clock.now();

  const titleOf = (step: string) => titles.get(step.replace(/-rest$/, '')) ?? step;
  const hide = settings.quiet
    ? []
    : [
        live.show(() => tallyWords(tally, { callRate: calls.rate(), stepRate: ends.rate() })),
        live.show(() => {
          const [step] = under;
          if (step === undefined) return '';
          const component = components.get(step);
          return `${component === undefined ? '' : `${component}: `}${titleOf(step)}`;
        }, 'last'),
      ];

  function ended(step: string, outcome: StepOutcome): void {
    const failed = !isDoneOutcome(outcome);
    const line = `${failed ? red(outcome) : outcome}: ${titleOf(step)}`;
    if (live.isLive) {
      if (failed) stderr.write(`${line}\n`);
      return;
    }
    const { done, of } = tally;
    const now = clock.now();
    if (!failed && done % part !== 0 && done !== of && now - reportedAt < longSilenceMs) return;
    reportedAt = now;
    stderr.write(`[${grouped(done)}/${grouped(of)}] ${line}\n`);
  }

  return {
    event(event) {
      if (settings.quiet) return;
      if (event.type === 'call') calls.hit();
      if (event.type === 'step_start') under.add(event.step);
      // The summary counts the steps that were not started. They end before the calls in flight do.
      if (event.type === 'step_end' && event.outcome === 'not-started') notStarted += 1;
      else if (event.type === 'step_end') {
        const failed = !isDoneOutcome(event.outcome);
        under.delete(event.step);
        if (event.outcome !== 'already') ends.hit();
        tally = { done: event.done - notStarted, of: event.of, failed: tally.failed + (failed ? 1 : 0) };
        ended(event.step, event.outcome);
      }
      live.redraw();
    },
    end: () => {
      for (const each of hide) each();
    },
  };
}

interface Tally {
  readonly done: number;
  readonly of: number;
  readonly failed: number;
}

/** `12 of 340 done, 2 failed · 3.4 calls/s · 1 min 20 s left` */
function tallyWords(
  { done, of, failed }: Tally,
  { callRate, stepRate }: { readonly callRate: number; readonly stepRate: number },
): string {
  const failures = failed === 0 ? '' : `, ${grouped(failed)} failed`;
  const share = `${grouped(done)} of ${grouped(of)} done${failures}`;
  if (done === of) return share;
  const rate = callRate === 0 ? '' : ` · ${callRate.toFixed(1)} calls/s`;
  const left = stepRate === 0 ? '' : ` · ${durationWords(((of - done) / stepRate) * 1000)} left`;
  return `${share}${rate}${left}`;
}

/** The chain or cycle of each step; steps on their own are not included. */
function componentsByStep(plan: Plan): ReadonlyMap<string, string> {
  const byHost = new Map<string, string>();
  for (const component of renameComponents(plan.steps)) {
    const title = componentTitle(component)?.replace(', in this order', '');
    if (title !== undefined) for (const row of component.rows) byHost.set(row.hostId, title);
  }
  return new Map(
    plan.steps.flatMap((step) => {
      const title = isNameStep(step) ? byHost.get(step.hostId) : undefined;
      return title === undefined ? [] : [[step.id, title] as const];
    }),
  );
}

/** Measures a current frequency. */
interface RateMeter {
  hit(): void;
  /** Occurrences per second over the last seconds; 0 before the first measurement. */
  rate(): number;
}

const windowMs = 15_000;

/** In a shorter time, one occurrence more or less would change too much. */
const shortestMs = 1000;

function createRateMeter(clock: Clock): RateMeter {
  const start = clock.now();
  let hits: number[] = [];
  return {
    hit() {
      const now = clock.now();
      hits.push(now);
      const [oldest = now] = hits;
      if (oldest < now - 2 * windowMs) hits = hits.filter((at) => at > now - windowMs);
    },
    rate() {
      const now = clock.now();
      const span = Math.min(windowMs, now - start);
      if (span < shortestMs) return 0;
      return (hits.filter((at) => at > now - span).length * 1000) / span;
    },
  };
}
