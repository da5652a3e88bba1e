import { describe, expect, it, test } from 'vitest';
import { noFacts } from '../../../../src/core/model/facts.ts';
import type { HostDifference } from '../../../../src/core/plan/difference/compare.ts';
import { groupLimits } from '../../../../src/core/plan/guards/group-limits.ts';
import { describeChanges, plannedChanges } from '../../../../src/core/plan/guards/planned-changes.ts';
import { protectionProblems } from '../../../../src/core/plan/guards/protect.ts';
import { describeGroup } from '../../../../src/core/plan/intents/groups.ts';
import { givenDesired } from '../../../given/desired.ts';
import { givenFleet, groupId, hostId } from '../../../given/fleet.ts';

const groups = { 17: 'Berlin' };
const fleet = givenFleet(
  [
    { id: 1, name: 'A', group: 17 },
    { id: 2, name: 'B' },
    { id: 3, name: null },
  ],
  groups,
);
const changeOf = (id: number, parts: Partial<HostDifference>): HostDifference => {
  const host = fleet.byId(hostId(id));
  if (host === undefined) throw new Error(`no host ${id}`);
  return { host, antivirus: false, delete: false, claims: {}, ...parts };
};
const berlin = { id: groupId(17), name: 'Berlin' };
const noGroup = { id: groupId(-1), name: null };
const place = { file: 'fleet.yaml', line: 2, col: 3 };

describe('an entry that protects its host', () => {
  const desired = {
    ...givenDesired([{ id: 1, protect: ['delete', 'rename', 'move'] }]),
    placeOf: (line: number, file = '') => ({ file, line, col: 1 }),
  };
  const problemsOf = (parts: Partial<HostDifference>) =>
    protectionProblems(desired, [changeOf(1, { entryIndex: 0, ...parts })]).map(({ message }) => message);

  test.each<[string, Partial<HostDifference>, readonly string[]]>([
    ['deleted', { delete: true }, ['deleted']],
    ['renamed', { rename: 'X' }, ['renamed']],
    ['moved', { move: noGroup }, ['moved']],
    ['given the anti-virus', { antivirus: true }, []],
    ['renamed and moved', { rename: 'X', move: noGroup }, ['renamed', 'moved']],
  ])('%s', (_what, parts, verbs) => {
    expect(problemsOf(parts)).toEqual(verbs.map((verb) => `"A" (1) is protected, and would be ${verb}`));
  });

  it('is named as an error with its place', () => {
    expect(protectionProblems(desired, [changeOf(1, { entryIndex: 0, delete: true })])).toMatchObject([
      { code: 'protected', severity: 'error', hostIds: ['1'], place: { file: 'protect', line: 0 } },
    ]);
    expect(protectionProblems(desired, [changeOf(2, { delete: true })])).toEqual([]);
  });
});

describe('the limit of a group', () => {
  const limitsOf = (id: number, changes: readonly HostDifference[], allowed: number) =>
    groupLimits(
      {
        group: { kind: 'id', id: groupId(id) },
        exclusive: false,
        limits: { delete: { kind: 'count', count: allowed } },
        place,
      },
      id === 17 ? berlin : noGroup,
      changes.filter(({ host }) => host.groupId === groupId(id)),
      10,
    );

  it('counts changes of that kind to hosts in the group', () => {
    const changes = [
      changeOf(1, { delete: true }),
      changeOf(1, { rename: 'X' }),
      changeOf(2, { delete: true }),
    ];
    expect(limitsOf(17, changes, 1)).toEqual({
      limits: [{ limit: 'delete', groupId: '17', allowed: 1 }],
      breaches: [],
      problems: [],
    });
    expect(limitsOf(17, changes, 0)).toMatchObject({
      breaches: [{ limit: 'delete', group: 'Berlin', count: 1, allowed: 0, acknowledged: false }],
      problems: [
        { code: 'group-limit-exceeded', severity: 'error', policy: 'groups.Berlin.limits.delete', place },
      ],
    });
  });

  it('of hosts in no group is named by its id', () => {
    const { breaches, problems } = limitsOf(-1, [changeOf(2, { delete: true })], 0);
    expect(breaches[0]?.group).toBe('-1');
    expect(problems[0]?.message).toBe('1 deletion is planned in no group, but the limit is 0');
  });

  it('names a group without a name by its id', () => {
    expect([berlin, noGroup, { id: groupId(18), name: null }].map((each) => describeGroup(each))).toEqual([
      '"Berlin"',
      'no group',
      'group 18',
    ]);
  });
});

describe('planned changes as policies see them', () => {
  const seen = (change: HostDifference) => plannedChanges([change], fleet, noFacts);

  it('have one change for each kind, with the values before and after', () => {
    const all = changeOf(1, { rename: 'X', move: noGroup, antivirus: true, delete: true });
    expect(seen(all).map(({ change }) => change)).toEqual([
      { kind: 'rename', from: 'A', to: 'X' },
      { kind: 'move', from: 'Berlin', to: '' },
      { kind: 'antivirus', from: '', to: '' },
      { kind: 'delete', from: '', to: '' },
    ]);
    expect(seen(changeOf(3, { rename: 'X' }))[0]?.change.from).toBe('');
  });

  test.each<[Partial<HostDifference>, string]>([
    [{ rename: 'X' }, '"A" (1) would be renamed to "X"'],
    [{ move: berlin }, '"A" (1) would be moved to "Berlin"'],
    [{ move: noGroup }, '"A" (1) would be moved out of its group'],
    [{ antivirus: true }, '"A" (1) would be given the anti-virus'],
    [{ delete: true }, '"A" (1) would be deleted'],
  ])('read %j', (parts, text) => expect(describeChanges(seen(changeOf(1, parts)))).toBe(text));

  it('have no target if there are several', () => {
    const two = [...seen(changeOf(1, { rename: 'X' })), ...seen(changeOf(2, { rename: 'Y' }))];
    expect(describeChanges(two)).toBe('"A" (1), "B" (2) would be renamed');
  });
});
