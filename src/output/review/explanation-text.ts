import { printable } from '../../core/lib/printable.ts';
import type { Decider, ExplainedAttribute, Explanation } from '../../core/plan/explain.ts';
import type { Claimed } from '../../core/plan/intents/claim.ts';
import { formatPlace } from '../../core/problem/problem.ts';
import type { Color, TextStyle } from './color.ts';
import { renderProblem } from './problem-text.ts';
import { reasonCells } from './reason-cells.ts';
import { shownName, stepTitle } from './step-title.ts';

const words: Readonly<Record<Claimed, string>> = {
  name: 'name',
  group: 'group',
  antivirus: 'anti-virus',
  ensure: 'presence',
};

const margin = 12;
const verdictWidth = 'does not match'.length;

/** An explanation for a terminal: the host, each attribute with its origin, all rules, the steps, the problems. */
export function paintExplanation(explanation: Explanation, options: TextStyle): string {
  const { color } = options;
  const { host, rules, steps, waitsFor, problems } = explanation;
  const blocks = [
    [
      `${color.bold(shownName(host.name))} ${color.dim(`(host ${host.id}, ${stateWords(host)}; read at ${explanation.takenAt})`)}`,
      entryLine(explanation, color),
    ],
    explanation.attributes.flatMap((each) => attributeLines(each, color)),
    ...(rules.length === 0 ? [] : [['Rules', ...rules.map((rule) => ruleLine(rule, color))]]),
    [
      steps.length === 0 ? 'No change is planned for this host.' : 'Planned steps',
      ...steps.map((step) => `  ${step.id}  ${stepTitle(step)}`),
      ...waitsFor.map((step) => color.dim(`  after ${step.id}  ${stepTitle(step)}`)),
    ],
    ...problems.map((problem) => [renderProblem(problem, options).trimEnd()]),
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function stateWords({ online, stateChangedAt }: Explanation['host']): string {
  const since = stateChangedAt === undefined ? '' : ` since ${printable(stateChangedAt)}`;
  return `${online ? 'online' : 'offline'}${since}`;
}

function entryLine({ entry }: Explanation, color: Color): string {
  return entry === undefined
    ? color.dim('No entry in the desired state refers to this host.')
    : `Its entry is at ${printable(formatPlace(entry.place))}, matched by ${entry.by}.`;
}

function attributeLines(each: ExplainedAttribute, color: Color): readonly string[] {
  const indent = ' '.repeat(margin);
  const label = words[each.attribute].padEnd(margin);
  const { decidedBy, intended } = each;
  const observed = shown(each.attribute, each.observed);
  if (decidedBy === undefined || intended === undefined) {
    const why = each.ignored ? 'ignored by the entry' : 'not managed';
    return [`${label}${observed} ${color.dim(`(${why})`)}`, ...overruled(each, indent, color)];
  }
  const changed = intended !== each.observed;
  const value = changed ? `${observed} ${color.yellow('→')} ${shown(each.attribute, intended)}` : observed;
  return [
    `${label}${value}`,
    `${indent}${color.dim('by')} ${deciderWords(decidedBy)}`,
    ...overruled(each, indent, color),
  ];
}

function overruled(
  { overruled: losers, decidedBy, ignored }: ExplainedAttribute,
  indent: string,
  color: Color,
): readonly string[] {
  const why = ignored
    ? 'because the entry ignores the attribute'
    : decidedBy?.kind === 'rule'
      ? 'because it comes later'
      : 'because the entry takes precedence';
  return losers.map((loser) => `${indent}${color.dim(`not by ${deciderWords(loser)}, ${why}`)}`);
}

function shown(attribute: Claimed, value: string): string {
  if (value === '') return attribute === 'group' ? '(no group)' : '(no name)';
  return printable(value);
}

function deciderWords({ kind, rule, place, cells = [] }: Decider): string {
  const where = printable(formatPlace(place));
  const from = cells.length === 0 ? '' : `, with ${reasonCells({ cells }).map(printable).join(', ')}`;
  switch (kind) {
    case 'entry':
      return `the entry at ${where}`;
    case 'rule':
      return `rule ${printable(rule ?? '')} at ${where}${from}`;
    case 'temporary-name':
      return `an earlier run, which left a temporary name (rules at ${where})`;
    case 'group':
      return `the policy of its group at ${where}`;
  }
}

function ruleLine({ name, verdict, fault, place }: Explanation['rules'][number], color: Color): string {
  const paint = verdict === 'matches' ? color.green : verdict === 'no answer' ? color.red : color.dim;
  const why = fault === undefined ? '' : `: ${printable(fault)}`;
  return `  ${paint(verdict)}${' '.repeat(verdictWidth - verdict.length)}  ${printable(name)} ${color.dim(`at ${printable(formatPlace(place))}`)}${why}`;
}
