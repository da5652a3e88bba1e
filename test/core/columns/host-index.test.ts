import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHashIndex } from '../../../src/core/columns/hash-index.ts';
import { createHostIndex } from '../../../src/core/columns/host-index.ts';
import { type HostTable, tableOf } from '../../../src/core/columns/host-table.ts';
import { foldText, hashOfFolded } from '../../../src/core/columns/text-hash.ts';
import { hostsOf } from '../../../src/core/model/observed.ts';
import { givenFleet, hostId } from '../../given/fleet.ts';

const names = fc.option(
  fc.oneof(
    fc.constantFrom('A', 'a', 'BER-01', 'ber-01', 'KÖLN', 'köln', 'Ko\u0308ln', 'ß', 'İ', 'K', '\u212a', ''),
    fc.string({ unit: 'binary', maxLength: 3 }),
  ),
);

const inMaps = (hosts: HostTable) => createHostIndex(hosts, Number.POSITIVE_INFINITY);
const inColumns = (hosts: HostTable) => createHostIndex(hosts, 0);

describe('hosts found by columns', () => {
  it('are those that maps find, in the same order', () => {
    fc.assert(
      fc.property(fc.array(names, { maxLength: 40 }), (given) => {
        const hosts = hostsOf(givenFleet(given.map((name, index) => ({ id: index * 7, name }))));
        const [maps, columns] = [inMaps(tableOf(hosts)), inColumns(tableOf(hosts))];
        for (const name of given.filter((each) => each !== null).flatMap((each) => [each, `${each}x`])) {
          expect(columns.withName(name)).toEqual(maps.withName(name));
          expect(columns.folding(foldText(name))).toEqual(maps.folding(foldText(name)));
        }
        expect(columns.repeatedIds()).toEqual([]);
        expect(maps.repeatedIds()).toEqual([]);
        expect(columns.hasNamesAlike()).toBe(maps.hasNamesAlike());
        for (let id = -1; id < 280; id += 1) {
          expect(columns.indexOf(hostId(id))).toBe(maps.indexOf(hostId(id)));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are found even if hundreds share a name', () => {
    const hosts = hostsOf(
      givenFleet(
        Array.from({ length: 300 }, (_, index) => ({ id: index, name: index % 2 === 0 ? 'A' : 'a' })),
      ),
    );
    const index = inColumns(tableOf(hosts));
    expect(index.withName('A')).toHaveLength(150);
    expect(index.folding('a').map((at) => hosts[at])).toEqual(hosts);
  });
});

describe('a host that is searched for by its id', () => {
  it('is found in any order, and repeatedly', () => {
    const fleet = givenFleet(Array.from({ length: 50 }, (_, index) => ({ id: index, name: null })));
    const order = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 100 });
    fc.assert(
      fc.property(order, (ids) => {
        for (const id of ids) expect(fleet.byId(hostId(id))?.id).toBe(id < 50 ? String(id) : undefined);
      }),
      { numRuns: 40 },
    );
  });
});

describe('the hash of a folded name', () => {
  it('is the same for names that fold alike', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(hashOfFolded(name)).toBe(hashOfFolded(foldText(name)));
        expect(hashOfFolded(name.toUpperCase().toLowerCase())).toBe(
          hashOfFolded(foldText(name.toUpperCase().toLowerCase())),
        );
      }),
    );
  });
});

describe('an id that two hosts have', () => {
  it('is found by either index', () => {
    const hosts = tableOf(hostsOf(givenFleet([1, 2, 1].map((id) => ({ id, name: null })))));
    expect(inMaps(hosts).repeatedIds()).toEqual(['1']);
    expect(inColumns(hosts).repeatedIds()).toEqual(['1']);
  });
});

describe('indexes by their hashes', () => {
  it('come out in order, without those of other hashes', () => {
    const index = createHashIndex(Float64Array.of(0, 1, 0, -1, 0, 1));
    const found: number[] = [];
    for (let at = index.first(0); at !== -1; at = index.next(at)) found.push(at);
    expect(found).toEqual([0, 2, 4]);
    expect(index.first(2)).toBe(-1);
    expect(index.first(-1)).toBe(-1);
    expect(createHashIndex(new Float64Array(0)).first(1)).toBe(-1);
  });
  it('are known to be alike if two share a hash', () => {
    expect(createHashIndex(Float64Array.of(0, 1, 2, 3)).hasAlike).toBe(false);
    expect(createHashIndex(Float64Array.of(0, 1, 2, 0)).hasAlike).toBe(true);
    expect(createHashIndex(Float64Array.of(-1, -1)).hasAlike).toBe(false);
  });
});
