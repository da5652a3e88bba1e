import { describe, expect, it } from 'vitest';
import { foldName } from '../../../src/core/model/host-name.ts';
import { hostsOf } from '../../../src/core/model/observed.ts';
import { givenFleet, groupId, hostId } from '../../given/fleet.ts';

const observed = givenFleet(
  [
    { id: '9223372036854775807', name: 'A' },
    { id: 2, name: null },
    { id: 3, name: 'a', group: 10 },
    { id: 4, name: 'A' },
    { id: 5, name: '__proto__' },
  ],
  { 10: 'Berlin' },
);
const ids = (hosts: readonly { readonly id: string }[]) => hosts.map(({ id }) => id);

describe('an observed fleet', () => {
  it('keeps the order of the list', () =>
    expect(ids(hostsOf(observed))).toEqual(['9223372036854775807', '2', '3', '4', '5']));
  it('finds a host by its exact id', () => {
    expect(observed.byId(hostId('9223372036854775807'))?.name).toBe('A');
    expect(observed.byId(hostId('9223372036854775806'))).toBeUndefined();
  });
  it('finds all hosts of one name, and distinguishes letter case', () => {
    expect(ids(observed.byName('A'))).toEqual(['9223372036854775807', '4']);
    expect(ids(observed.byName('a'))).toEqual(['3']);
    expect(observed.byName('B')).toEqual([]);
  });
  it('finds all hosts whose names fold alike', () =>
    expect(ids(observed.byFoldedName(foldName('A')))).toEqual(['9223372036854775807', '3', '4']));
  it('finds no host by the name "null" if a host has no name', () =>
    expect(observed.byName('null')).toEqual([]));
  it('accepts names of JavaScript members as names', () => {
    expect(ids(observed.byName('__proto__'))).toEqual(['5']);
    expect(observed.byName('constructor')).toEqual([]);
  });
  it('finds groups by id', () => {
    expect(observed.groupById(groupId(10))?.name).toBe('Berlin');
    expect(observed.groupById(groupId(-1))).toEqual({ id: '-1', name: null });
    expect(observed.groupById(groupId(11))).toBeUndefined();
  });
});
