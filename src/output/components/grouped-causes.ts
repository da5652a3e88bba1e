import { fileAndLine } from '../../core/problem/problem.ts';
import type { PlanReview } from '../review/plan-review.ts';
import { figure } from './numbers.ts';

/** What requests changes, and how many hosts it changes. */
type PlanCause = PlanReview['causes'][number];

/** The causes of a plan, with the entries of each file as one: a reader looks at the file. */
export function groupedCauses(causes: readonly PlanCause[]): readonly PlanCause[] {
  const entries = new Map<string, number>();
  for (const { place, title } of causes)
    if (place !== undefined && isEntry(title, place))
      entries.set(place.file, (entries.get(place.file) ?? 0) + 1);
  const grouped = new Map<string, PlanCause>();
  for (const [index, cause] of causes.entries()) {
    const { title, place, hosts } = cause;
    if (place === undefined || !isEntry(title, place) || entries.get(place.file) === 1) {
      grouped.set(String(index), cause);
      continue;
    }
    const key = `file ${place.file}`;
    const sofar = grouped.get(key)?.hosts ?? 0;
    const count = entries.get(place.file) ?? 0;
    grouped.set(key, {
      title: `${figure(count)} entries`,
      place: { file: place.file },
      hosts: sofar + hosts,
    });
  }
  return [...grouped.values()];
}

function isEntry(title: string, place: NonNullable<PlanCause['place']>): boolean {
  return title === `entry at ${fileAndLine(place)}`;
}
