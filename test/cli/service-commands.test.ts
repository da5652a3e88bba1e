import { describe, expect, it } from 'vitest';
import type { FaultPlan } from '../../src/service/emulator/fault.ts';
import { connected, testPsk } from '../given/command-line.ts';

const hostile = 'esc\u001b[31m\u001b]0;t\u0007 \u202etxt\u2066\u200b\u00ad\u0000\u009b1m\r\nnext';
const desired = `version: 1\nhosts:\n  - { id: 1, name: GOOD, group: { id: 17 } }\n  - { id: 2, name: BAD }\n`;
const fleet = {
  groups: [{ id: '17', name: hostile }],
  categories: [{ id: 'c1', name: hostile, values: [{ id: 'v1', name: hostile }] }],
  hosts: [
    {
      id: '1',
      name: hostile,
      groupId: '17',
      computerName: hostile,
      stateChangedAt: hostile,
      customFields: { c1: 'v1', [`${hostile}9`]: hostile },
      antivirus: { product: hostile, definitionVersion: hostile, lastFullScan: hostile },
    },
    { id: '2', name: `${hostile}2`, online: false },
    { id: '3', name: 'L'.repeat(255) },
  ],
};

const commands: readonly (readonly string[])[] = [
  [
    'hosts',
    '--columns',
    'id,name,group,host-name,state-changed-at,antivirus-product,antivirus-last-full-scan',
  ],
  ['hosts', '--columns', `id,"${hostile}"`],
  ['hosts', '--where', 'host.name.contains("esc")'],
  ['hosts', '--format', 'csv'],
  ['hosts', 'groups'],
  ['hosts', 'groups', '--format', 'csv'],
  ['hosts', 'fields'],
  ['hosts', 'fields', '--host', '1'],
  ['hosts', 'fields', '--format', 'csv'],
  ['hosts', 'antivirus', 'status'],
  ['hosts', 'antivirus', 'status', '--format', 'csv'],
  ['hosts', 'antivirus', 'refresh', '--all'],
  ['hosts', 'connect', hostile],
  ['doctor', 'credentials', '--rights'],
  ['plan'],
  ['apply', '--auto-approve', '-v'],
];
/** Words of the user that appear in a message. */
const misses: readonly (readonly string[])[] = [
  ['hosts', '--columns', hostile.slice(0, 6)],
  ['hosts', '--where', `host.name == "\u202e`],
  ['hosts', 'fields', '--host', 'esc\u001b[31m'],
  ['hosts', 'antivirus', 'status', '--group', `${hostile}x`],
  ['hosts', 'antivirus', 'refresh', `${hostile}x`],
  ['hosts', 'connect', `${hostile}x`],
  ['plan', '--target', `${hostile}x`],
];

describe('hostile names reach the terminal as symbols', () => {
  for (const argv of [...commands, ...misses]) {
    it.each([40, 80, 200])(`${JSON.stringify(argv.join(' '))} in %s columns`, async (columns) => {
      const { rampart } = await connected(fleet, {}, { 'fleet.yaml': desired });
      const ran = await rampart(argv, { env: { NO_COLOR: '1' }, terminal: true, columns });
      const shown = `${ran.out}${ran.err}`.replaceAll('\r\u001b[K', '');
      expect(shown).not.toBe('');
      expect(shown).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    });
  }
});

describe('the key is in no output', () => {
  const text = JSON.stringify({
    message: `bad key ${testPsk}; ${Buffer.from(`1234567890:${testPsk}`).toString('base64')}`,
  });
  const echo = (status: number): FaultPlan => [{ effect: { kind: 'status', status, text } }];
  for (const argv of [...commands, ['hosts', 'snapshot', '--custom-fields']]) {
    it.each([401, 403, 500])(`${JSON.stringify(argv.join(' '))} with %s`, async (status) => {
      const { rampart } = await connected(fleet, { faults: echo(status) }, { 'fleet.yaml': desired });
      const ran = await rampart(['-v', ...argv], { env: { RAMPART_LOG: 'debug' } });
      expect(ran.code).not.toBe(0);
      expect(`${ran.out}${ran.err}`).not.toContain(testPsk.slice(0, 40));
    });
  }
});
