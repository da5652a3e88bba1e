import { count } from '../../core/lib/words.ts';
import type { ListName } from '../../core/model/observed.ts';
import type { Plan, PlannedTable } from '../../core/plan/types/plan.ts';

const words: Readonly<Record<ListName, string>> = {
  'hosts-with-groups': 'hosts and groups',
  hosts: 'hosts',
  'antivirus-details': 'anti-virus',
  'custom-field-categories': 'custom-field categories',
  'custom-fields': 'custom fields',
  'hardware-inventory': 'oldest hardware inventory',
  'system-inventory': 'oldest system inventory',
};

/**
 * The other lists that were read, each with its time, and the tables; undefined if there were none. `show` escapes names
 * for the painter.
 */
export function alsoRead(
  { observed, tables = [] }: Pick<Plan, 'observed' | 'tables'>,
  show: (text: string) => string,
): string | undefined {
  const others = observed.lists.filter(({ list }) => list !== 'hosts-with-groups' && list !== 'hosts');
  const parts = [
    ...others.map(({ list, at }) => `${words[list] ?? list} at ${at}`),
    ...tables.map((table) => tableWords(table, show)),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

/** The first digits of a hash distinguish two exports. */
const shortHash = 12;

function tableWords(
  { name, origin, rows, hash, changedAt }: PlannedTable,
  show: (text: string) => string,
): string {
  const changed = changedAt === undefined ? '' : `, changed at ${changedAt}`;
  return `table ${show(name)} from ${show(origin)} (${count(rows, 'row')}, SHA-256 ${hash.slice(0, shortHash)}${changed})`;
}
