import { expect, it, test } from 'vitest';
import { hostsOf, type ObservedHost } from '../../../../src/core/model/observed.ts';
import { intruderProblems, unmanagedProblems } from '../../../../src/core/plan/guards/unmanaged.ts';
import { givenFleet } from '../../../given/fleet.ts';

const place = { file: 'fleet.yaml', line: 2, col: 3 };
const hostsUpTo = (count: number): readonly ObservedHost[] =>
  hostsOf(
    givenFleet(
      Array.from({ length: count }, (_, index) => ({ id: count - index, name: `H${count - index}` })),
    ),
  );
const where = ' in "Berlin"';

test.each([
  ['ignore', []],
  ['report', [{ code: 'unmanaged-hosts', severity: 'warning', place, hostIds: ['1', '2'] }]],
  ['forbid', [{ code: 'unmanaged-hosts', severity: 'error', place, hostIds: ['1', '2'] }]],
] as const)('unmanaged hosts under %s', (what, problems) => {
  expect(unmanagedProblems(hostsUpTo(2), { what, where, place })).toMatchObject(problems);
  expect(unmanagedProblems([], { what, where, place })).toEqual([]);
});

it('one host is named, several are counted, and the first ten are named in the order of their ids', () => {
  const messageOf = (count: number) =>
    unmanagedProblems(hostsUpTo(count), { what: 'forbid', where, place })[0];
  expect(messageOf(1)?.message).toBe('"H1" (1) in "Berlin" is unmanaged');
  expect(messageOf(2)?.message).toBe('2 hosts in "Berlin" are unmanaged: "H1" (1), "H2" (2)');
  const many = messageOf(12);
  expect(many?.message).toMatch(/^12 hosts .*"H10" \(10\) and 2 more$/);
  expect(many?.hostIds).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
});

it('hosts that an exclusive group does not allow cause a warning, and no hosts cause none', () => {
  expect(intruderProblems(hostsUpTo(1), { group: '"Berlin"', place })).toMatchObject([
    { code: 'exclusive-group', severity: 'warning', hostIds: ['1'], place },
  ]);
  expect(intruderProblems([], { group: '"Berlin"', place })).toEqual([]);
});
