import { listed, quoted } from '../../core/lib/words.ts';
import type { StackGroup } from './claim.ts';

/** A group by its name or its id, or by both if stacks use either. */
export type GroupRef = string | { readonly id: string; readonly name?: string };

/** Whether a requested group is this one: names are compared with names, and ids with ids. */
export function isGroup(ref: GroupRef, group: StackGroup | undefined): boolean {
  const { id, name } = typeof ref === 'string' ? { id: undefined, name: ref } : ref;
  if (group?.kind === 'named') return group.name === name;
  return group?.kind === 'id' && group.id === id;
}

export function stackGroupWords(group: StackGroup): string {
  switch (group.kind) {
    case 'named':
      return `the group ${quoted(group.name)}`;
    case 'id':
      return `group ${group.id}`;
    case 'ungrouped':
      return 'no group';
    case 'later':
      return 'a group that only Terraform knows';
  }
}

/** `"Kiosks", "Berlin Servers" (17) or 18` */
export function refWords(refs: readonly GroupRef[]): string {
  const words = refs.map((ref) => {
    if (typeof ref === 'string') return quoted(ref);
    return ref.name === undefined ? ref.id : `${quoted(ref.name)} (${ref.id})`;
  });
  return listed(words, 'or');
}

/** What is wrong with a list of groups; undefined if nothing is. */
export function faultOfGroups(refs: readonly GroupRef[]): string | undefined {
  for (const ref of refs) {
    const { id, name } = typeof ref === 'string' ? { id: undefined, name: ref } : ref;
    if (id === undefined && name === '') return 'a group without a name';
    if (id !== undefined && !/^-?\d+$/.test(id)) return `${quoted(id)} is not a group id`;
  }
  return undefined;
}
