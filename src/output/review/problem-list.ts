import { printable } from '../../core/lib/printable.ts';
import { formatPlace, type Problem, type Severity } from '../../core/problem/problem.ts';
import type { TextStyle } from './color.ts';
import { renderProblem } from './problem-text.ts';

/** The number of problems shown for each severity; the rest is counted. */
const most: Readonly<Record<Severity, number>> = { error: 50, warning: 20, note: 10 };

/** Problems of one severity as blocks of lines: errors and warnings with their source line, notes on one line each. */
export function paintProblems(
  problems: readonly Problem[],
  options: TextStyle,
): readonly (readonly string[])[] {
  const severity = problems[0]?.severity;
  if (severity === undefined) return [];
  const shown = problems.slice(0, most[severity]);
  const left = problems.length - shown.length;
  const more = left === 0 ? [] : [options.color.dim(`… and ${left} more like this`)];
  if (severity === 'note') return [[...shown.map((each) => noteLine(each, options)), ...more]];
  const blocks = shown.map((each) => [renderProblem(each, options).trimEnd()]);
  return more.length === 0 ? blocks : [...blocks, more];
}

/** A problem on one line, with its place and its hint. */
export function noteLine({ message, place, hint }: Problem, { color }: Pick<TextStyle, 'color'>): string {
  const where = place === undefined ? '' : color.dim(` (${printable(formatPlace(place))})`);
  const way = hint === undefined ? '' : color.dim(`; ${printable(hint)}`);
  return `${color.cyan('note')}: ${printable(message)}${where}${way}`;
}
