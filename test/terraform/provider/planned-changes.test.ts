import { describe, expect, test } from 'vitest';
import { type GroupId, type ObservedHost, ungroupedId } from '../../../src/core/model/observed.ts';
import { LiveFleet } from '../../../src/terraform/fleet/live-fleet.ts';
import { unknownValue } from '../../../src/terraform/protocol/value/value.ts';
import type {
  HostResourceState,
  PlannedHostState,
} from '../../../src/terraform/provider/host/host-values.ts';
import { groupAsPlanned, plannedHostChanges } from '../../../src/terraform/provider/host/planned-changes.ts';
import { hostSchema } from '../../../src/terraform/provider/host/schema.ts';
import { givenFleet, groupId, hostId } from '../../given/fleet.ts';
import { emptyOf } from './given/rampart-core.ts';

const state = (values: Partial<HostResourceState>) =>
  ({ ...emptyOf(hostSchema), ...values }) as unknown as HostResourceState;
const planned = (values: Partial<PlannedHostState>) =>
  ({ ...emptyOf(hostSchema), ...values }) as unknown as PlannedHostState;
const none = { name: null, group: null, antivirus: false };
const prior = state({ name: 'A', group: 'Servers', antivirus: null });

test.each<readonly [string, string]>([
  ...['\n', '\r', '\u0085', '\u2028'].map((lineBreak) => [`WEB${lineBreak}2`, 'must be one line'] as const),
  [' \t', 'must be more than blanks'],
  [
    'WEB ~rampart~3f9a1c',
    'must be a name without "~rampart": Rampart reserves names such as "WEB ~rampart~3f9a1c" for temporary renames',
  ],
  [
    'WEB ~rampart-gone~3f9a1c',
    'must be a name without "~rampart": Rampart reserves names such as "WEB ~rampart~3f9a1c" for temporary renames',
  ],
])('the name %j of a rampart_host is refused', (name, fault) => {
  const faults = (each: string) =>
    hostSchema.attributes.name.validate.map((rule) => rule.check(each)).filter((found) => found !== null);
  expect(faults(name)).toEqual([fault]);
  // No run gives such a name, so no run treats it as a temporary name.
  expect(['WEB 2', 'WEB ~rampart~abcd', 'WEB~rampart~3f9a1c'].flatMap(faults)).toEqual([]);
});

describe('the changes of a plan', () => {
  test.each<readonly [string, Partial<PlannedHostState>, Partial<HostResourceState>, object]>([
    ['nothing', {}, {}, {}],
    ['another name', { name: 'B' }, {}, { name: 'B' }],
    ['a name that is not known', { name: unknownValue() }, {}, {}],
    ['no name anymore', { name: null }, {}, {}],
    ['another group', { group: 'Kiosks' }, {}, { group: { kind: 'named', name: 'Kiosks' } }],
    [
      'a group by its id beside its name',
      { group: 'Kiosks', group_id: '18' },
      {},
      { group: { kind: 'id', id: '18' } },
    ],
    ['no group', { group: null, group_id: '-1' }, {}, { group: { kind: 'ungrouped' } }],
    [
      'another group of the same name',
      { group_id: '18' },
      { group_id: '17' },
      { group: { kind: 'id', id: '18' } },
    ],
    ['the same id', { group_id: '17' }, { group_id: '17' }, {}],
    ['an id that is not set anymore', { group_id: null }, { group_id: '17' }, {}],
    ['an install', { antivirus: 'installed' }, {}, { antivirus: true }],
    ['an install that is there', { antivirus: 'installed' }, { antivirus: 'installed' }, {}],
    ['an install that is not managed anymore', { antivirus: null }, { antivirus: 'installed' }, {}],
  ])('%s', (_what, after, before, changes) => {
    const from = { ...prior, ...before };
    const to = planned({ name: 'A', group: 'Servers', ...after });
    expect(plannedHostChanges(to, from)).toEqual({ ...none, ...changes });
  });

  test('of an adopted host are all known ones', () => {
    const to = { name: 'A', group: 'Servers', antivirus: 'installed' };
    expect(plannedHostChanges(planned(to), null)).toEqual({
      name: 'A',
      group: { kind: 'named', name: 'Servers' },
      antivirus: true,
    });
    expect(plannedHostChanges(planned({ name: null, group: unknownValue() }), null)).toEqual(none);
  });
});

describe('the group that a plan showed a host in', () => {
  const seen = new LiveFleet(
    givenFleet(
      [
        { id: 1, name: 'A', group: 17 },
        { id: 3, name: 'C' },
      ],
      { 17: 'Servers', 18: 'Kiosks' },
    ),
  );
  const idOf = (id: number, values: Partial<HostResourceState>) => {
    const one = seen.byId(hostId(id));
    if (one === undefined) throw new Error(`no host ${id}`);
    return groupAsPlanned(seen, one, state(values));
  };

  test.each<readonly [string, number, Partial<HostResourceState>, string]>([
    ['by its id, whatever its name', 1, { group: 'Servers', group_id: '18' }, '18'],
    ['where it still is', 1, { group: 'Servers' }, '17'],
    ['where it was, by the name', 1, { group: 'Kiosks' }, '18'],
    ['none, where it is in one now', 1, { group: null }, ungroupedId],
    ['none, where it is in none', 3, { group: null }, ungroupedId],
  ])('%s', (_what, id, values, expected) => {
    expect(idOf(id, values)).toMatchObject({ ok: true, value: expected as GroupId });
  });

  test("is the host's group, if several groups have its name", () => {
    const twins = givenFleet([{ id: 1, name: 'A', group: 18 }], { 17: 'Twins', 18: 'Twins' });
    const listed = new LiveFleet(twins);
    const one = listed.byId(hostId(1)) as ObservedHost;
    expect(groupAsPlanned(listed, one, state({ group: 'Twins' }))).toMatchObject({ value: '18' });
  });

  test('is no group, even if the list does not show the hosts without a group as one', () => {
    const bare = new LiveFleet({ ...givenFleet([]), groups: [{ id: groupId(17), name: 'Servers' }] });
    const one = { id: hostId(1), name: 'A', groupId: groupId(17), online: true };
    expect(groupAsPlanned(bare, one, state({ group: null }))).toMatchObject({ value: ungroupedId });
    const unlisted = groupAsPlanned(bare, { ...one, groupId: ungroupedId }, state({ group: 'Gone' }));
    expect(unlisted.problems[0]?.message).toContain('the host is in no group');
  });

  test.each([
    [1, 'in "Servers"'],
    [3, 'in no group'],
  ])('is a problem if no group has its name, for host %d', (id, now) => {
    expect(idOf(id, { group: 'Gone' })).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'stale-plan',
          message: `the plan showed host ${id} in "Gone", and no group has that name now: the host is ${now}`,
        },
      ],
    });
  });
});
