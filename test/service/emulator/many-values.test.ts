import { expect, test } from 'vitest';
import { fleetState } from '../../../src/service/emulator/fleet-state.ts';
import { printSeed } from '../../../src/service/emulator/print-seed.ts';
import { readSeed } from '../../../src/service/emulator/seed.ts';

test('a seed is printed without reading all values of a custom field for each host', () => {
  let reads = 0;
  const values = Array.from({ length: 100 }, (_, index) => ({
    id: `v${index}`,
    get name() {
      reads += 1;
      return `Asset ${index}`;
    },
  }));
  const state = (hosts: number) =>
    fleetState({
      categories: [{ id: 'c', name: 'Asset', values }],
      hosts: Array.from({ length: hosts }, (_, id) => ({ id: `${id}`, customFields: { c: `v${id}` } })),
    });
  printSeed(state(1));
  const ofOneHost = reads;
  printSeed(state(100));
  expect(reads - ofOneHost).toBe(ofOneHost);
});

test('a word of a custom field means an id before a name, and the first of several names', () => {
  const values = [
    { id: 'b', name: 'a' },
    { id: 'a', name: 'A' },
    { id: 'c', name: 'twice' },
    { id: 'd', name: 'twice' },
  ];
  const hosts = ['a', 'A', 'twice', 'd'].map((word, id) => ({ id, customFields: { Asset: word } }));
  const seed = JSON.stringify({ customFields: [{ id: 'c', name: 'Asset', values }], hosts });
  const read = readSeed(seed, 'seed.yaml');
  expect(read.ok && read.value.hosts.map(({ customFields }) => customFields['c'])).toEqual(
    'a a c d'.split(' '),
  );
});
