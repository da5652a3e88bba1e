import type { Desired, Rule } from '../../src/core/model/desired.ts';
import { type Entry, entryTable } from '../../src/core/model/entry.ts';
import type { GroupIntent } from '../../src/core/model/observed.ts';
import { defaultLimits, type Limits, noPolicy } from '../../src/core/model/policy.ts';
import { groupId, hostId } from './fleet.ts';

export interface GivenEntry {
  readonly id?: string | number;
  readonly name?: string;
  readonly current?: string;
  readonly previously?: readonly string[];
  readonly group?: string | { readonly id: string | number } | null;
  readonly antivirus?: boolean;
  readonly ensure?: 'present' | 'absent';
  readonly deleteAfter?: string;
  readonly protect?: Entry['protect'];
  readonly ignore?: Entry['ignore'];
}

/** A desired state without a file: entry N is on line N + 1 of fleet.yaml, rule N on line N + 1000. */
export function givenDesired(
  entries: readonly GivenEntry[],
  limits: Partial<Limits> = {},
  rules: readonly Rule[] = [],
): Desired {
  const built = entries.map(toEntry);
  const positionOf = (index: number) => ({ file: 'fleet.yaml', line: index + 1, col: 1 });
  return {
    files: ['fleet.yaml'],
    limits: { ...defaultLimits, ...limits },
    limitPlaces: {},
    ...entryTable(built),
    placeOf: positionOf,
    positionOf,
    rules,
    placeOfRule: (index) => ({ file: 'fleet.yaml', line: 1000 + index, col: 1 }),
    policy: noPolicy,
    knownDrift: [],
  };
}

/** Limits that stop nothing, for tests that are about something else. */
export const noLimits: Partial<Limits> = {
  delete: { kind: 'share', percent: 100 },
  missing: { kind: 'share', percent: 100 },
};

function toEntry(given: GivenEntry, index: number): Entry {
  return {
    index,
    ...(given.id === undefined ? {} : { id: hostId(given.id) }),
    ...(given.name === undefined ? {} : { name: given.name }),
    ...(given.current === undefined ? {} : { current: given.current }),
    previously: given.previously ?? [],
    ...(given.group === undefined ? {} : { group: toIntent(given.group) }),
    antivirus: given.antivirus ?? false,
    ensure: given.ensure ?? 'present',
    ...(given.deleteAfter === undefined ? {} : { deleteAfter: given.deleteAfter }),
    ...(given.protect === undefined ? {} : { protect: given.protect }),
    ...(given.ignore === undefined ? {} : { ignore: given.ignore }),
  };
}

function toIntent(group: string | { readonly id: string | number } | null): GroupIntent {
  if (group === null) return { kind: 'ungrouped' };
  return typeof group === 'string' ? { kind: 'named', name: group } : { kind: 'id', id: groupId(group.id) };
}
