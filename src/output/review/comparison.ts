import { count, grouped } from '../../core/lib/words.ts';
import type { Comparison, IntendedChange } from '../../core/plan/types/plan.ts';

/** One part of a three-way review, computed once for all renderers. */
export interface ComparisonPart {
  readonly title: string;
  readonly changes: readonly IntendedChange[];
}

/** The effects of a change, then the changes that were already pending. Parts without changes are left out. */
export function comparisonParts(comparison: Comparison): readonly ComparisonPart[] {
  const parts = [
    { title: 'Added by this change', changes: comparison.introduced },
    { title: 'Reverted by this change', changes: comparison.reverted },
    { title: 'Drift that was already pending', changes: comparison.drift },
    { title: 'Already pending', changes: comparison.pending },
  ];
  return parts.filter(({ changes }) => changes.length > 0);
}

/** `Compared with main: 3 changes by this change, 1 taken back, 2 already pending.` */
export function comparisonLine({ introduced, reverted, drift, pending }: Comparison, base: string): string {
  const words = [
    `${count(introduced.length, 'change')} added by this change`,
    ...(reverted.length > 0 ? [`${grouped(reverted.length)} reverted`] : []),
    ...(drift.length > 0 ? [`${grouped(drift.length)} to revert drift`] : []),
    `${grouped(pending.length)} already pending`,
  ];
  return `Compared with ${base}: ${words.join(', ')}.`;
}

export const changeVerbs: Readonly<Record<IntendedChange['kind'], string>> = {
  rename: 'rename',
  move: 'move',
  antivirus: 'install',
  delete: 'delete',
};
