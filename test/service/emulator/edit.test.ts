import { describe, expect, it } from 'vitest';
import type { Edit } from '../../../src/service/emulator/edit.ts';
import { givenEmulator } from './calls.ts';

const fleet = {
  groups: [{ id: '17', name: 'Servers' }],
  hosts: [
    { id: '1', name: 'A', groupId: '17' },
    { id: '2', name: 'B' },
  ],
};

const done: readonly [string, Edit, Readonly<Record<string, unknown>> | undefined][] = [
  ['renames a host', { kind: 'rename', id: '1', name: 'C' }, { name: 'C' }],
  ["gives a host another's name in other letters", { kind: 'rename', id: '1', name: 'b' }, { name: 'b' }],
  ['takes the name away', { kind: 'rename', id: '1', name: null }, { name: null }],
  ['moves a host', { kind: 'move', id: '1', groupId: '-1' }, { groupId: '-1' }],
  ['deletes a host', { kind: 'delete', id: '1' }, undefined],
  [
    'switches a host off',
    { kind: 'online', id: '1', online: false },
    { online: false, stateChangedAt: '2026-01-01T00:00:00Z' },
  ],
  ['begins a session', { kind: 'session', id: '1', inSession: true }, { inSession: true }],
  [
    'removes the anti-virus',
    { kind: 'antivirus', id: '1', antivirus: { supported: false } },
    { antivirus: expect.objectContaining({ supported: false }) },
  ],
  ['removes a group, whose hosts become ungrouped', { kind: 'remove-group', id: '17' }, { groupId: '-1' }],
];

const refused: readonly [string, Edit][] = [
  ['an unknown host', { kind: 'rename', id: '9', name: 'C' }],
  ['a name in use', { kind: 'rename', id: '1', name: 'B' }],
  ['an unknown group', { kind: 'move', id: '1', groupId: '9' }],
  ['the deletion of an unknown host', { kind: 'delete', id: '9' }],
  ['an id in use', { kind: 'enroll', host: { id: '1' } }],
  ['a new host with a name in use', { kind: 'enroll', host: { id: '3', name: 'A' } }],
  ['a new host in an unknown group', { kind: 'enroll', host: { id: '3', groupId: '9' } }],
  ['the removal of an unknown group', { kind: 'remove-group', id: '9' }],
];

describe('someone else', () => {
  it.each(done)('%s', (_, change, expected) => {
    const given = givenEmulator(fleet);
    expect(given.edit(change)).toBe(true);
    const host = given.state().hosts.find((each) => each.id === '1');
    if (expected === undefined) expect(host).toBeUndefined();
    else expect(host).toMatchObject(expected);
    expect(given.state().hosts.find((each) => each.id === '2')).toMatchObject({ name: 'B' });
  });

  it('enrolls a host', () => {
    const given = givenEmulator(fleet);
    expect(given.edit({ kind: 'enroll', host: { id: '3', name: 'C', groupId: '17' } })).toBe(true);
    expect(given.state().hosts[2]).toMatchObject({ id: '3', name: 'C', groupId: '17', online: true });
  });

  it('creates a group', () => {
    const given = givenEmulator(fleet);
    given.edit({ kind: 'put-group', id: '18', name: 'Laptops' });
    expect(given.state().groups).toContainEqual({ id: '18', name: 'Laptops' });
  });

  it.each(refused)('is refused %s', (_, change) => {
    const given = givenEmulator(fleet);
    const before = given.state();
    expect(given.edit(change)).toBe(false);
    expect(given.state()).toEqual(before);
  });
});
