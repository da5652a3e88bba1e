import { printable } from '../../core/lib/printable.ts';
import type { StepOutcome } from '../../core/model/run-event.ts';
import type { Problem } from '../../core/problem/problem.ts';
import type { Colour } from './colour.ts';
import { count } from './count.ts';
import { pendingBlocks } from './pending-text.ts';
import { isInDoubt, pendingCounts } from './pending-words.ts';
import type { RunReport, StepReport } from './run-report.ts';
import { shownName, stepTitle } from './step-title.ts';

export interface RunSummaryTextOptions {
  readonly colour: Colour;
}

/** Outcomes that a reader must check, in display order. */
const unfinished = ['failed', 'unknown', 'skipped', 'not-started'] as const;
type Unfinished = (typeof unfinished)[number];

const titles: Readonly<Record<Unfinished, string>> = {
  failed: 'Failed',
  unknown: 'Outcome unknown (the next run resolves it)',
  skipped: 'Skipped',
  'not-started': 'Not started',
};
/** How many steps of each outcome are listed. All failures are listed. */
const most: Readonly<Record<Unfinished, number>> = {
  failed: Number.POSITIVE_INFINITY,
  unknown: Number.POSITIVE_INFINITY,
  skipped: 20,
  'not-started': 20,
};

/**
 * The result of a run: each step that is not done with its reason, and the totals last. Other problems are left out.
 */
export function paintRunSummary(report: RunReport, options: RunSummaryTextOptions): string {
  const blocks = [
    ...unfinished.flatMap((outcome) => outcomeBlock(report, outcome, options)),
    ...partlyDone(report, options),
    ...pendingBlocks(report.pendingInstalls, { ...options, columns: null }),
    foot(report, options),
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function outcomeBlock(
  { steps }: RunReport,
  outcome: Unfinished,
  { colour }: RunSummaryTextOptions,
): readonly (readonly string[])[] {
  const hit = steps.filter((each) => each.outcome === outcome);
  if (hit.length === 0) return [];
  const tint = outcome === 'failed' || outcome === 'unknown' ? colour.red : colour.yellow;
  const shown = hit.slice(0, most[outcome]);
  const left = hit.length - shown.length;
  return [
    [
      tint(colour.bold(titles[outcome])),
      ...shown.flatMap((each) => stepLines(each, colour)),
      ...(left === 0 ? [] : [colour.dim(`  … and ${left} more`)]),
    ],
  ];
}

function stepLines(report: StepReport, colour: Colour): readonly string[] {
  return [
    `  ${stepTitle(report.step)}${shareDone(report)}${reason(report.problem, colour)}`,
    ...hostLines(report, colour),
  ];
}

/** How much of a batch was done even so. */
function shareDone({ step, failedHosts, outcome }: StepReport): string {
  if (
    outcome !== 'failed' ||
    failedHosts.length === 0 ||
    step.kind === 'rename' ||
    step.kind === 'temporary-rename'
  )
    return '';
  const done = step.hosts.length - failedHosts.length;
  return done > 0 ? ` (${done} of ${step.hosts.length} hosts done)` : '';
}

function hostLines({ step, failedHosts }: StepReport, colour: Colour): readonly string[] {
  const names = new Map(
    step.kind === 'rename' || step.kind === 'temporary-rename'
      ? []
      : step.hosts.map((each) => [String(each.hostId), each.name]),
  );
  return failedHosts.map(({ hostId, problem }) => {
    const name = names.get(hostId);
    const who = name === undefined ? `host ${hostId}` : `${shownName(name)} (host ${hostId})`;
    return `    ${who}${reason(problem, colour)}`;
  });
}

/** Batches that are done except for some hosts. */
function partlyDone({ steps }: RunReport, { colour }: RunSummaryTextOptions): readonly (readonly string[])[] {
  const hit = steps.filter((each) => isDone(each.outcome) && each.failedHosts.length > 0);
  if (hit.length === 0) return [];
  return [
    [
      colour.yellow(colour.bold('Done except for some hosts')),
      ...hit.flatMap((each) => stepLines(each, colour)),
    ],
  ];
}

function reason(problem: Problem | undefined, colour: Colour): string {
  if (problem === undefined) return '';
  const way = problem.hint === undefined ? '' : colour.dim(`; ${printable(problem.hint)}`);
  return `: ${printable(problem.message)}${way}`;
}

function foot(report: RunReport, { colour }: RunSummaryTextOptions): readonly string[] {
  const { steps, sent, rateLimited } = report;
  const number = (outcome: StepOutcome) => steps.filter((each) => each.outcome === outcome).length;
  const parts = [
    `${number('done')} of ${count(steps.length, 'step')} done`,
    ...some(number('already'), 'already done'),
    ...some(number('failed'), 'failed'),
    ...some(number('unknown'), 'unknown'),
    ...some(number('skipped'), 'skipped'),
    ...some(number('not-started'), 'not started'),
    ...pendingCounts(report.pendingInstalls),
  ];
  const refused = rateLimited === undefined ? 0 : total(rateLimited);
  const more = refused === 0 ? '' : `, and ${refused} more refused by a rate limit`;
  return [
    colour.bold(`Apply: ${parts.join(', ')}; ${count(total(sent), 'call')} sent${more}.`),
    verdict(report, colour),
    ...(steps.length === 0 ? [] : [colour.dim(`Run ${report.runId}.`)]),
  ];
}

function verdict({ verified, interrupted, steps, pendingInstalls }: RunReport, colour: Colour): string {
  if (interrupted)
    return colour.yellow('Interrupted at a safe point: run the same command again to continue.');
  if (verified === true) {
    const tint = isInDoubt(pendingInstalls) ? colour.yellow : colour.green;
    return tint(verifiedWords(pendingInstalls));
  }
  if (verified === false) return colour.red('Verification still finds differences: see above.');
  return steps.every((each) => isDone(each.outcome))
    ? colour.yellow('Not verified: the fleet could not be read again.')
    : colour.yellow('Not verified, because not every step is done: plan again to see what is left.');
}

/** A requested install continues long after the run, and no read of the fleet shows that it is done. */
function verifiedWords(pending: RunReport['pendingInstalls']): string {
  return pending.length === 0
    ? 'Verified: the fleet matches the plan.'
    : `Verified except for ${pendingCounts(pending).join(' and ')}: see rampart antivirus status.`;
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, each) => sum + each, 0);
}

function isDone(outcome: StepOutcome): boolean {
  return outcome === 'done' || outcome === 'already';
}

function some(number: number, words: string): readonly string[] {
  return number === 0 ? [] : [`${number} ${words}`];
}
