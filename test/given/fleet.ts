import {
  type Group,
  type GroupId,
  type HostId,
  type Observed,
  type ObservedHost,
  observe,
  toGroupId,
  toHostId,
} from '../../src/core/model/observed.ts';

export const at = '2026-11-21T09:00:00Z';

export function hostId(text: string | number): HostId {
  const id = toHostId(String(text));
  if (id === undefined) throw new Error(`not a host id: ${text}`);
  return id;
}

export function groupId(text: string | number): GroupId {
  const id = toGroupId(String(text));
  if (id === undefined) throw new Error(`not a group id: ${text}`);
  return id;
}

export interface GivenHost {
  readonly id: string | number;
  readonly name: string | null;
  readonly group?: string | number;
  readonly online?: boolean;
  readonly stateChangedAt?: string;
  readonly antivirus?: 'installed' | 'missing' | 'unsupported';
}

/** Hosts with these names and the ids 1, 2, 3 and so on, or the entries that give them these names. */
export function named<Name extends string | null>(...names: readonly Name[]) {
  return names.map((name, index) => ({ id: index + 1, name }));
}

/** An observed fleet; hosts without a group are in no group. */
export function givenFleet(
  hosts: readonly GivenHost[],
  groups: Readonly<Record<string, string>> = {},
): Observed {
  const withNames: Group[] = Object.entries(groups).map(([id, name]) => ({ id: groupId(id), name }));
  return observe({
    takenAt: at,
    lists: [{ list: 'hosts-with-groups', at }],
    groups: [{ id: groupId(-1), name: null }, ...withNames],
    hosts: hosts.map(toObserved),
  });
}

function toObserved({ id, name, group, online, stateChangedAt, antivirus }: GivenHost): ObservedHost {
  return {
    id: hostId(id),
    name,
    groupId: groupId(group ?? -1),
    online: online ?? true,
    ...(stateChangedAt === undefined ? {} : { stateChangedAt }),
    ...(antivirus === undefined
      ? {}
      : { antivirus: { installed: antivirus === 'installed', supported: antivirus !== 'unsupported' } }),
  };
}
