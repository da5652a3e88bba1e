import type { RunEvent } from '../model/run-event.ts';
import type { Plan } from '../plan/plan.ts';
import { durationWords } from '../review/duration-words.ts';
import { stepTitle } from '../review/step-title.ts';
import type { Context } from './context.ts';

/** How a run goes: one line that is written over on a terminal, plain lines elsewhere. */
export interface Progress {
  event(event: RunEvent): void;
  end(): void;
}

/** Plans up to this size tell each step; larger ones every twentieth part. */
const smallPlan = 40;
const redrawMs = 100;

export function createProgress({ io, settings }: Context, plan: Plan): Progress {
  const { stderr, clock } = io;
  const titles = new Map<string, string>(plan.steps.map((step) => [step.id, stepTitle(step)]));
  const part = plan.steps.length <= smallPlan ? 1 : Math.ceil(plan.steps.length / 20);
  const start = clock.now();
  let drawnAt = 0;
  let drawn = false;

  const clear = () => {
    if (drawn) stderr.write('\r\u001b[K');
    drawn = false;
  };
  const remaining = (done: number, of: number) => {
    const elapsed = clock.now() - start;
    return done === 0 || elapsed < 1000 ? '' : `, ${durationWords((elapsed / done) * (of - done))} left`;
  };

  return {
    event(event) {
      if (settings.quiet || event.type !== 'step_end') return;
      const { done, of, outcome, step } = event;
      const title = titles.get(step) ?? step;
      const failed = outcome !== 'done' && outcome !== 'already';
      if (stderr.isTerminal) {
        if (failed) {
          clear();
          stderr.write(`${settings.errColour.red(outcome)} ${title}\n`);
        }
        if (clock.now() - drawnAt < redrawMs && done < of) return;
        drawnAt = clock.now();
        clear();
        stderr.write(cutTo(`${done} of ${of}${remaining(done, of)}  ${title}`, stderr.columns));
        drawn = true;
        return;
      }
      if (failed || done % part === 0 || done === of) stderr.write(`[${done}/${of}] ${outcome}: ${title}\n`);
    },
    end: clear,
  };
}

function cutTo(text: string, columns: number | null): string {
  return columns === null || text.length < columns ? text : text.slice(0, columns - 1);
}
