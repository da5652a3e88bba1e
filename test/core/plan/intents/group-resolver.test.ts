import { expect, test } from 'vitest';
import { createGroupResolver } from '../../../../src/core/plan/intents/groups.ts';
import { givenFleet } from '../../../given/fleet.ts';

test('a misspelled group of 200,000 entries is one problem with the first ten places', () => {
  const groups = createGroupResolver(givenFleet([], { 17: 'Berlin' }));
  for (let line = 1; line <= 200_000; line += 1)
    groups.resolve({ kind: 'named', name: 'Berlim' }, () => ({ file: 'fleet.yaml', line, col: 5 }));
  const [found, ...others] = groups.problems();
  expect(others).toEqual([]);
  expect([found?.place, ...(found?.related ?? [])].map((each) => each?.line)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ]);
});
