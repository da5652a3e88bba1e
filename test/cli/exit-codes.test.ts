import { describe, expect, it } from 'vitest';
import type { FleetParts } from '../../src/service/emulator/fleet-state.ts';
import { givenService, workplace } from '../given/command-line.ts';

const fleet: FleetParts = {
  groups: [{ id: '17', name: 'Berlin' }],
  hosts: Array.from({ length: 10 }, (_, index) => ({ id: String(index + 1), name: `H${index + 1}` })),
};

const renameOne = 'version: 1\nhosts:\n  - { id: 1, name: NEW }\n';
const asItIs = 'version: 1\nhosts:\n  - { id: 1, name: H1 }\n';
const deleteThree = `version: 1\nhosts:\n${[1, 2, 3].map((id) => `  - { id: ${id}, ensure: absent }`).join('\n')}\n`;
const swap = 'version: 1\nhosts:\n  - { id: 1, name: H2 }\n  - { id: 2, name: H1 }\n';

const writesOf = (service: {
  readonly emulator: { readonly requests: readonly { readonly method: string }[] };
}) => service.emulator.requests.filter((request) => request.method !== 'GET').length;

describe('0', () => {
  it('a plan, with or without changes', async () => {
    const { rampart, write } = await workplace();
    const { env } = await givenService(fleet);
    await write('fleet.yaml', renameOne);
    expect(await rampart(['plan'], { env })).toMatchObject({ code: 0, err: '' });
    await write('fleet.yaml', asItIs);
    expect((await rampart(['plan', '--detailed-exitcode'], { env })).code).toBe(0);
  });

  it('an apply that converges, and one that has nothing to do', async () => {
    const { rampart, write } = await workplace();
    const service = await givenService(fleet);
    await write('fleet.yaml', swap);
    const applied = await rampart(['apply', '--auto-approve'], { env: service.env });
    expect(applied).toMatchObject({ code: 0 });
    expect(writesOf(service)).toBe(3);
    expect((await rampart(['apply', '--auto-approve'], { env: service.env })).code).toBe(0);
    expect(writesOf(service)).toBe(3);
  });

  it('an empty desired state', async () => {
    const { rampart, write } = await workplace();
    const { env } = await givenService(fleet);
    await write('fleet.yaml', 'version: 1\nhosts: []\n');
    expect((await rampart(['validate'])).code).toBe(0);
    expect((await rampart(['plan', '--detailed-exitcode'], { env })).code).toBe(0);
  });
});

describe('1', () => {
  it('a run at the same time as another one, which is named before any plan', async () => {
    const { rampart, write } = await workplace();
    const seconds: Awaited<ReturnType<typeof rampart>>[] = [];
    const service = await givenService(fleet, {
      hooks: {
        beforeEach: async ({ action, nth }) => {
          if (action !== 'renameHost' || nth !== 1) return;
          seconds.push(await rampart(['apply', '-f', 'other.yaml', '--auto-approve'], { env: service.env }));
          seconds.push(await rampart(['apply'], { env: service.env }));
        },
      },
    });
    await write('fleet.yaml', renameOne);
    await write('other.yaml', 'version: 1\nhosts:\n  - { id: 2, name: OTHER }\n');
    expect((await rampart(['apply', '--auto-approve'], { env: service.env })).code).toBe(0);
    expect(seconds).toHaveLength(2);
    for (const second of seconds) {
      expect(second).toMatchObject({ code: 1, out: '' });
      expect(second.err).toMatch(/another run is in progress: it holds the lock of .+, run \d{8}T/);
    }
    expect(writesOf(service)).toBe(1);
  });

  it('no way to the service', async () => {
    const { rampart, write } = await workplace();
    const service = await givenService(fleet, { faults: [{ effect: { kind: 'drop', when: 'before' } }] });
    await write('fleet.yaml', renameOne);
    const ran = await rampart(['plan'], { env: service.env });
    expect(ran).toMatchObject({ code: 1, out: '' });
    expect(ran.err).toContain('error[network]');
  });

  it('a list that the service refuses', async () => {
    const { rampart } = await workplace();
    const service = await givenService(fleet, { faults: [{ effect: { kind: 'status', status: 500 } }] });
    expect((await rampart(['hosts'], { env: service.env })).code).toBe(1);
  });

  it('a lock that another run holds, named with the way out', async () => {
    const { rampart, write, folder } = await workplace();
    const service = await givenService(fleet);
    await write('fleet.yaml', renameOne);
    const held = await holdLock(folder, service.env);
    const ran = await rampart(['apply', '--auto-approve'], { env: service.env });
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('somebody on elsewhere');
    expect(ran.err).toContain('rampart state unlock');
    expect(writesOf(service)).toBe(0);
    expect(
      (await rampart(['state', 'unlock', '--reason', 'it has ended'], { env: service.env })).out,
    ).toContain('somebody on elsewhere');
    expect((await rampart(['apply', '--auto-approve'], { env: service.env })).code).toBe(0);
    expect(held).toBe(true);
  });
});

describe('2', () => {
  it('changes, with --detailed-exitcode only', async () => {
    const { rampart, write } = await workplace();
    const { env } = await givenService(fleet);
    await write('fleet.yaml', renameOne);
    expect((await rampart(['plan', '--detailed-exitcode'], { env })).code).toBe(2);
  });
});

describe('3', () => {
  const files = [
    ['not YAML', 'version: 1\nhosts: [\n'],
    ['an unknown key', 'version: 1\nhosts:\n  - { id: 1, nmae: X }\n'],
    ['a wrong version', 'version: 2\nhosts: []\n'],
    ['an id that is no 64-bit integer', 'version: 1\nhosts:\n  - { id: 9223372036854775808, name: X }\n'],
    ['a host claimed twice', 'version: 1\nhosts:\n  - { id: 1, name: X }\n  - { id: 1, name: Y }\n'],
    ['nothing', ''],
  ] as const;

  for (const [what, text] of files) {
    it(`${what} in the file, from validate and plan, with no request`, async () => {
      const { rampart, write } = await workplace();
      const service = await givenService(fleet);
      await write('fleet.yaml', text);
      for (const command of ['validate', 'plan']) {
        const ran = await rampart([command], { env: service.env });
        expect(ran).toMatchObject({ code: 3, out: '' });
        expect(ran.err).toMatch(/fleet\.yaml:\d+:\d+/);
        expect(ran.err).not.toMatch(/^\s+at .*\.ts:/m);
      }
      expect(service.emulator.requests).toHaveLength(0);
    });
  }

  it('a file that is not there', async () => {
    const { rampart } = await workplace();
    expect((await rampart(['validate', '-f', 'nowhere.yaml'])).code).toBe(3);
    expect((await rampart(['plan'], { env: {} })).code).toBe(3);
  });

  const usage = [
    [['plann'], 'did you mean'],
    [['plan', '--ot', 'x'], '--out'],
    [['apply', '--ack', 'delete'], '--ack'],
    [['apply', '--ack', 'delet=3'], '--ack'],
    [['plan', '--batch-size', '0'], 'batch-size'],
    [['show'], 'plan'],
    [['hosts', '--format', 'xml'], 'format'],
    [['emulator', '--port', '70000'], 'port'],
    [['apply', 'plan.json', '-f', 'fleet.yaml'], 'plan file'],
    [['apply', 'plan.json', '--delete-first'], '--delete-first'],
  ] as const;
  for (const [argv, mentioned] of usage) {
    it(`the command line "${argv.join(' ')}"`, async () => {
      const { rampart } = await workplace();
      const ran = await rampart(argv);
      expect(ran).toMatchObject({ code: 3, out: '' });
      expect(ran.err.toLowerCase()).toContain(mentioned.toLowerCase());
      expect(ran.err).toContain('error[');
    });
  }

  it('no credentials', async () => {
    const { rampart } = await workplace();
    const ran = await rampart(['hosts']);
    expect(ran.code).toBe(3);
    expect(ran.err).toContain('--emulator');
  });

  it('plain http to another machine', async () => {
    const { rampart } = await workplace();
    const env = { RAMPART_BASE_URL: 'http://192.0.2.1', RAMPART_COMPANY_ID: '1', RAMPART_PSK: 'some-key' };
    const ran = await rampart(['hosts'], { env });
    expect(ran.code).toBe(3);
    expect(ran.err).toContain('insecure-url');
  });

  it('an unknown group, with the near miss', async () => {
    const { rampart, write } = await workplace();
    const { env } = await givenService(fleet);
    await write('fleet.yaml', 'version: 1\nhosts:\n  - { id: 1, group: Berlim }\n');
    const ran = await rampart(['plan'], { env });
    expect(ran.code).toBe(3);
    expect(ran.out).toContain('Berlin');
  });

  it('a name that a host outside the plan has', async () => {
    const { rampart, write } = await workplace();
    const { env } = await givenService(fleet);
    await write('fleet.yaml', 'version: 1\nhosts:\n  - { id: 1, name: H9 }\n');
    expect((await rampart(['plan', '--out', 'plan.json'], { env })).code).toBe(3);
    expect((await rampart(['apply', 'plan.json'], { env })).code).toBe(3);
  });

  it('an entry that matches nothing, with --strict only', async () => {
    const { rampart, write } = await workplace();
    const { env } = await givenService(fleet);
    await write('fleet.yaml', 'version: 1\nhosts:\n  - { name: NEW, group: Berlin }\n');
    expect((await rampart(['plan'], { env })).code).toBe(0);
    expect((await rampart(['plan', '--strict'], { env })).code).toBe(3);
  });

  it('a file for another company than the credentials, with no request', async () => {
    const { rampart, write } = await workplace();
    const service = await givenService(fleet);
    await write('fleet.yaml', `account: { companyId: 42 }\n${renameOne}`);
    for (const argv of [['plan'], ['apply', '--auto-approve']]) {
      const ran = await rampart(argv, { env: service.env });
      expect(ran.code).toBe(3);
      expect(ran.err).toContain('account-mismatch');
    }
    expect(service.emulator.requests).toHaveLength(0);
  });

  it('a plan file that was edited, is of another version, or is none', async () => {
    const { rampart, write } = await workplace();
    const service = await givenService(fleet);
    await write('fleet.yaml', renameOne);
    await rampart(['plan', '--out', 'plan.json'], { env: service.env });
    const saved = (await rampart(['show', 'plan.json', '--json'])).out;
    await write('edited.json', saved.replaceAll('NEW', 'OTHER'));
    await write('newer.json', saved.replace('"format_version": "5', '"format_version": "9'));
    await write('none.json', '{}');
    for (const file of ['edited.json', 'newer.json', 'none.json', 'missing.json']) {
      expect((await rampart(['apply', file], { env: service.env })).code, file).toBe(3);
      expect((await rampart(['show', file])).code, file).toBe(3);
    }
    expect(writesOf(service)).toBe(0);
  });
});

describe('4', () => {
  it('credentials that the service does not know', async () => {
    const { rampart, write } = await workplace();
    const { env } = await givenService(fleet);
    await write('fleet.yaml', renameOne);
    const wrong = { ...env, RAMPART_PSK: 'not-the-right-key' };
    for (const argv of [
      ['doctor', 'credentials'],
      ['hosts'],
      ['hosts', 'groups'],
      ['hosts', 'snapshot'],
      ['plan'],
      ['apply', '--auto-approve'],
    ]) {
      const ran = await rampart(argv, { env: wrong });
      expect(ran.code, argv.join(' ')).toBe(4);
      expect(ran.err).toContain('not-authenticated');
    }
  });

  it('a service that answers 200 and success false', async () => {
    const { rampart } = await workplace();
    const { env } = await givenService(fleet, { switches: { authenticationCheck: 'success-false' } });
    expect(
      (await rampart(['doctor', 'credentials'], { env: { ...env, RAMPART_PSK: 'wrong-key' } })).code,
    ).toBe(4);
  });

  it('credentials that are refused in the middle of a run', async () => {
    const { rampart, write } = await workplace();
    const { env } = await givenService(fleet, {
      faults: [{ action: 'writes', effect: { kind: 'status', status: 401 } }],
    });
    await write('fleet.yaml', renameOne);
    expect((await rampart(['apply', '--auto-approve'], { env })).code).toBe(4);
  });
});

describe('5', () => {
  it('one step that the service refuses, with the others done', async () => {
    const { rampart, write } = await workplace();
    const service = await givenService(fleet, {
      faults: [{ action: 'renameHost', effect: { kind: 'status', status: 400 } }],
    });
    await write('fleet.yaml', 'version: 1\nhosts:\n  - { id: 1, name: NEW }\n  - { id: 2, group: Berlin }\n');
    const ran = await rampart(['apply', '--auto-approve'], { env: service.env });
    expect(ran.code).toBe(5);
    expect(`${ran.out}${ran.err}`).toContain('rename H1 → NEW (host 1)');
    expect(service.emulator.state().hosts.find((host) => host.id === '2')?.groupId).toBe('17');
  });
});

describe('6', () => {
  it('a limit that is exceeded: the plan is still shown and written', async () => {
    const { rampart, write } = await workplace();
    const { env } = await givenService(fleet);
    await write('fleet.yaml', deleteThree);
    const ran = await rampart(['plan', '--out', 'plan.json', '--detailed-exitcode'], { env });
    expect(ran.code).toBe(6);
    expect(ran.out).toContain('Delete 3 hosts');
    expect(ran.out).toContain('--ack delete=3');
    expect((await rampart(['show', 'plan.json'])).out).toContain('Delete 3 hosts');
    expect((await rampart(['apply', 'plan.json'], { env })).code).toBe(6);
    expect((await rampart(['apply', 'plan.json', '--ack', 'delete=2'], { env })).code).toBe(6);
    expect((await rampart(['apply', 'plan.json', '--ack', 'delete=3'], { env })).code).toBe(0);
  });

  it("approval of a count that is not the plan's, even if no limit is exceeded", async () => {
    const { rampart, write } = await workplace();
    const service = await givenService(fleet);
    await write('fleet.yaml', renameOne);
    expect((await rampart(['plan', '--ack', 'delete=1'], { env: service.env })).code).toBe(6);
    expect((await rampart(['apply', '--auto-approve', '--ack', 'rename=2'], { env: service.env })).code).toBe(
      6,
    );
    expect(writesOf(service)).toBe(0);
  });

  for (const [what, options] of [
    ['no terminal to ask on', {}],
    ['the answer y', { answer: 'y' }],
    ['the answer YES', { answer: 'YES' }],
    ['an empty answer', { answer: '' }],
  ] as const) {
    it(`an apply with ${what}`, async () => {
      const { rampart, write } = await workplace();
      const service = await givenService(fleet);
      await write('fleet.yaml', renameOne);
      expect((await rampart(['apply'], { env: service.env, ...options })).code).toBe(6);
      expect(writesOf(service)).toBe(0);
    });
  }

  it('but not an apply with the answer yes', async () => {
    const { rampart, write } = await workplace();
    const service = await givenService(fleet);
    await write('fleet.yaml', renameOne);
    const ran = await rampart(['apply'], { env: service.env, answer: 'yes' });
    expect(ran.code).toBe(0);
    expect(ran.err).toContain('Apply these changes? Only "yes" is accepted');
    expect(writesOf(service)).toBe(1);
  });

  it('RAMPART_READ_ONLY, before anything is sent', async () => {
    const { rampart, write } = await workplace();
    const service = await givenService(fleet);
    await write('fleet.yaml', renameOne);
    await rampart(['plan', '--out', 'plan.json'], { env: service.env });
    const env = { ...service.env, RAMPART_READ_ONLY: '1' };
    for (const argv of [
      ['apply', '--auto-approve'],
      ['apply', 'plan.json'],
    ]) {
      expect((await rampart(argv, { env })).code).toBe(6);
    }
    expect((await rampart(['plan'], { env })).code).toBe(0);
    expect(writesOf(service)).toBe(0);
  });
});

describe('7', () => {
  it('a plan whose hosts have changed: each is named and nothing is written', async () => {
    const { rampart, write } = await workplace();
    const service = await givenService(fleet);
    await write('fleet.yaml', swap);
    await rampart(['plan', '--out', 'plan.json'], { env: service.env });
    service.emulator.edit({ kind: 'rename', id: '2', name: 'SOMEBODY-ELSE' });
    const ran = await rampart(['apply', 'plan.json'], { env: service.env });
    expect(ran.code).toBe(7);
    expect(`${ran.out}${ran.err}`).toContain('SOMEBODY-ELSE');
    expect(writesOf(service)).toBe(0);
  });

  it('but not one whose neighbors have', async () => {
    const { rampart, write } = await workplace();
    const service = await givenService(fleet);
    await write('fleet.yaml', swap);
    await rampart(['plan', '--out', 'plan.json'], { env: service.env });
    service.emulator.edit({ kind: 'rename', id: '5', name: 'SOMEBODY-ELSE' });
    service.emulator.edit({ kind: 'online', id: '1', online: false });
    service.emulator.edit({ kind: 'enroll', host: { id: '99', name: 'FRESH' } });
    expect((await rampart(['apply', 'plan.json'], { env: service.env })).code).toBe(0);
  });

  it('the plan of another account', async () => {
    const { rampart, write } = await workplace();
    const service = await givenService(fleet);
    const other = await givenService({ ...fleet, companyId: '42' });
    await write('fleet.yaml', renameOne);
    await rampart(['plan', '--out', 'plan.json'], { env: service.env });
    expect((await rampart(['apply', 'plan.json'], { env: other.env })).code).toBe(7);
    expect(other.emulator.requests).toHaveLength(0);
  });
});

describe('8', () => {
  it('everything done, but someone reverted it before verification', async () => {
    const { rampart, write } = await workplace();
    const service = await givenService(fleet, {
      hooks: {
        beforeEach: ({ action, nth }) => {
          if (action === 'listHostsWithGroups' && nth === 2) {
            service.emulator.edit({ kind: 'rename', id: '1', name: 'CHANGED-BACK' });
          }
        },
      },
    });
    await write('fleet.yaml', renameOne);
    const ran = await rampart(['apply', '--auto-approve'], { env: service.env });
    expect(ran.code).toBe(8);
    expect(`${ran.out}${ran.err}`).toContain('not-converged');
  });
});

describe('130', () => {
  it('an interrupt whose progress counts no step that was not started', async () => {
    const { rampart, write, interrupt } = await workplace();
    const hosts = Array.from({ length: 300 }, (_, index) => ({
      id: String(index + 1),
      name: `H${index + 1}`,
    }));
    const service = await givenService(
      { hosts },
      {
        hooks: {
          beforeEach: ({ action, nth }) => void (action === 'renameHost' && nth === 1 && interrupt()),
        },
      },
    );
    const entries = hosts.map(({ id }) => `  - { id: ${id}, name: N${id} }`);
    await write('fleet.yaml', `version: 1\nhosts:\n${entries.join('\n')}\n`);
    const ran = await rampart(['apply', '--auto-approve'], { env: service.env });
    expect(ran.code).toBe(130);
    expect(ran.out).toMatch(/^Not started: \d+ steps\. The next apply continues with them\.$/m);
    expect(ran.err).not.toContain('[300/300]');
  });

  it('an interrupt in the middle of a run: calls in flight end, the rest is not started', async () => {
    const { rampart, write, interrupt, exits } = await workplace();
    const service = await givenService(fleet, {
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
    const ran = await rampart(['apply', '--auto-approve'], { env: service.env });
    expect(ran.code).toBe(130);
    expect(`${ran.out}${ran.err}`).toContain('not started');
    expect(writesOf(service)).toBe(1);
    expect(exits).toEqual([]);
    expect((await rampart(['apply', '--auto-approve'], { env: service.env })).code).toBe(0);
    expect(
      service.emulator
        .state()
        .hosts.slice(0, 3)
        .map((host) => host.name),
    ).toEqual(['H2', 'H3', 'NEW']);
  });

  it.each([
    [999, []],
    [1_000, [130]],
  ])('a second interrupt %i ms after the first ends the process with %j', async (ms, ends) => {
    const { rampart, write, interrupt, exits, clock } = await workplace();
    const service = await givenService(fleet, {
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
    await rampart(['apply', '--auto-approve'], { env: service.env });
    expect(exits).toEqual(ends);
  });
});

async function holdLock(folder: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  const { acquireLock } = await import('../../src/run/state/files/lock.ts');
  const lock = await acquireLock({
    stateDir: `${folder}/.rampart`,
    account: { companyId: env['RAMPART_COMPANY_ID'] ?? null, service: env['RAMPART_BASE_URL'] ?? '' },
    clock: { now: () => 0, sleep: async () => {} },
    timeoutMs: 0,
    holder: { pid: 1, machine: 'elsewhere', user: 'somebody', since: '2026-11-21T08:00:00Z' },
    isAlive: () => true,
  });
  return lock.ok;
}
