import { count, grouped } from '../../core/lib/words.ts';
import type { Comparison, IntendedChange } from '../../core/plan/types/plan.ts';
import type { ReportedPlan } from './account-report.ts';

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

/** The number of changes of each part. */
export type ComparisonCounts = Omit<NonNullable<ReportedPlan['comparison']>, 'base'>;

export function comparisonCounts({ introduced, pending, drift, reverted }: Comparison): ComparisonCounts {
  return {
    introduced: introduced.length,
    pending: pending.length,
    drift: drift.length,
    reverted: reverted.length,
  };
}

/** `Compared with main: 3 changes added by this change, 1 reverted, 2 already pending.` */
export function comparisonLine(
  { introduced, reverted, drift, pending }: ComparisonCounts,
  base: string,
): string {
  const words = [
    `${count(introduced, 'change')} added by this change`,
    ...(reverted > 0 ? [`${grouped(reverted)} reverted`] : []),
    ...(drift > 0 ? [`${grouped(drift)} to revert drift`] : []),
    `${grouped(pending)} already pending`,
  ];
  return `Compared with ${base}: ${words.join(', ')}.`;
}

export const changeVerbs: Readonly<Record<IntendedChange['kind'], string>> = {
  rename: 'rename',
  move: 'move',
  antivirus: 'install',
  delete: 'delete',
};
