import { printable } from '../../core/lib/printable.ts';
import { count, grouped } from '../../core/lib/words.ts';
import { isDoneOutcome, type StepOutcome } from '../../core/model/run-event.ts';
import { pendingCounts } from '../../core/plan/intents/pending-installs.ts';
import type { PendingCounts } from '../../core/plan/types/plan.ts';
import type { StepSummary } from '../../core/plan/types/run-summary.ts';
import { isNameStep } from '../../core/plan/types/step.ts';
import type { Problem } from '../../core/problem/problem.ts';
import type { Color, TextStyle } from './color.ts';
import { pendingBlocks } from './pending-text.ts';
import { pendingWords } from './pending-words.ts';
import { type RunReport, unverifiedHosts } from './run-report.ts';
import { shownName, stepTitle } from './step-title.ts';

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
export function paintRunSummary(report: RunReport, options: Pick<TextStyle, 'color'>): string {
  const blocks = [
    ...unfinished.flatMap((outcome) => outcomeBlock(report, outcome, options)),
    ...partlyDone(report, options),
    ...pendingBlocks(report.pendingInstalls, { ...options, columns: null }),
    foot(report, options),
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function outcomeBlock(
  { steps, interrupted }: RunReport,
  outcome: Unfinished,
  { color }: Pick<TextStyle, 'color'>,
): readonly (readonly string[])[] {
  const hit = steps.filter((each) => each.outcome === outcome);
  if (hit.length === 0) return [];
  if (interrupted && outcome === 'not-started') {
    const left = `${titles[outcome]}: ${count(hit.length, 'step')}. The next apply continues with them.`;
    return [[color.yellow(color.bold(left))]];
  }
  const tint = outcome === 'failed' || outcome === 'unknown' ? color.red : color.yellow;
  const shown = hit.slice(0, most[outcome]);
  const left = hit.length - shown.length;
  return [
    [
      tint(color.bold(titles[outcome])),
      ...shown.flatMap((each) => stepLines(each, color)),
      ...(left === 0 ? [] : [color.dim(`  … and ${left} more`)]),
    ],
  ];
}

function stepLines(report: StepSummary, color: Color): readonly string[] {
  return [
    `  ${stepTitle(report.step)}${shareDone(report)}${reason(report.problem, color)}`,
    ...hostLines(report, color),
  ];
}

/** How much of a batch was done even so. */
function shareDone({ step, failedHosts, outcome }: StepSummary): string {
  if (outcome !== 'failed' || failedHosts.length === 0 || isNameStep(step)) return '';
  const done = step.hosts.length - failedHosts.length;
  return done > 0 ? ` (${grouped(done)} of ${grouped(step.hosts.length)} hosts done)` : '';
}

function hostLines({ step, failedHosts }: StepSummary, color: Color): readonly string[] {
  const names = new Map(isNameStep(step) ? [] : step.hosts.map((each) => [String(each.hostId), each.name]));
  return failedHosts.map(({ hostId, problem }) => {
    const name = names.get(hostId);
    const who = name === undefined ? `host ${hostId}` : `${shownName(name)} (host ${hostId})`;
    return `    ${who}${reason(problem, color)}`;
  });
}

/** Batches that are done except for some hosts. */
function partlyDone(
  { steps }: RunReport,
  { color }: Pick<TextStyle, 'color'>,
): readonly (readonly string[])[] {
  const hit = steps.filter((each) => isDoneOutcome(each.outcome) && each.failedHosts.length > 0);
  if (hit.length === 0) return [];
  return [
    [
      color.yellow(color.bold('Done except for some hosts')),
      ...hit.flatMap((each) => stepLines(each, color)),
    ],
  ];
}

function reason(problem: Problem | undefined, color: Color): string {
  if (problem === undefined) return '';
  const way = problem.hint === undefined ? '' : color.dim(`; ${printable(problem.hint)}`);
  return `: ${printable(problem.message)}${way}`;
}

function foot(report: RunReport, { color }: Pick<TextStyle, 'color'>): readonly string[] {
  const { steps, sent, rateLimited } = report;
  const number = (outcome: StepOutcome) => steps.filter((each) => each.outcome === outcome).length;
  const parts = [
    `${grouped(number('done'))} of ${count(steps.length, 'step')} done`,
    ...some(number('already'), 'already done'),
    ...some(number('failed'), 'failed'),
    ...some(number('unknown'), 'unknown'),
    ...some(number('skipped'), 'skipped'),
    ...some(number('not-started'), 'not started'),
    ...pendingWords(pendingCounts(report.pendingInstalls)),
  ];
  const refused = rateLimited === undefined ? 0 : total(rateLimited);
  const more = refused === 0 ? '' : `, and ${grouped(refused)} more refused by a rate limit`;
  return [
    color.bold(`Apply: ${parts.join(', ')}; ${count(total(sent), 'call')} sent${more}.`),
    verdict(report, color),
    ...(report.unrecorded.length === 0
      ? []
      : [color.red('Not recorded: a record of this run could not be written, see above.')]),
    ...(steps.length === 0 ? [] : [color.dim(`Run ${report.runId}.`)]),
  ];
}

function verdict(report: RunReport, color: Color): string {
  const { verified, interrupted, steps } = report;
  if (interrupted)
    return color.yellow('Interrupted at a safe point: run the same command again to continue.');
  if (verified === true) {
    const pending = pendingCounts(report.pendingInstalls);
    const tint = pending.installsInDoubt > 0 ? color.yellow : color.green;
    return tint(verifiedWords(pending));
  }
  if (verified === false) {
    const { length: hosts } = unverifiedHosts(report);
    const where = hosts === 0 ? '' : ` on ${count(hosts, 'host')} of this run`;
    return color.red(`Not verified: a read finds differences${where}, see above.`);
  }
  return steps.every((each) => isDoneOutcome(each.outcome))
    ? color.yellow('Not verified: the fleet could not be read again.')
    : color.yellow('Not verified, because not every step is done: plan again to see what is left.');
}

/** A requested install continues long after the run, and no read of the fleet shows that it is done. */
function verifiedWords(pending: PendingCounts): string {
  const words = pendingWords(pending);
  return words.length === 0
    ? 'Verified: the fleet matches the plan.'
    : `Verified except for ${words.join(' and ')}: see rampart hosts antivirus status.`;
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, each) => sum + each, 0);
}

function some(number: number, words: string): readonly string[] {
  return number === 0 ? [] : [`${grouped(number)} ${words}`];
}
