import { describe, expect, it, onTestFinished } from 'vitest';
import { createVirtualClock } from '../../src/core/lib/virtual-clock.ts';
import { createEmulator } from '../../src/service/emulator/emulator.ts';
import { fleetState } from '../../src/service/emulator/fleet-state.ts';
import { serve } from '../../src/service/emulator/serve.ts';
import { testPsk, workplace } from '../given/command-line.ts';

type Listed = Readonly<Record<string, unknown>>;
/** What the list has at the place of a host. */
type Damage = (host: Listed) => unknown;

const size = 200;
const name = (id: number) => `H${id}`;

/** Hosts on a socket, whose list has some of them in another form. */
async function damagedService(
  damage: Readonly<Record<number, Damage>>,
  damagedList: '/hostswithgroups' | '/anti-virus/details' = '/hostswithgroups',
) {
  const emulator = createEmulator({
    state: fleetState({
      psk: testPsk,
      groups: [{ id: '17', name: 'Berlin' }],
      hosts: Array.from({ length: size }, (_, index) => ({ id: String(index + 1), name: name(index + 1) })),
    }),
    clock: createVirtualClock(Date.parse('2026-11-21T09:00:00Z'), { auto: true }),
  });
  const state = { damage, fromWrite: 0 };
  let writes = 0;
  const served = await serve({
    async respond(request, options) {
      if (request.method !== 'GET') writes += 1;
      const reply = await emulator.respond(request, options);
      if (!request.path.endsWith(damagedList) || writes < state.fromWrite) return reply;
      const list = JSON.parse(new TextDecoder().decode(reply.message.body)) as { hosts: readonly Listed[] };
      const hosts = list.hosts.map((host) =>
        (state.damage[Number(host['id'] ?? host['hostId'])] ?? ((each) => each))(host),
      );
      const body = new TextEncoder().encode(JSON.stringify({ ...list, hosts }));
      return { message: { ...reply.message, body, headers: { 'content-type': 'application/json' } } };
    },
  });
  onTestFinished(() => served.close());
  const env = {
    RAMPART_BASE_URL: served.url,
    RAMPART_COMPANY_ID: emulator.credentials.companyId,
    RAMPART_PSK: testPsk,
  };
  return { emulator, env, state, writes: () => writes };
}

const toNull: Damage = () => null;
const without =
  (key: string): Damage =>
  (host) =>
    Object.fromEntries(Object.entries(host).filter(([each]) => each !== key));
const withValue =
  (key: string, value: unknown): Damage =>
  (host) => ({ ...host, [key]: value });
const fleetOf = (...lines: readonly string[]) =>
  `version: 1\nhosts:\n${lines.map((line) => `  - ${line}\n`).join('')}`;

const damages: readonly (readonly [string, Damage, RegExp])[] = [
  ['is null', toNull, /the host at position 7 of the list can't be read/],
  ['has no flag', without('isHostOnline'), /host 7 can't be read \(isHostOnline/],
  ['has no group', without('groupid'), /host 7 can't be read \(groupid/],
  ['has a number for a name', withValue('description', 5), /host 7 can't be read \(description/],
  ['has a text for an id', withValue('id', 'seven'), /position 7 of the list can't be read \(id/],
];

describe('a list in which one host', () => {
  it.each(damages)(
    '%s is read, the host is reported, and the others are changed',
    async (_, damage, warned) => {
      const { rampart, write } = await workplace();
      const { env, emulator } = await damagedService({ 7: damage });
      await write('fleet.yaml', fleetOf('{ id: 1, name: NEW }', '{ id: 2, group: Berlin }'));
      const planned = await rampart(['plan', '--out', 'plan.json'], { env });
      expect(planned.code).toBe(0);
      expect(planned.out).toMatch(warned);
      expect((await rampart(['apply', 'plan.json'], { env })).code).toBe(0);
      const after = emulator.state().hosts;
      expect(after.find(({ id }) => id === '1')?.name).toBe('NEW');
      expect(after.find(({ id }) => id === '7')?.name).toBe('H7');
      const listed = await rampart(['hosts', '--format', 'csv'], { env });
      expect([listed.code, listed.out.split('\n').length]).toEqual([0, size + 1]);
      expect(listed.err).toMatch(warned);
    },
  );

  it.each([
    ['renames it', '{ id: 7, name: NEW }'],
    ['leaves it as it is', '{ id: 7, name: H7 }'],
    ['deletes it', '{ id: 7, ensure: absent }'],
  ])('is null refuses a plan that %s', async (_what, entry) => {
    const { rampart, write } = await workplace();
    const { env, writes } = await damagedService({ 7: toNull });
    await write('fleet.yaml', fleetOf('{ id: 1, name: OTHER }', entry));
    const planned = await rampart(['apply', '--auto-approve'], { env });
    expect(planned.code).toBe(3);
    expect(`${planned.out}${planned.err}`).toContain('the entry needs host 7');
    expect(writes()).toBe(0);
  });
});

const worse: readonly (readonly [string, Damage])[] = [
  ['are null', toNull],
  ['have an id beyond 63 bits', withValue('id', 2 ** 63)],
  ['have a fraction as an id', withValue('id', 7.5)],
  ['have no name', without('description')],
];
/** The same share of a list that hosts may be missing from by default. */
const mostUnreadable = size / 5;
const first = (count: number, damage: Damage) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [index + 100, damage]));

describe('a list in which many hosts', () => {
  it.each(worse)('%s is used if they are at most a fifth, without touching them', async (_, damage) => {
    const { rampart, write } = await workplace();
    const { env, emulator } = await damagedService(first(mostUnreadable, damage));
    await write('fleet.yaml', fleetOf('{ id: 1, name: NEW }'));
    expect((await rampart(['plan'], { env })).code).toBe(0);
    await rampart(['apply', '--auto-approve'], { env });
    const changed = emulator.state().hosts.filter((host) => host.name !== name(Number(host.id)));
    expect(changed.map(({ id }) => id)).toEqual(['1']);
  });

  it.each(['plan', 'apply --auto-approve', 'hosts', 'hosts snapshot', 'drift'])(
    'are null is refused as a whole if they are more than a fifth, and nothing is sent: %s',
    async (command) => {
      const { rampart, write } = await workplace();
      const { env, writes } = await damagedService(first(mostUnreadable + 1, toNull));
      await write('fleet.yaml', fleetOf('{ id: 1, name: NEW }'));
      const ran = await rampart(command.split(' '), { env });
      expect([ran.code, writes()]).toEqual([1, 0]);
      expect(ran.err).toContain("41 of 200 hosts can't be read, so nothing of the list is used");
    },
  );
});

describe("a host that can't be read", () => {
  it('is needed by an entry with its name, and by a rename to its name', async () => {
    const { rampart, write } = await workplace();
    const { env } = await damagedService({ 7: without('isHostOnline') });
    await write('fleet.yaml', fleetOf('{ name: H7, group: Berlin }'));
    expect((await rampart(['plan'], { env })).code).toBe(3);
    await write('fleet.yaml', fleetOf('{ name: H800, group: Berlin }'));
    expect((await rampart(['plan'], { env })).code).toBe(0);
    await write('fleet.yaml', fleetOf('{ id: 1, name: h7 }'));
    const taken = await rampart(['plan'], { env });
    expect([taken.code, taken.out.includes('the name "h7", requested for 1')]).toEqual([3, true]);
  });

  it('is not deleted by a saved plan, and does not prove its own deletion', async () => {
    for (const damage of [toNull, without('isHostOnline')]) {
      const { rampart, write } = await workplace();
      const { env, state, writes } = await damagedService({});
      await write('fleet.yaml', fleetOf('{ id: 7, ensure: absent }'));
      expect((await rampart(['plan', '--out', 'plan.json'], { env })).code).toBe(0);
      state.damage = { 7: damage };
      expect([(await rampart(['apply', 'plan.json'], { env })).code, writes()]).toEqual([7, 0]);
      state.damage = { 8: toNull };
      state.fromWrite = 1;
      const ran = await rampart(['apply', 'plan.json'], { env });
      expect([ran.code, writes()]).toEqual([8, 1]);
      expect(ran.err).toContain('the deletion of host 7 is not confirmed');
      expect(ran.out).not.toContain('the deletion of host 7 is not confirmed');
    }
  });

  it('stays unknown in a snapshot', async () => {
    const { rampart, write } = await workplace();
    const { env } = await damagedService({ 7: without('groupid') });
    expect((await rampart(['hosts', 'snapshot', '--out', 'fleet.json'], { env })).code).toBe(0);
    await write('fleet.yaml', fleetOf('{ id: 7, name: NEW }'));
    const planned = await rampart(['plan', '--observed', 'fleet.json']);
    expect([planned.code, planned.out.includes('host 7')]).toEqual([3, true]);
  });

  it('is a failure of the list if it is listed twice', async () => {
    const { rampart } = await workplace();
    const twice = await damagedService({ 7: (host) => ({ ...host, id: 8, isHostOnline: null }) });
    const ran = await rampart(['hosts'], { env: twice.env });
    expect([ran.code, ran.err.includes('list-inconsistent')]).toEqual([1, true]);
  });
});

describe('an anti-virus list in which one host has another form', () => {
  const damaged = () => damagedService({ 7: without('isOnline') }, '/anti-virus/details');

  it('does not affect plans that do not need it, and the host is reported', async () => {
    const { rampart, write } = await workplace();
    const { env, emulator } = await damaged();
    await write('fleet.yaml', fleetOf('{ id: 1, antivirus: installed }', '{ id: 7, name: NEW }'));
    const planned = await rampart(['plan', '--out', 'plan.json'], { env });
    expect(planned.code).toBe(0);
    expect(planned.out).toMatch(/the anti-virus list has host 7 in a form that can't be read/);
    expect((await rampart(['apply', 'plan.json'], { env })).code).toBe(0);
    expect([...emulator.installs]).toEqual([['1', 1]]);
    expect(emulator.state().hosts.find(({ id }) => id === '7')?.name).toBe('NEW');
  });

  it.each([
    ['an entry', fleetOf('{ id: 7, antivirus: installed }')],
    [
      'a rule',
      'version: 1\nhosts: []\nrules:\n  - { name: all, when: \'host.name == "H7"\', antivirus: installed }\n',
    ],
  ])(
    'refuses a plan of %s that requests an install there, reports the host, and sends nothing',
    async (_, fleet) => {
      const { rampart, write } = await workplace();
      const { env, writes } = await damaged();
      await write('fleet.yaml', fleet);
      const planned = await rampart(['plan'], { env });
      expect(planned.code).toBe(3);
      expect(planned.out).toMatch(/the plan needs to know whether "H7" \(7\) has the anti-virus/);
      expect([(await rampart(['apply', '--auto-approve'], { env })).code, writes()]).toEqual([3, 0]);
      expect((await rampart(['hosts', 'snapshot', '--out', 's.json'], { env })).code).toBe(0);
      expect((await rampart(['plan', '--observed', 's.json'])).code).toBe(3);
      expect((await rampart(['drift', '--observed', 's.json'])).code).toBe(3);
    },
  );
});

describe('a name with a line break', () => {
  it.each(['\\n', '\\u2028'])('is refused in a desired state: %s', async (escape) => {
    const { rampart, write } = await workplace();
    await write('fleet.yaml', fleetOf(`{ id: 1, name: "A${escape}B" }`));
    const ran = await rampart(['validate']);
    expect([ran.code, ran.err.includes('contains a line break')]).toEqual([3, true]);
    expect(ran.err).toContain('fleet.yaml:3:');
  });

  it('is refused in a table and in the result of a rule', async () => {
    const { rampart, write } = await workplace();
    const { env } = await damagedService({});
    await write('hosts.csv', 'id,name\n1,"A\nB"\n');
    await write('fleet.yaml', 'version: 1\nhostsFrom: hosts.csv\n');
    expect((await rampart(['validate'])).code).toBe(3);
    const rule = 'rules:\n  - { name: two, when: host.name == "H1", rename: "${host.name}\\nx" }\n';
    await write('fleet.yaml', `version: 1\nhosts: []\n${rule}`);
    const ran = await rampart(['plan'], { env });
    expect([ran.code, ran.out.includes('the name would contain a line break')]).toEqual([3, true]);
  });
});
