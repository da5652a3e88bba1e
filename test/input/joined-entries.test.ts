import { expect, test } from 'vitest';
import { joinEntries } from '../../src/input/entries/placed-entries.ts';
import { givenDesired } from '../given/desired.ts';

test('an entry of 100,000 lists is found without looking at the lists before it', () => {
  const lists = Array.from({ length: 100_000 }, (_, index) =>
    givenDesired(index % 2 === 0 ? [{ id: index }] : []),
  );
  const joined = joinEntries([...lists, givenDesired([{ id: 8 }, { id: 9 }])]);
  const ids = Array.from({ length: joined.count }, (_, index) => Number(joined.idAt(index)));
  expect(ids.slice(0, -2)).toEqual(Array.from({ length: 50_000 }, (_, index) => 2 * index));
  expect(ids.slice(-2)).toEqual([8, 9]);
  expect(joined.placeOf(50_001).line).toBe(2);
});
