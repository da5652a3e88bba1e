import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connected, givenService, workplace } from '../given/command-line.ts';

const fleet = {
  categories: [{ id: 'c1', name: 'Site', values: [{ id: 'v1', name: 'Wien' }] }],
  hosts: [
    { id: '1', name: 'A', customFields: { c1: 'v1' }, computerName: 'WIN-1' },
    { id: '2', name: 'B' },
  ],
};

interface Saved {
  readonly lists: readonly { readonly list: string }[];
  readonly hosts: readonly Readonly<Record<string, unknown>>[];
}

async function snapshotOf(flags: readonly string[]): Promise<Saved> {
  const { rampart } = await connected(fleet);
  const { code, out, err } = await rampart(['hosts', 'snapshot', ...flags]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Saved;
}

describe('snapshot', () => {
  it("has the fleet, the computers' own names and the anti-virus", async () => {
    const { lists, hosts } = await snapshotOf([]);
    expect(lists.map(({ list }) => list)).toEqual(['hosts-with-groups', 'antivirus-details']);
    expect(hosts[0]).toMatchObject({
      id: '1',
      host_name: 'WIN-1',
      state_changed_at: '2026-01-01T00:00:00Z',
      antivirus: { installed: false, supported: true, details: { status: 'unknown', threats: 0 } },
    });
    expect(hosts[0]).not.toHaveProperty('custom_fields');
  });

  it('leaves the anti-virus out on request', async () => {
    const { lists, hosts } = await snapshotOf(['--no-antivirus']);
    expect(lists.map(({ list }) => list)).toEqual(['hosts-with-groups']);
    expect(hosts[0]).not.toHaveProperty('antivirus');
    expect((await snapshotOf(['--antivirus'])).lists).toHaveLength(2);
  });

  it('has the custom fields on request', async () => {
    const { lists, hosts } = await snapshotOf(['--custom-fields']);
    expect(lists.map(({ list }) => list)).toEqual(
      'hosts-with-groups antivirus-details custom-field-categories custom-fields'.split(' '),
    );
    expect(hosts.map((host) => host['custom_fields'])).toEqual([{ Site: 'Wien' }, undefined]);
  });

  it('has the inventory of the cache on request', async () => {
    const { rampart, folder } = await workplace();
    expect((await rampart('hosts snapshot --inventory --emulator')).code).toBe(3);
    expect((await rampart('hosts inventory pull --emulator')).code).toBe(0);
    expect((await rampart('hosts snapshot --inventory --emulator --out s.json')).code).toBe(0);
    const { lists, hosts } = JSON.parse(await readFile(join(folder, 's.json'), 'utf8')) as Saved;
    expect(lists.map(({ list }) => list)).toEqual(
      expect.arrayContaining(['hardware-inventory', 'system-inventory']),
    );
    expect(hosts.some((host) => JSON.stringify(host['inventory'])?.includes('serviceTag'))).toBe(true);
  });

  it.each([
    ['--custom-fields', 'listCustomFields', 403, 1],
    ['--antivirus', 'listAntivirusDetails', 500, 1],
    ['--antivirus', 'listHostsWithGroups', 401, 4],
  ] as const)('%s is whole or not there: %s with %s', async (flag, action, status, exit) => {
    const { rampart } = await connected(fleet, { faults: [{ action, effect: { kind: 'status', status } }] });
    const { code, out } = await rampart(['hosts', 'snapshot', flag]);
    expect({ code, out }).toEqual({ code: exit, out: '' });
  });
});

it('a snapshot without the facts that a rule reads is refused: unknown is not the same as none', async () => {
  const { rampart, write } = await connected({ ...fleet, groups: [{ id: '17', name: 'Wien' }] });
  await write(
    'fleet.yaml',
    'version: 1\nhosts: []\nrules:\n  - { name: Wien, when: \'host.customFields["Site"] == "Wien"\', group: Wien }\n',
  );
  await rampart('hosts snapshot --out s.json');
  const refused = await rampart('plan --observed s.json');
  expect(refused.code).toBe(3);
  expect(refused.err).toContain('rampart hosts snapshot --custom-fields --out FILE');
  await rampart('hosts snapshot --custom-fields --out s.json');
  expect((await rampart('plan --observed s.json --detailed-exitcode')).code).toBe(2);
});

it('a mistyped custom field is the same error against the service, a snapshot and the fleet of a test', async () => {
  const { rampart, write } = await workplace();
  const { env } = await givenService({ ...fleet, groups: [{ id: '17', name: 'Wien' }] });
  const rules = `rules:\n  - { name: Wien, when: 'host.customFields["Stie"] != "Wien"', group: Wien }\n`;
  await write('fleet.yaml', `version: 1\nhosts: []\n${rules}`);
  await rampart('hosts snapshot --custom-fields --out s.json', { env });
  const problemsOf = async (ran: Promise<{ readonly code: number; readonly out: string }>) => {
    const { code, out } = await ran;
    return { code, problems: (JSON.parse(out) as { readonly problems: readonly unknown[] }).problems };
  };
  const live = await problemsOf(rampart('plan --json', { env }));
  expect(live).toMatchObject({
    code: 3,
    problems: [
      { code: 'unknown-custom-field', severity: 'error', hint: 'did you mean "Site"?' },
      { code: 'unknown-facts', severity: 'warning' },
    ],
  });
  expect(await problemsOf(rampart('plan --json --observed s.json'))).toEqual(live);

  const seed = `{ customFields: [{ id: c1, name: Site, values: [{ id: v1, name: Wien }] }], hosts: [{ id: 1, name: A, customFields: { Site: Wien } }], groups: [{ id: 17, name: Wien }] }`;
  const expected = 'expect: { refused: [unknown-custom-field], exit: 3 }';
  const bare = `{ name: bare, observed: { hosts: [], groups: [{ id: 17, name: Wien }] }, expect: { refused: [] } }`;
  await write(
    'a.rampart-test.yaml',
    `desired: fleet.yaml\ncases:\n  - { name: seed, observed: ${seed}, ${expected} }\n  - { name: snapshot, observed: s.json, ${expected} }\n  - ${bare}\n`,
  );
  expect(await rampart('test')).toMatchObject({ code: 0, err: '' });
});
