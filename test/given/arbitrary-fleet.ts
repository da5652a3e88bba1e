import fc from 'fast-check';
import type { GivenEntry } from './desired.ts';
import type { GivenHost } from './fleet.ts';

export interface Reorganization {
  readonly hosts: readonly GivenHost[];
  readonly entries: readonly GivenEntry[];
}

export const givenGroups: Readonly<Record<string, string>> = { 10: 'Berlin', 11: 'Munich' };

/**
 * A fleet with unique names and a desired state that permutes names, gives fresh ones, moves, deletes and
 * leaves hosts alone; every wanted name is free by the end, so nothing squats.
 */
export const reorganizations: fc.Arbitrary<Reorganization> = fc
  .integer({ min: 1, max: 14 })
  .chain((size) =>
    fc.record({
      size: fc.constant(size),
      order: fc.shuffledSubarray([...Array(size).keys()], { minLength: size, maxLength: size }),
      fates: fc.array(fc.constantFrom('permute', 'permute', 'permute', 'keep', 'fresh', 'case', 'delete'), {
        minLength: size,
        maxLength: size,
      }),
      groups: fc.array(fc.constantFrom(undefined, 'Berlin', 'Munich', null), {
        minLength: size,
        maxLength: size,
      }),
      big: fc.boolean(),
    }),
  )
  .map(({ size, order, fates, groups, big }) => {
    const idOf = (index: number) =>
      big ? (9007199254740993n + BigInt(index)).toString() : String(index + 1);
    const hosts = Array.from({ length: size }, (_, index) => ({
      id: idOf(index),
      name: `host-${index}`,
      group: index % 3 === 0 ? 10 : -1,
    }));
    const permuted = order.filter((index) => fates[index] === 'permute' || fates[index] === 'delete');
    const sorted = [...permuted].sort((a, b) => a - b);
    const target = new Map(sorted.map((index, position) => [index, `host-${permuted[position]}`]));
    const entries = hosts.map(({ id, name }, index): GivenEntry => {
      if (fates[index] === 'delete') return { id, ensure: 'absent' };
      const group = groups[index];
      const move = group === undefined ? {} : { group };
      if (fates[index] === 'permute') return { id, name: target.get(index) as string, ...move };
      if (fates[index] === 'fresh') return { id, name: `fresh-${index}`, ...move };
      if (fates[index] === 'case') return { id, name: name.toUpperCase(), ...move };
      return { id, ...move };
    });
    return { hosts, entries };
  });
