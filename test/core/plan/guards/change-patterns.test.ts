import { describe, expect, it, test } from 'vitest';
import type { ChangePattern } from '../../../../src/core/model/plan-expectation.ts';
import {
  describeAct,
  describePattern,
  isMeant,
  singlePatterns,
} from '../../../../src/core/plan/guards/change-patterns.ts';
import { actsOf, type PlannedAct } from '../../../../src/core/plan/ordering/planned-acts.ts';
import { groupId, hostId } from '../../../given/fleet.ts';
import { givenPlan } from '../../../given/plan.ts';

const place = { file: 'fleet.test.yaml', line: 1, col: 1 };
const berlin = { id: groupId(17), name: 'Berlin' };
const none = { id: groupId(-1), name: null };
const reason = () => ({ file: 'fleet.yaml', line: 1, col: 1 });
const host = { hostId: hostId(1), name: 'A', from: groupId(18), reason };
const rename: PlannedAct = { kind: 'rename', ...host, to: 'B' };
const move: PlannedAct = { kind: 'move', ...host, group: berlin };
const install: PlannedAct = { kind: 'antivirus', ...host };
const deletion: PlannedAct = { kind: 'delete', ...host };
const acts = [rename, move, install, deletion];

describe('a pattern means', () => {
  const kindsMeant = (pattern: Omit<ChangePattern, 'place'>) =>
    acts.filter((act) => isMeant({ ...pattern, place }, act)).map(({ kind }) => kind);

  test.each<[string, Omit<ChangePattern, 'place'>, readonly string[]]>([
    ['every change, when it names none', {}, ['rename', 'move', 'antivirus', 'delete']],
    ['renames alone', { rename: 'any' }, ['rename']],
    ['moves alone', { move: 'any' }, ['move']],
    ['installs alone', { antivirus: 'any' }, ['antivirus']],
    ['deletions alone', { delete: 'any' }, ['delete']],
    ['a rename to this name', { rename: { to: 'B' } }, ['rename']],
    ['no rename to another', { rename: { to: 'C' } }, []],
    ['a move to a group by id', { move: { kind: 'id', id: berlin.id } }, ['move']],
    ['no move to another id', { move: { kind: 'id', id: groupId(18) } }, []],
    ['a move to a group by name', { move: { kind: 'named', name: 'Berlin' } }, ['move']],
    ['no move to another name', { move: { kind: 'named', name: 'Lisbon' } }, []],
    ['no move out of groups when it goes into one', { move: { kind: 'ungrouped' } }, []],
    ['this host by id', { host: { kind: 'id', id: hostId(1) }, delete: 'any' }, ['delete']],
    ['no other id', { host: { kind: 'id', id: hostId(2) } }, []],
    ['this host by name', { host: { kind: 'named', name: 'A' }, delete: 'any' }, ['delete']],
    ['no other name', { host: { kind: 'named', name: 'B' } }, []],
  ])('%s', (_what, pattern, kinds) => expect(kindsMeant(pattern)).toEqual(kinds));

  it('a move out of groups', () => {
    const out: PlannedAct = { ...move, group: none };
    expect(isMeant({ move: { kind: 'ungrouped' }, place }, out)).toBe(true);
  });
});

it('a pattern that lists several kinds is one pattern for each kind, with its host', () => {
  const at = { host: { kind: 'named', name: 'A' }, place } as const;
  const all = { rename: 'any', move: 'any', antivirus: 'any', delete: 'any' } as const;
  expect(singlePatterns({ ...at, ...all })).toEqual([
    { ...at, rename: 'any' },
    { ...at, move: 'any' },
    { ...at, antivirus: 'any' },
    { ...at, delete: 'any' },
  ]);
  expect(singlePatterns(at)).toEqual([at]);
  expect(singlePatterns({ delete: 'any', place })).toEqual([{ delete: 'any', place }]);
});

test.each<[PlannedAct, string]>([
  [rename, 'rename "A" (1) to "B"'],
  [move, 'move "A" (1) to "Berlin"'],
  [{ ...move, group: { ...berlin, name: null } }, 'move "A" (1) to group 17'],
  [{ ...move, group: none }, 'move "A" (1) out of its group'],
  [install, 'install the anti-virus on "A" (1)'],
  [{ ...deletion, name: null }, 'delete host 1'],
])('an act reads %j', (act, text) => expect(describeAct(act)).toBe(text));

test.each<[Omit<ChangePattern, 'place'>, string]>([
  [{}, 'change any host'],
  [{ host: { kind: 'id', id: hostId(1) }, rename: 'any' }, 'rename host 1'],
  [{ host: { kind: 'named', name: 'A' }, rename: { to: 'B' } }, 'rename "A" to "B"'],
  [{ move: 'any' }, 'move any host'],
  [{ move: { kind: 'ungrouped' } }, 'move any host out of its group'],
  [{ move: { kind: 'id', id: berlin.id } }, 'move any host to group 17'],
  [{ move: { kind: 'named', name: 'Berlin' } }, 'move any host to "Berlin"'],
  [{ antivirus: 'any' }, 'install the anti-virus on any host'],
  [{ delete: 'any' }, 'delete any host'],
])('a pattern reads %j', (pattern, text) => expect(describePattern({ ...pattern, place })).toBe(text));

it('acts are those of the plan: a host with a temporary name counts as renamed once', () => {
  const plan = givenPlan({
    hosts: [
      { id: 1, name: 'A' },
      { id: 2, name: 'B' },
      { id: 3, name: 'C' },
      { id: 4, name: 'D', antivirus: 'missing' },
    ],
    groups: { 17: 'Berlin' },
    entries: [
      { id: 1, name: 'B' },
      { id: 2, name: 'A', group: 'Berlin' },
      { id: 3, ensure: 'absent' },
      { id: 4, antivirus: true },
    ],
  });
  expect(actsOf(plan.steps).map(describeAct).toSorted()).toEqual([
    'delete "C" (3)',
    'install the anti-virus on "D" (4)',
    'move "B" (2) to "Berlin"',
    'rename "A" (1) to "B"',
    'rename "B" (2) to "A"',
  ]);
});
