import type { Desired } from '../../model/desired.ts';
import type { Plan } from '../types/plan.ts';
import type { HostDifference } from './compare.ts';

/** The tables of a plan, with the number of hosts that each gives a name. */
export function plannedTables(
  { tables }: Pick<Desired, 'tables'>,
  changes: readonly HostDifference[],
): Pick<Plan, 'tables'> {
  if (tables === undefined) return {};
  const names = changes.map(({ claims: { name } }) => (name?.kind === 'rule' ? (name.cells ?? []) : []));
  return {
    tables: tables.map(({ name, origin, rows, hash, changedAt }) => ({
      name,
      origin,
      rows: rows.count,
      hash,
      ...(changedAt === undefined ? {} : { changedAt }),
      named: names.filter((cells) => cells.some(({ table }) => table === name)).length,
    })),
  };
}
