import { markdownCode } from '../../core/lib/markdown-escape.ts';
import type { Comparison, IntendedChange } from '../../core/plan/types/comparison.ts';
import { changeVerbs, comparisonParts } from './comparison.ts';
import { count } from './count.ts';
import type { Part } from './markdown-budget.ts';
import { blockOf } from './markdown-section.ts';
import { nameOf } from './markdown-tables.ts';

const head = '|  | host | becomes | id |\n| --- | --- | --- | --- |';

/** The three-way review as parts that may be cut to fit. The part with the change's own effects is unfolded. */
export function comparisonSections(comparison: Comparison): readonly Part[] {
  return comparisonParts(comparison).map(({ title, changes }, index) => {
    const open = index === 0 ? `### ${title}` : `<details><summary>${title} (${changes.length})</summary>`;
    return {
      kind: 'tail',
      section: {
        open,
        blocks: [blockOf(changes, { open: head, row })],
        ...(index === 0 ? {} : { close: '</details>' }),
        rest: (rows) => `… and ${count(rows, 'more change')}.`,
      },
    };
  });
}

function row({ kind, hostId, name, to }: IntendedChange): string {
  const becomes = kind === 'rename' || kind === 'move' ? (to === null ? 'no group' : markdownCode(to)) : '';
  return `| ${changeVerbs[kind]} | ${nameOf(name)} | ${becomes} | ${hostId} |`;
}
