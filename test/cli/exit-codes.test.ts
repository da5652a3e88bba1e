import { describe, expect, it } from 'vitest';
import type { FleetParts } from '../../src/service/emulator/fleet-state.ts';
import { connected, givenService, type Ran, workplace } from '../given/command-line.ts';

const fleet: FleetParts = {
  groups: [{ id: '17', name: 'Berlin' }],
  hosts: Array.from({ length: 10 }, (_, index) => ({ id: String(index + 1), name: `H${index + 1}` })),
};

const renameOne = 'version: 1\nhosts:\n  - { id: 1, name: NEW }\n';
const deleteThree = `version: 1\nhosts:\n${[1, 2, 3].map((id) => `  - { id: ${id}, ensure: absent }`).join('\n')}\n`;
const swap = 'version: 1\nhosts:\n  - { id: 1, name: H2 }\n  - { id: 2, name: H1 }\n';

const writesOf = ({ requests }: { readonly requests: readonly { readonly method: string }[] }) =>
  requests.filter(({ method }) => method !== 'GET').length;

it('0 an apply that converges, and one that has nothing to do', async () => {
  const { rampart, emulator } = await connected(fleet, {}, { 'fleet.yaml': swap });
  expect(await rampart('apply --auto-approve')).toExit(0);
  expect(writesOf(emulator)).toBe(3);
  expect((await rampart('apply --auto-approve')).code).toBe(0);
  expect(writesOf(emulator)).toBe(3);
});

describe('1', () => {
  it('a run at the same time as another one, which is named before any plan', async () => {
    const seconds: Ran[] = [];
    const { rampart, write, emulator } = await connected(fleet, {
      hooks: {
        beforeEach: async ({ action, nth }) => {
          if (action !== 'renameHost' || nth !== 1) return;
          seconds.push(await rampart('apply -f other.yaml --auto-approve'));
          seconds.push(await rampart('apply'));
        },
      },
    });
    await write('fleet.yaml', renameOne);
    await write('other.yaml', 'version: 1\nhosts:\n  - { id: 2, name: OTHER }\n');
    expect((await rampart('apply --auto-approve')).code).toBe(0);
    expect(seconds).toHaveLength(2);
    for (const second of seconds) {
      expect(second).toMatchObject({ code: 1, out: '' });
      expect(second.err).toMatch(/another run is in progress: it holds the lock of .+, run \d{8}T/);
    }
    expect(writesOf(emulator)).toBe(1);
  });
});

it('2 changes, with --detailed-exitcode only', async () => {
  const { rampart } = await connected(fleet, {}, { 'fleet.yaml': renameOne });
  expect((await rampart('plan --detailed-exitcode')).code).toBe(2);
  expect(await rampart('plan')).toMatchObject({ code: 0, err: '' });
});

describe('3', () => {
  it.each([
    ['not YAML', 'version: 1\nhosts: [\n'],
    ['an unknown key', 'version: 1\nhosts:\n  - { id: 1, nmae: X }\n'],
    ['a host claimed twice', 'version: 1\nhosts:\n  - { id: 1, name: X }\n  - { id: 1, name: Y }\n'],
    ['nothing', ''],
  ])('%s in the file, from validate and plan, with no request', async (_, text) => {
    const { rampart, emulator } = await connected(fleet, {}, { 'fleet.yaml': text });
    for (const command of ['validate', 'plan']) {
      const ran = await rampart(command);
      expect(ran).toExit(3, /fleet\.yaml:\d+:\d+/, { out: '' });
      expect(ran.err).not.toMatch(/^\s+at .*\.ts:/m);
    }
    expect(emulator.requests).toHaveLength(0);
  });

  it.each([
    ['plan --ot x', '--out'],
    ['apply --ack delete', '--ack'],
    ['apply --ack delet=3', '--ack'],
    ['plan --batch-size 0', 'batch-size'],
    ['show', 'plan'],
    ['emulator --port 70000', 'port'],
    ['apply plan.json -f fleet.yaml', 'plan file'],
    ['apply plan.json --delete-first', '--delete-first'],
  ])('the command line "%s"', async (line, mentioned) => {
    const { rampart } = await workplace();
    const ran = await rampart(line);
    expect(ran).toExit(3, 'error[', { out: '' });
    expect(ran.err.toLowerCase()).toContain(mentioned);
  });

  it('no credentials', async () => {
    const { rampart } = await workplace();
    expect(await rampart('hosts')).toExit(3, '--emulator');
  });

  it('a name that a host outside the plan has', async () => {
    const { rampart, write } = await connected(fleet);
    await write('fleet.yaml', 'version: 1\nhosts:\n  - { id: 1, name: H9 }\n');
    expect((await rampart('plan --out plan.json')).code).toBe(3);
    expect((await rampart('apply plan.json')).code).toBe(3);
  });

  it('a file for another company than the credentials, with no request', async () => {
    const { rampart, write, emulator } = await connected(fleet);
    await write('fleet.yaml', `account: { companyId: 42 }\n${renameOne}`);
    for (const command of ['plan', 'apply --auto-approve']) {
      expect(await rampart(command)).toExit(3, 'account-mismatch');
    }
    expect(emulator.requests).toHaveLength(0);
  });

  it('a plan file that was edited, is of another version, or is none', async () => {
    const { rampart, write, emulator } = await connected(fleet, {}, { 'fleet.yaml': renameOne });
    await rampart('plan --out plan.json');
    const saved = (await rampart('show plan.json --json')).out;
    await write('edited.json', saved.replaceAll('NEW', 'OTHER'));
    await write('newer.json', saved.replace('"format_version": "5', '"format_version": "9'));
    await write('none.json', '{}');
    for (const file of ['edited.json', 'newer.json', 'none.json', 'missing.json']) {
      expect((await rampart(['apply', file])).code, file).toBe(3);
      expect((await rampart(['show', file])).code, file).toBe(3);
    }
    expect(writesOf(emulator)).toBe(0);
  });
});

describe('4', () => {
  it('credentials that the service does not know', async () => {
    const { rampart } = await connected(fleet, {}, { 'fleet.yaml': renameOne });
    const env = { RAMPART_PSK: 'not-the-right-key' };
    for (const command of [
      'doctor credentials',
      'hosts',
      'hosts groups',
      'hosts snapshot',
      'plan',
      'apply --auto-approve',
    ]) {
      expect(await rampart(command, { env }), command).toExit(4, 'not-authenticated');
    }
  });

  it('credentials that are refused in the middle of a run', async () => {
    const { rampart, write } = await connected(fleet, {
      faults: [{ action: 'writes', effect: { kind: 'status', status: 401 } }],
    });
    await write('fleet.yaml', renameOne);
    expect((await rampart('apply --auto-approve')).code).toBe(4);
  });
});

describe('6', () => {
  it('a limit that is exceeded: the plan is still shown and written', async () => {
    const { rampart } = await connected(fleet, {}, { 'fleet.yaml': deleteThree });
    const ran = await rampart('plan --out plan.json --detailed-exitcode');
    expect(ran).toMatchObject({ code: 6, out: expect.stringContaining('Delete 3 hosts') });
    expect(ran.out).toContain('--ack delete=3');
    expect((await rampart('show plan.json')).out).toContain('Delete 3 hosts');
    expect((await rampart('apply plan.json')).code).toBe(6);
    expect((await rampart('apply plan.json --ack delete=2')).code).toBe(6);
    expect((await rampart('apply plan.json --ack delete=3')).code).toBe(0);
  });

  it("approval of a count that is not the plan's, even if no limit is exceeded", async () => {
    const { rampart, emulator } = await connected(fleet, {}, { 'fleet.yaml': renameOne });
    expect((await rampart('plan --ack delete=1')).code).toBe(6);
    expect((await rampart('apply --auto-approve --ack rename=2')).code).toBe(6);
    expect(writesOf(emulator)).toBe(0);
  });

  it('an apply without a terminal to ask on, or with any answer but yes', async () => {
    const { rampart, emulator } = await connected(fleet, {}, { 'fleet.yaml': renameOne });
    for (const options of [{}, { answer: 'y' }, { answer: 'YES' }, { answer: '' }])
      expect((await rampart('apply', options)).code, JSON.stringify(options)).toBe(6);
    expect(writesOf(emulator)).toBe(0);
    const ran = await rampart('apply', { answer: 'yes' });
    expect(ran.code).toBe(0);
    expect(ran.err).toContain('Apply these changes? Only "yes" is accepted');
    expect(writesOf(emulator)).toBe(1);
  });

  it('RAMPART_READ_ONLY, before anything is sent', async () => {
    const { rampart, emulator } = await connected(fleet, {}, { 'fleet.yaml': renameOne });
    await rampart('plan --out plan.json');
    const before = emulator.requests.length;
    const env = { RAMPART_READ_ONLY: '1' };
    for (const command of [
      'apply --auto-approve',
      'apply plan.json',
      'hosts antivirus refresh --all',
      'hosts connect H1',
      'hosts inventory pull',
    ])
      expect(await rampart(command, { env }), command).toMatchObject({ code: 6 });
    expect((await rampart('hosts inventory pull', { env })).err).toContain('RAMPART_READ_ONLY=reports');
    expect(emulator.requests).toHaveLength(before);
    expect((await rampart('plan', { env })).code).toBe(0);
    expect(writesOf(emulator)).toBe(0);
    await rampart('apply --auto-approve');
    const applied = emulator.requests.length;
    expect(await rampart('undo --auto-approve', { env })).toExit(6);
    expect(emulator.requests).toHaveLength(applied);
  });
});

describe('7', () => {
  it('a plan whose hosts have changed: each is named and nothing is written', async () => {
    const { rampart, emulator } = await connected(fleet, {}, { 'fleet.yaml': swap });
    await rampart('plan --out plan.json');
    emulator.edit({ kind: 'rename', id: '2', name: 'SOMEBODY-ELSE' });
    const ran = await rampart('apply plan.json');
    expect(ran.code).toBe(7);
    expect(`${ran.out}${ran.err}`).toContain('SOMEBODY-ELSE');
    expect(writesOf(emulator)).toBe(0);
  });

  it('but not one whose neighbors have', async () => {
    const { rampart, emulator } = await connected(fleet, {}, { 'fleet.yaml': swap });
    await rampart('plan --out plan.json');
    emulator.edit({ kind: 'rename', id: '5', name: 'SOMEBODY-ELSE' });
    emulator.edit({ kind: 'online', id: '1', online: false });
    emulator.edit({ kind: 'enroll', host: { id: '99', name: 'FRESH' } });
    expect((await rampart('apply plan.json')).code).toBe(0);
  });

  it('the plan of another account', async () => {
    const { rampart, write } = await workplace();
    const service = await givenService(fleet);
    const other = await givenService({ ...fleet, companyId: '42' });
    await write('fleet.yaml', renameOne);
    await rampart('plan --out plan.json', { env: service.env });
    expect((await rampart('apply plan.json', { env: other.env })).code).toBe(7);
    expect(other.emulator.requests).toHaveLength(0);
  });
});

describe('130', () => {
  it('an interrupt whose progress counts no step that was not started', async () => {
    const hosts = Array.from({ length: 300 }, (_, index) => ({ id: `${index + 1}`, name: `H${index + 1}` }));
    const { rampart, write, interrupt } = await connected(
      { hosts },
      {
        hooks: {
          beforeEach: ({ action, nth }) => void (action === 'renameHost' && nth === 1 && interrupt()),
        },
      },
    );
    const entries = hosts.map(({ id }) => `  - { id: ${id}, name: N${id} }`);
    await write('fleet.yaml', `version: 1\nhosts:\n${entries.join('\n')}\n`);
    const ran = await rampart('apply --auto-approve');
    expect(ran).toExit(130, { out: /^Not started: \d+ steps\. The next apply continues with them\.$/m });
    expect(ran.err).not.toContain('[300/300]');
  });

  it('an interrupt in the middle of a run: calls in flight end, the rest is not started', async () => {
    const { rampart, write, interrupt, exits, emulator } = await connected(fleet, {
      hooks: {
        beforeEach: ({ action, nth }) => {
          if (action === 'renameHost' && nth === 1) interrupt();
        },
      },
    });
    await write(
      'fleet.yaml',
      'version: 1\nhosts:\n  - { id: 1, name: H2 }\n  - { id: 2, name: H3 }\n  - { id: 3, name: NEW }\n',
    );
    const ran = await rampart('apply --auto-approve');
    expect(ran.code).toBe(130);
    expect(`${ran.out}${ran.err}`).toContain('not started');
    expect(writesOf(emulator)).toBe(1);
    expect(exits).toEqual([]);
    expect((await rampart('apply --auto-approve')).code).toBe(0);
    expect(emulator.state().hosts.slice(0, 3)).toMatchObject([
      { name: 'H2' },
      { name: 'H3' },
      { name: 'NEW' },
    ]);
  });

  it.each([
    [999, []],
    [1_000, [130]],
  ])('a second interrupt %i ms after the first ends the process with %j', async (ms, ends) => {
    const { rampart, write, interrupt, exits, clock } = await connected(fleet, {
      hooks: {
        beforeEach: async ({ action, nth }) => {
          if (action !== 'renameHost' || nth !== 1) return;
          interrupt();
          await clock.sleep(ms);
          interrupt();
        },
      },
    });
    await write('fleet.yaml', renameOne);
    await rampart('apply --auto-approve');
    expect(exits).toEqual(ends);
  });
});
