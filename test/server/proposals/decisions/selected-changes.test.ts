import { describe, expect, it } from 'vitest';
import type { HostId } from '../../../../src/core/model/observed.ts';
import { selectedChanges } from '../../../../src/server/proposals/decisions/selected-changes.ts';

const hosts = ['PC-10', 'PC-2', 'SRV-1'].map((name, at) => ({
  account: 'berlin',
  hostId: String(at + 1) as HostId,
  name,
}));
const renamed = (find: string, replace: string) =>
  selectedChanges(hosts, { kind: 'rename', find, replace }).map((each) =>
    'why' in each ? `${each.name}: ${each.why}` : `${each.name}: ${JSON.stringify(each.change)}`,
  );

describe('a change of selected hosts', () => {
  it('replaces a part of each name that contains it', () => {
    expect(renamed('PC-', 'BER-PC-')).toEqual([
      'PC-2: {"kind":"name","name":"BER-PC-2"}',
      'PC-10: {"kind":"name","name":"BER-PC-10"}',
      'SRV-1: its name does not contain the text to replace',
    ]);
  });

  it('numbers whole names in the order of the names, with the requested number of digits', () => {
    expect(renamed('', 'KIOSK-{nnn}')).toEqual([
      'PC-2: {"kind":"name","name":"KIOSK-001"}',
      'PC-10: {"kind":"name","name":"KIOSK-002"}',
      'SRV-1: {"kind":"name","name":"KIOSK-003"}',
    ]);
  });

  it('refuses an empty name and the name that a host has', () => {
    expect(renamed('', ' ')).toEqual(
      ['PC-2', 'PC-10', 'SRV-1'].map((name) => `${name}: its name would be empty`),
    );
    expect(renamed('PC', 'PC')[0]).toBe('PC-2: it has this name already');
  });

  it('names a host without a name, and replaces no part of its name', () => {
    const nameless = hosts.slice(0, 1).map((host) => ({ ...host, name: null }));
    const whyOf = (find: string) => selectedChanges(nameless, { kind: 'rename', find, replace: 'PC-{n}' });
    expect(whyOf('')).toMatchObject([{ change: { kind: 'name', name: 'PC-1' } }]);
    expect(whyOf('PC')).toMatchObject([{ why: 'its name does not contain the text to replace' }]);
  });

  it('treats "$&" and other replacement patterns as text', () => {
    expect(renamed('SRV', '$&-{n}').at(-1)).toBe('SRV-1: {"kind":"name","name":"$&-1-1"}');
  });

  it.each([
    [
      { kind: 'move', group: 'Kiosks' },
      { kind: 'group', group: { kind: 'named', name: 'Kiosks' } },
    ],
    [
      { kind: 'move', group: null },
      { kind: 'group', group: { kind: 'ungrouped' } },
    ],
    [{ kind: 'antivirus' }, { kind: 'antivirus' }],
    [{ kind: 'delete' }, { kind: 'absent' }],
  ] as const)('%j becomes %j of every host', (change, expected) => {
    expect(selectedChanges(hosts, change)).toEqual(hosts.map((host) => ({ ...host, change: expected })));
  });
});
