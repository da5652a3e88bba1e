import { grouped, printable } from '../../core/lib/words.ts';
import type { Comparison, IntendedChange } from '../../core/plan/types/comparison.ts';
import type { Color, TextStyle } from './color.ts';
import { changeVerbs, comparisonLine, comparisonParts } from './comparison.ts';
import { shownName } from './step-title.ts';
import { layOut } from './table.ts';

/** A reviewer needs all changes of the pull request, but only this many of the pending ones are shown. */
const mostShown = 50;

/** The three-way review for a terminal, in blocks of lines. */
export function paintComparison(
  comparison: Comparison,
  { color, columns }: TextStyle,
): readonly (readonly string[])[] {
  const parts = comparisonParts(comparison).map(({ title, changes }) => {
    const shown = changes.slice(0, mostShown).map((change) => cells(change, color));
    const more = changes.length - shown.length;
    return [
      color.bold(`${title} (${changes.length})`),
      ...layOut(shown, { columns: ['fixed', 'name', 'name', 'extra'], indent: 2, width: columns }),
      ...(more > 0 ? [color.dim(`  … and ${grouped(more)} more`)] : []),
    ];
  });
  return [...parts, [comparisonLine(comparison, printable(comparison.base))]];
}

function cells({ kind, hostId, name, to }: IntendedChange, color: Color) {
  return [
    { text: changeVerbs[kind] },
    { text: shownName(name) },
    { text: targetWords(kind, to) },
    { text: hostId, paint: color.dim },
  ];
}

function targetWords(kind: IntendedChange['kind'], to: string | null): string {
  if (kind === 'rename') return `→ ${printable(to ?? '')}`;
  if (kind !== 'move') return '';
  return to === null ? '→ no group' : `→ ${printable(to)}`;
}
