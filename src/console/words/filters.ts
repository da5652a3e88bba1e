import type { Health } from '../../api/accounts.ts';
import { worstFirst } from './health.ts';

/** Views of the list of accounts that people open often. A view is an address, so a link shows it to others. */
export const accountViews: readonly {
  readonly key: string;
  readonly title: string;
  readonly health: string;
}[] = [
  { key: 'all', title: 'All', health: '' },
  { key: 'attention', title: 'Needs attention', health: 'failing,in_doubt,drifted,waiting' },
];

/** The chosen healths with one more or less, in the order of their severity. */
export function toggledHealth(chosen: string, health: Health | 'unchecked'): string {
  const before = new Set(chosen.split(',').filter((each) => each !== ''));
  if (before.has(health)) before.delete(health);
  else before.add(health);
  return [...worstFirst, 'unchecked' as const].filter((each) => before.has(each)).join(',');
}

/** A label expression with one more condition. Names of labels are names of CEL. A condition in it changes nothing. */
export function withLabel(where: string, name: string, value: string): string {
  const condition = `${name} == ${JSON.stringify(value)}`;
  if (where.trim() === '') return condition;
  return where.includes(condition) ? where : `${where} && ${condition}`;
}
