import type { ListName, ListRead } from '../../core/model/observed.ts';

const words: Readonly<Record<ListName, string>> = {
  'hosts-with-groups': 'hosts and groups',
  hosts: 'hosts',
  'antivirus-details': 'anti-virus',
  'custom-field-categories': 'custom-field categories',
  'custom-fields': 'custom fields',
  'hardware-inventory': 'oldest hardware inventory',
  'system-inventory': 'oldest system inventory',
};

/** The other lists that were read, each with its time; undefined if there were none. */
export function otherLists(lists: readonly ListRead[]): string | undefined {
  const others = lists.filter(({ list }) => list !== 'hosts-with-groups' && list !== 'hosts');
  if (others.length === 0) return undefined;
  return others.map(({ list, at }) => `${words[list] ?? list} at ${at}`).join('; ');
}
