import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FaultPlan } from '../../src/service/emulator/fault.ts';
import {
  connected,
  givenService,
  type Ran,
  testPsk,
  type Workplace,
  workplace,
} from '../given/command-line.ts';

const fleet = {
  groups: [{ id: '17', name: 'Berlin' }],
  hosts: [
    { id: '1', name: 'A' },
    { id: '2', name: 'B' },
  ],
};
const desired = 'version: 1\nhosts:\n  - { id: 1, name: B, group: Berlin }\n  - { id: 2, name: A }\n';

const commands: readonly (readonly string[])[] = [
  ['validate'],
  ['plan', '--out', 'plan.json', '--json'],
  ['show', 'plan.json'],
  ['hosts'],
  ['hosts', 'groups', '--json'],
  ['hosts', 'snapshot', '--out', 'snapshot.json'],
  ['doctor', 'credentials'],
  ['schema'],
  ['apply', 'plan.json', '--json'],
  ['apply', '--auto-approve'],
  ['state', 'unlock', '--reason', 'it has ended'],
  ['plan', '--unknown-flag'],
  ['--help'],
];

/** A response that repeats the request's credentials, like that of a debugging proxy. */
const echo = (status: number): FaultPlan => [
  {
    effect: {
      kind: 'status',
      status,
      text: JSON.stringify({
        message: `bad key ${testPsk}; ${Buffer.from(`1234567890:${testPsk}`).toString('base64')}`,
      }),
    },
  },
];

const allWell = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0];
const allFail = (code: number) => [0, code, 3, code, code, code, code, 0, 3, code, 0, 3, 0];

const drops: FaultPlan = [{ effect: { kind: 'drop', when: 'after' } }];

describe('the key is in no output and no file', () => {
  it.each<readonly [string, FaultPlan, readonly number[], string]>([
    ['a service that works', [], allWell, 'basic'],
    ['a service that works and credentials in JSON', [], allWell, 'json'],
    ['a service that echoes the key in a 401', echo(401), allFail(4), 'basic'],
    ['a service that echoes the key in a 400', echo(400), allFail(1), 'json'],
    ['a service that echoes the key in a 500', echo(500), allFail(1), 'basic'],
    ['a service that breaks connections', drops, allFail(1), 'basic'],
  ])('with %s, -v and RAMPART_LOG=debug', async (_, faults, codes, auth) => {
    const place = await connected(fleet, { faults }, { 'fleet.yaml': desired });
    const ran: Ran[] = [];
    for (const argv of commands)
      ran.push(await place.rampart(['-v', ...argv], { env: { RAMPART_AUTH: auth, RAMPART_LOG: 'debug' } }));
    // Else the commands have not come as far as using the key.
    expect(ran.map(({ code }) => code)).toEqual(codes);
    for (const { out, err } of ran) expectNoSecret(`${out}${err}`);
    for (const text of await filesIn(place)) expectNoSecret(text);
  });

  it('from a key file, whose final line break is not part of it', async () => {
    const place = await workplace();
    const { env } = await givenService(fleet);
    const { RAMPART_PSK: _, ...rest } = env;
    const file = join(place.folder, 'key');
    await writeFile(file, `${testPsk}\n`);
    await chmod(file, 0o644);
    const open = await place.rampart('hosts -v', { env: { ...rest, RAMPART_PSK_FILE: 'key' } });
    expect(open).toExit(0, 'chmod 600 key');
    await chmod(file, 0o600);
    const closed = await place.rampart('hosts -v', { env: { ...rest, RAMPART_PSK_FILE: 'key' } });
    expect(closed.err).not.toContain('chmod');
    expectNoSecret(`${open.out}${open.err}${closed.out}${closed.err}`);
  });

  it('even if a host is named like the key', async () => {
    const place = await connected({ hosts: [{ id: '1', name: testPsk }] });
    const { code, out } = await place.rampart('hosts');
    expect(code).toBe(0);
    expectNoSecret(out);
  });
});

it('no flag takes a secret', async () => {
  const { rampart } = await workplace();
  const names = [
    '',
    'plan',
    'apply',
    'hosts',
    'hosts groups',
    'doctor credentials',
    'hosts snapshot',
    'emulator',
    'state unlock',
    'validate',
  ];
  for (const name of names) {
    const { code, out } = await rampart([...(name === '' ? [] : name.split(' ')), '--help']);
    expect(code).toBe(0);
    expect(out).not.toMatch(/--(psk|secret|password|token|key)\b/i);
  }
});

function expectNoSecret(text: string): void {
  expect(text).not.toContain(testPsk);
  expect(text).not.toContain(testPsk.slice(0, 40));
  expect(text).not.toContain(Buffer.from(`1234567890:${testPsk}`).toString('base64').slice(0, 60));
}

async function filesIn({ folder }: Workplace): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')),
  );
}

it('a part of a secret in a file is not quoted by the error about it, even before any configuration is read', async () => {
  const place = await workplace({ 'fleet.yaml': `version: 1\nhosts:\n  - { id: 1, "${testPsk}": x }\n` });
  const { code, err, out } = await place.rampart('validate', { env: { RAMPART_PSK: testPsk } });
  expect(code).toBe(3);
  expect(err).toContain('[secret]');
  for (let at = 0; at + 16 <= testPsk.length; at += 1) {
    expect(err + out).not.toContain(testPsk.slice(at, at + 16));
  }
});
