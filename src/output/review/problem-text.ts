import { displayWidth } from '../../core/lib/display-width.ts';
import { printable } from '../../core/lib/printable.ts';
import { countIfAny, grouped } from '../../core/lib/words.ts';
import {
  formatPlace,
  type Place,
  type Problem,
  type Severity,
  severities,
} from '../../core/problem/problem.ts';
import { type Color, plainStyle, type TextStyle } from './color.ts';
import { endOf, startOf } from './shorten.ts';

/** How many problems are shown in full. */
const mostShown = 50;
const mostRelated = 3;
const tabWidth = 4;
/** The narrowest excerpt of a line. */
const leastRoom = 20;

/** All problems, errors first, and a last line that counts them. Empty if there are none. */
export function renderProblems(problems: readonly Problem[], options: TextStyle): string {
  if (problems.length === 0) return '';
  const sorted = severities.flatMap((severity) => withSeverity(problems, severity));
  const rendered = sorted.slice(0, mostShown).map((each) => renderProblem(each, options));
  if (sorted.length > mostShown) rendered.push(`… and ${grouped(sorted.length - mostShown)} more\n`);
  return `${rendered.join('\n')}\n${countLine(problems)}\n`;
}

/** The same without color. */
export function plainProblems(problems: readonly Problem[]): string {
  return renderProblems(problems, plainStyle);
}

/**
 * One problem, with the line it is about:
 *
 *     error[unknown-key]: unknown key "gruop"
 *       --> fleet.yaml:7:5
 *        |
 *      7 |     gruop: Berlin
 *        |     ^^^^^
 *        = did you mean "group"?
 */
export function renderProblem(problem: Problem, { color, columns }: TextStyle): string {
  const { place } = problem;
  const related = (problem.related ?? []).slice(0, mostRelated);
  const unshown = (problem.related?.length ?? 0) - related.length;
  const digits = Math.max(1, ...[place, ...related].map((each) => String(each?.line ?? '').length));
  const bar = ` ${' '.repeat(digits)} ${color.blue('|')}`;
  const room = columns === null ? null : Math.max(leastRoom, columns - ' | '.length - 1 - digits);
  const title = `${problem.severity}[${problem.code}]`;
  const [first = '', ...others] = wrapped(printable(problem.message), columns, title.length + ': '.length);
  const lines = [
    `${color.bold(severityTint(problem.severity, color)(title))}${color.bold(`: ${first}`)}`,
    ...others.map((line) => color.bold(`  ${line}`)),
  ];
  if (place !== undefined) lines.push(...snippet(place, '-->', '^'));
  for (const each of related) lines.push(...snippet(each, ':::', '-'));
  if (unshown > 0) lines.push(`${' '.repeat(digits)} ${color.blue(':::')} and ${unshown} more`);
  if (problem.hint !== undefined) {
    const [start = '', ...rest] = wrapped(printable(problem.hint), columns, digits + ' = '.length + 1);
    const blank = ' '.repeat(digits);
    lines.push(` ${blank} ${color.blue('=')} ${start}`, ...rest.map((line) => ` ${blank}   ${line}`));
  }
  return `${lines.join('\n')}\n`;

  function snippet(at: Place, arrow: string, mark: string): readonly string[] {
    const head = `${' '.repeat(digits)} ${color.blue(arrow)} ${printable(formatPlace(at))}`;
    if (at.text === undefined) return [head];
    const { line, before, width } = sourceLine(at, room);
    const underline = (mark === '^' ? severityTint(problem.severity, color) : color.blue)(mark.repeat(width));
    return [
      head,
      bar,
      ` ${color.blue(String(at.line).padStart(digits))} ${color.blue('|')}${line === '' ? '' : ` ${line}`}`,
      `${bar} ${' '.repeat(before)}${underline}`,
    ];
  }
}

/** The line as it is shown, around the mark if it is too long, and the position of the mark in cells. */
function sourceLine(
  place: Place,
  room: number | null,
): { readonly line: string; readonly before: number; readonly width: number } {
  const text = place.text ?? '';
  const from = place.textCol ?? 1;
  const start = place.col - from;
  const cut = from > 1 ? '…' : '';
  const before = cut + shown(text.slice(0, start), cut.length);
  const marked = shown(text.slice(start, start + (place.width ?? 1)), displayWidth(before));
  const after = shown(text.slice(start + (place.width ?? 1)), displayWidth(before + marked)).trimEnd();
  const parts = { before, marked, after };
  const fitting = room === null ? parts : fitLine(parts, room);
  return {
    line: `${fitting.before}${fitting.marked}${fitting.after}`.trimEnd(),
    before: displayWidth(fitting.before),
    width: Math.max(1, displayWidth(fitting.marked)),
  };
}

interface LineParts {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
}

/** The mark and as much of the line around it as fits. At most half of the space goes to what precedes the mark. */
function fitLine({ before, marked, after }: LineParts, room: number): LineParts {
  const mark = startOf(marked, room - 2 * Math.min(1, displayWidth(before)));
  const rest = room - displayWidth(mark);
  const left = endOf(before, Math.max(Math.ceil(rest / 2), rest - displayWidth(after)));
  return { before: left, marked: mark, after: startOf(after, rest - displayWidth(left)) };
}

/** A sentence on lines that fit next to a margin. Words are not split, so that paths can be copied. */
function wrapped(text: string, columns: number | null, margin: number): readonly string[] {
  if (columns === null) return [text];
  const room = Math.max(leastRoom, columns - margin);
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && displayWidth(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Text from the file made safe, with tabs expanded to blanks. */
function shown(text: string, column: number): string {
  let line = '';
  for (const [index, part] of text.split('\t').entries()) {
    if (index > 0) line += ' '.repeat(tabWidth - ((column + displayWidth(line)) % tabWidth));
    line += printable(part);
  }
  return line;
}

/** The color in which everyone shows problems of a severity. */
export function severityTint(severity: Severity, color: Color): (text: string) => string {
  return { error: color.red, warning: color.yellow, note: color.cyan }[severity];
}

function withSeverity(problems: readonly Problem[], severity: Severity): readonly Problem[] {
  return problems.filter((each) => each.severity === severity);
}

function countLine(problems: readonly Problem[]): string {
  return severities
    .flatMap((severity) => countIfAny(withSeverity(problems, severity).length, severity))
    .join(', ');
}
