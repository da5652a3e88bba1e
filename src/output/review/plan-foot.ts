import { count } from '../../core/lib/words.ts';
import { type Forecast, type Rehearsal, type RehearsedRun } from '../../core/plan/types/forecast.ts';
import { isEmpty, type Plan } from '../../core/plan/types/plan.ts';
import type { TextStyle } from './color.ts';
import { durationWords } from './duration-words.ts';
import { callsLine, type PlanRows, summaryLine } from './rows.ts';

/** The last lines of a plan: approved limits, blocking problems, totals, calls and their duration. */
export function paintFoot(rows: PlanRows, { color }: Pick<TextStyle, 'color'>): readonly string[] {
  const { plan, standing } = rows;
  const tint = standing?.tone === 'good' ? color.green : color.yellow;
  const errors = rows.problems.error.length;
  const calls = callsLine(plan);
  return [
    ...liftedLimits(plan).map(color.yellow),
    ...(standing === undefined ? [] : [tint(color.bold(standing.text))]),
    ...(errors === 0
      ? []
      : [color.red(color.bold(`This plan can't be applied: ${count(errors, 'error')} above.`))]),
    standing !== undefined ? color.dim(summaryLine(plan)) : color.bold(summaryLine(plan)),
    ...(calls === undefined ? [] : [calls]),
    ...outlook(plan).map(color.dim),
  ];
}

export function liftedLimits({ breaches }: Plan): readonly string[] {
  return breaches
    .filter((breach) => breach.acknowledged)
    .map(
      ({ limit, count: number, allowed }) =>
        `--ack ${limit}=${number} approves more than the limit of ${allowed} for ${limit}.`,
    );
}

/** The expected duration of the plan, and the outcome of its rehearsal. */
export function outlook(plan: Plan): readonly string[] {
  const { forecast, rehearsal, calls } = plan;
  return [
    ...(forecast === undefined || isEmpty(plan) ? [] : [forecastLine(forecast, calls.planned)]),
    ...(rehearsal === undefined ? [] : rehearsalLines(rehearsal)),
  ];
}

function forecastLine({ pace, seconds }: Forecast, calls: number): string {
  const rate = Math.round(pace.rate * 10) / 10;
  return `About ${durationWords(seconds * 1000)} with ${count(calls, 'call')} at ${rate} calls per second.`;
}

function rehearsalLines({ withoutFaults, withFaults }: Rehearsal): readonly string[] {
  return [`Rehearsed: ${runWords(withoutFaults)}.`, `Rehearsed with faults: ${runWords(withFaults)}.`];
}

function runWords({ calls, conflicts, refusals, minutes, converged }: RehearsedRun): string {
  const parts = [
    `${count(calls, 'call')} in about ${durationWords(minutes * 60_000)}`,
    ...(conflicts === 0 ? [] : [count(conflicts, 'conflict')]),
    ...(refusals === 0 ? [] : [`${refusals} refused by a limit`]),
    converged ? 'converged' : 'did not converge',
  ];
  return parts.join(', ');
}
