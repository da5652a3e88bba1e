import { printable } from '../../core/lib/words.ts';
import { formatPlace, type Problem } from '../../core/problem/problem.ts';
import { plainColor } from './color.ts';
import { blockOf, type MarkdownBlock } from './markdown-section.ts';
import { noteLine } from './problem-list.ts';
import { renderProblem } from './problem-text.ts';

// Every line within starts with a severity, a line number or an arrow, so untrusted text can't close the fence.
const fence = { open: '```text', close: '```' };

/** With the source line and a mark below it, as compilers show it. */
export function problemBlock(problems: readonly Problem[]): MarkdownBlock {
  return blockOf(problems, {
    ...fence,
    row: (each) => renderProblem(each, { color: plainColor }).trimEnd(),
  });
}

/** One line for each problem. */
export function problemLines(problems: readonly Problem[]): MarkdownBlock {
  return blockOf(problems, {
    ...fence,
    row: ({ severity, code, message, place }) => {
      const where = place === undefined ? '' : ` (${printable(formatPlace(place))})`;
      return `${severity}[${code}]: ${printable(message)}${where}`;
    },
  });
}

export function noteLines(notes: readonly Problem[]): MarkdownBlock {
  return blockOf(notes, { ...fence, row: (each) => noteLine(each, { color: plainColor }) });
}
