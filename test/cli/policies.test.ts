import { expect, it, test } from 'vitest';
import { type Ran, type Workplace, workplace } from '../given/command-line.ts';

/** Commands run on Saturday, 21 November 2026, at 09:00 UTC. */
const seed = `groups:
  - { id: 17, name: Berlin }
  - { id: 18, name: Attic }
hosts:
  - { id: 1, name: PC-1, group: Berlin }
  - { id: 2, name: PC-2, group: Berlin }
  - { id: 3, name: PC-3, group: Berlin, online: false }
  - { id: 4, name: PC-4 }
`;

async function given(desired: string): Promise<Workplace & { run(...argv: string[]): Promise<Ran> }> {
  const place = await workplace({ 'seed.yaml': seed, 'fleet.yaml': `version: 1\n${desired}` });
  const emulator = ['--emulator=seed.yaml', '--emulator-state', 'state.yaml'];
  return { ...place, run: (...argv) => place.rampart([...argv, ...emulator]) };
}

const hosts = `hosts:
  - { id: 1, name: BER-1, group: Berlin }
  - { id: 2, name: BER-2, group: Attic }
  - { id: 3, ensure: absent }
  - { id: 4, antivirus: installed }
`;

test.each([
  [
    'deny',
    'policy: { deny: [{ name: moves, when: \'change.kind == "move" && change.to == "Attic"\', message: it is full }] }',
    'error[denied]: it is full: "PC-2" (2) would be moved to "Attic" (deny "moves")',
  ],
  [
    'a window',
    'policy: { windows: [{ name: nights, only: "Mon-Fri 20:00-06:00 Europe/Berlin" }] }',
    '= opens Mon 2026-11-23 20:00 Europe/Berlin',
  ],
  [
    'a freeze',
    'policy: { freeze: { until: 2027-01-07T00:00:00Z } }',
    'error[frozen]: the fleet is frozen: no change is allowed before 2027-01-07T00:00:00Z (freeze "freeze")',
  ],
  [
    'the limit of a group',
    'groups: [{ group: Berlin, limits: { rename: 1 } }]',
    'error[group-limit-exceeded]: 2 renames are planned in "Berlin", but the limit is 1',
  ],
  [
    'unmanaged hosts',
    'unmanaged: forbid',
    'error[unmanaged-hosts]: "PC-4" (4) is unmanaged',
    hosts.replace(/.*id: 4.*\n/, ''),
  ],
])(
  'a plan that goes against a policy is shown in full, and refused %s',
  async (_what, policy, message, entries = hosts) => {
    const { run } = await given(`${entries}${policy}\n`);
    expect(await run('plan')).toExit(6, { out: [message, /Rename 2 hosts[^]*This plan can't be applied/] });
    expect(await run('apply', '--auto-approve')).toMatchObject({ code: 6 });
  },
);

test.each([
  ['in its hours', 'policy: { windows: [{ name: weekends, only: "Sat,Sun Europe/Berlin" }] }'],
  ['outside of a freeze', 'policy: { freeze: { until: 2026-11-21T09:00:00Z } }'],
  ['with a warning', "policy: { warn: [{ name: w, when: 'true', message: look }] }"],
  ['within the limits of a group', 'groups: [{ group: Berlin, limits: { rename: 2, delete: 40% } }]'],
])('a plan is applied %s', async (_what, policy) => {
  const { run } = await given(`${hosts}policy: {}\n${policy}\n`.replace(/policy: \{\}\n(?=policy)/, ''));
  expect(await run('apply', '--auto-approve')).toMatchObject({ code: 0 });
});

it('--ack lifts the limit of installs, and no limit of a group', async () => {
  const { run } = await given(`${hosts}policy: { limits: { antivirus: 0 } }\n`);
  expect((await run('plan', '--ack', 'antivirus=1')).code).toBe(0);
  const grouped = await given(`${hosts}groups: [{ group: Berlin, limits: { rename: 1 } }]\n`);
  expect((await grouped.run('plan', '--ack', 'rename=2')).code).toBe(6);
});

it('a saved plan contains its windows, and apply checks them', async () => {
  const { run } = await given(
    `${hosts}policy: { windows: [{ name: nights, only: "Mon-Fri 20:00-06:00 UTC", kinds: [move] }] }\n`,
  );
  expect((await run('plan', '--out', 'plan.json')).code).toBe(6);
  const shown = JSON.parse((await run('show', 'plan.json', '--json')).out) as {
    readonly constraints: object;
    readonly problems: readonly { readonly code: string; readonly policy?: string }[];
  };
  expect(shown.constraints).toMatchObject({
    windows: [{ name: 'nights', kinds: ['move'], only: ['Mon-Fri 20:00-06:00 UTC'] }],
  });
  expect(shown.problems).toMatchObject([{ code: 'outside-window', policy: 'nights' }]);
  expect(await run('apply', 'plan.json')).toExit(6, 'opens Mon 2026-11-23 20:00 UTC');
});

it('an exclusive group is emptied of others once, and then there is nothing to do', async () => {
  const { run } = await given(
    'hosts: [{ id: 1, group: Berlin }]\ngroups: [{ group: Berlin, exclusive: true, othersTo: Attic }]\n',
  );
  const planned = await run('plan');
  expect(planned.out).toMatch(
    /Move 2 hosts to Attic .*\n.* PC-2 +2 +line 3  from Berlin\n.* PC-3 +3 +line 3  from Berlin\n/,
  );
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
});

it('an exclusive group that sends its others into another one is not settled, and refused', async () => {
  const { run } = await given(
    'hosts: []\ngroups: [{ group: Berlin, exclusive: true, othersTo: Attic }, { group: Attic, exclusive: true, othersTo: Berlin }]\n',
  );
  expect(await run('plan')).toExit(3, { out: 'error[' });
});
