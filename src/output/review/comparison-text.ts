import { printable } from '../../core/lib/printable.ts';
import type { Comparison, IntendedChange } from '../../core/plan/types/comparison.ts';
import type { Colour } from './colour.ts';
import { changeVerbs, comparisonLine, comparisonParts } from './comparison.ts';
import { shownName } from './step-title.ts';
import { layOut } from './table.ts';

export interface ComparisonOptions {
  readonly colour: Colour;
  /** The width of the terminal in columns; null for no limit. */
  readonly columns: number | null;
}

/** A reviewer needs all changes of the pull request, but only this many of the pending ones are shown. */
const mostShown = 50;

/** The three-way review for a terminal, in blocks of lines. */
export function paintComparison(
  comparison: Comparison,
  { colour, columns }: ComparisonOptions,
): readonly (readonly string[])[] {
  const parts = comparisonParts(comparison).map(({ title, changes }) => {
    const shown = changes.slice(0, mostShown).map((change) => cells(change, colour));
    const more = changes.length - shown.length;
    return [
      colour.bold(`${title} (${changes.length})`),
      ...layOut(shown, { columns: ['fixed', 'name', 'name', 'extra'], indent: 2, width: columns }),
      ...(more > 0 ? [colour.dim(`  … and ${more} more`)] : []),
    ];
  });
  return [...parts, [comparisonLine(comparison, printable(comparison.base))]];
}

function cells({ kind, hostId, name, to }: IntendedChange, colour: Colour) {
  return [
    { text: changeVerbs[kind] },
    { text: shownName(name) },
    { text: targetWords(kind, to) },
    { text: hostId, paint: colour.dim },
  ];
}

function targetWords(kind: IntendedChange['kind'], to: string | null): string {
  if (kind === 'rename') return `→ ${printable(to ?? '')}`;
  if (kind !== 'move') return '';
  return to === null ? '→ no group' : `→ ${printable(to)}`;
}
