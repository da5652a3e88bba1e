import type { RunDetail, RunRow } from '../../../api/runs.ts';
import { listed } from '../../../core/lib/words.ts';
import { capitalized, counted, figure } from '../../../output/components/numbers.ts';
import { withTimes } from '../../../output/components/sentence-times.ts';

/** How many steps have no outcome yet. */
export function stepsLeft({ steps }: Pick<RunRow, 'steps'>): number {
  return Math.max(0, steps.total - steps.done - steps.failed - steps.in_doubt - steps.skipped);
}

/** The steps that an applied plan left out, because their hosts had changed since the plan. */
export function droppedOut({ state, steps }: Pick<RunRow, 'state' | 'steps'>): number {
  return state === 'done' ? steps.skipped : 0;
}

/** Did others change every host of the run before it could begin? Then it ends without a call. */
export function isOvertaken({ state, steps, problems }: RunDetail): boolean {
  return (
    state === 'stopped' &&
    steps.done === 0 &&
    problems.length > 0 &&
    problems.every(({ code }) => code === 'stale-plan')
  );
}

const undoable: ReadonlySet<string> = new Set(['rename', 'move']);

/** How many changes of hosts an undo can reverse. */
export function undoableHosts({ by_kind: kinds }: Pick<RunDetail, 'by_kind'>): number {
  return kinds.reduce((sum, { kind, hosts_done: done }) => sum + (undoable.has(kind) ? done : 0), 0);
}

/** The sentence at the top of a run. */
export function runVerdict(run: RunDetail): string {
  const { steps, state } = run;
  const left = stepsLeft(run);
  switch (state) {
    case 'queued':
      if (run.waits_for) {
        const { message, until } = run.waits_for;
        const end = until === undefined ? '' : ` (${withTimes(until)})`;
        return `Waits: ${message}${end}. ${counted(steps.total, 'step')} to do.`;
      }
      return `Waits for a worker. ${counted(steps.total, 'step')} to do.`;
    case 'running':
      return `${counted(steps.done, 'step')} of ${figure(steps.total)} done.`;
    case 'stopping':
      return 'Stops at the next safe point. Calls already sent are finished and recorded.';
    case 'done':
      return droppedOut(run) === 0
        ? 'All steps are done, and a read after the last call confirms it.'
        : `${counted(droppedOut(run), 'step')} of ${figure(steps.total)} dropped out: their hosts changed after the plan. A read after the last call shows all others as done.`;
    case 'failed':
      return `${capitalized(troubles(run) ?? (steps.done === 0 ? 'the run failed before its first step' : `the run failed after ${counted(steps.done, 'step')}`))}.`;
    case 'in_doubt':
      return `${capitalized(troubles(run) ?? 'not every outcome is known')}. The next check finds out what happened.`;
    case 'stopped':
      if (isOvertaken(run))
        return 'All its hosts changed after the plan, so nothing was sent. The next check plans for them again.';
      return `It was stopped. ${counted(steps.done, 'step')} done, ${figure(left + steps.skipped)} left.`;
  }
}

function troubles({ steps, installs_in_doubt: installs = 0, unverified = 0 }: RunDetail): string | null {
  const parts = [
    ...(steps.failed > 0 ? [`${counted(steps.failed, 'step')} failed`] : []),
    ...(steps.in_doubt > 0 ? [`${counted(steps.in_doubt, 'step')} in doubt`] : []),
    ...(installs > 0 ? [`${counted(installs, 'anti-virus install')} in doubt`] : []),
    ...(unverified > 0 ? [`${counted(unverified, 'host')} not verified`] : []),
    ...(steps.skipped > 0 ? [`${figure(steps.skipped)} skipped`] : []),
  ];
  return parts.length === 0 ? null : listed(parts);
}
