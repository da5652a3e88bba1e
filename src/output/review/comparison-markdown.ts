import { markdownCode } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import type { Comparison, IntendedChange } from '../../core/plan/types/plan.ts';
import { changeVerbs } from './comparison.ts';
import type { Part } from './markdown-budget.ts';
import { blockOf } from './markdown-section.ts';
import { nameOrDash } from './markdown-tables.ts';

const head = '|  | host | would become | id |\n| --- | --- | --- | --- |';

/** Changes that would happen without the change under review. No step of the plan shows them. */
export function revertedParts(comparison: Comparison | undefined): readonly Part[] {
  const reverted = comparison?.reverted ?? [];
  if (reverted.length === 0) return [];
  return [
    {
      kind: 'tail',
      section: {
        open: `<details open>\n<summary>${count(reverted.length, 'change')} that this change takes back</summary>`,
        blocks: [blockOf(reverted, { open: head, row })],
        close: '</details>',
        rest: (rows) => `… and ${count(rows, 'more change')}.`,
      },
    },
  ];
}

function row({ kind, hostId, name, to }: IntendedChange): string {
  const becomes = kind === 'rename' || kind === 'move' ? (to === null ? 'no group' : markdownCode(to)) : '';
  return `| ${changeVerbs[kind]} | ${nameOrDash(name)} | ${becomes} | ${hostId} |`;
}
