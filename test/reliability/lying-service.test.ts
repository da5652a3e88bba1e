import { describe, expect, it, onTestFinished } from 'vitest';
import { createVirtualClock } from '../../src/core/lib/virtual-clock.ts';
import type { ResponseMessage } from '../../src/service/contract/message.ts';
import type { PacedResponse } from '../../src/service/emulator/drip.ts';
import { createEmulator } from '../../src/service/emulator/emulator.ts';
import { fleetState } from '../../src/service/emulator/fleet-state.ts';
import { serve } from '../../src/service/emulator/serve.ts';
import { testPsk, workplace } from '../given/command-line.ts';

interface ListedHost {
  readonly id: number;
}

/** What the lists show of the hosts that are there. */
type Shown = (hosts: readonly ListedHost[]) => readonly ListedHost[];

/** A service on a socket that may report success for writes and do nothing, and show false lists. */
async function lyingService() {
  const emulator = createEmulator({
    state: fleetState({
      psk: testPsk,
      groups: [{ id: '17', name: 'Berlin' }],
      hosts: Array.from({ length: 10 }, (_, index) => ({ id: String(index + 1), name: `H${index + 1}` })),
    }),
    clock: createVirtualClock(Date.parse('2026-11-21T09:00:00Z'), { auto: true }),
  });
  const lie: { shown: Shown; doesNothing: boolean; afterWrite?: Shown } = {
    shown: (hosts) => hosts,
    doesNothing: false,
  };
  const writes: string[] = [];
  const served = await serve({
    async respond(request, options) {
      const { path } = request;
      if (request.method !== 'GET') {
        writes.push(`${request.method} ${path}`);
        if (lie.afterWrite !== undefined) lie.shown = lie.afterWrite;
        if (lie.doesNothing) return answer(path.includes('antivirus') ? { status: 0 } : undefined);
      }
      const reply = await emulator.respond(request, options);
      if (!path.endsWith('/hostswithgroups') && !path.endsWith('/hosts')) return reply;
      const list = JSON.parse(new TextDecoder().decode(reply.message.body));
      return answer({ ...list, hosts: lie.shown(list.hosts) });
    },
  });
  onTestFinished(() => served.close());
  const env = {
    RAMPART_BASE_URL: served.url,
    RAMPART_COMPANY_ID: emulator.credentials.companyId,
    RAMPART_PSK: testPsk,
  };
  return { emulator, env, lie, writes };
}

function answer(body?: unknown): PacedResponse {
  const message: ResponseMessage =
    body === undefined
      ? { status: 204, headers: {}, body: new Uint8Array() }
      : {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: new TextEncoder().encode(JSON.stringify(body)),
        };
  return { message };
}

const entries = {
  rename: '{ id: 1, name: NEW }',
  deletion: '{ id: 1, ensure: absent }',
} as const;
const doors = [
  ['apply', '--auto-approve'],
  ['apply', 'plan.json'],
  ['apply', 'plan.json', '--json'],
];
const fleetOf = (...lines: readonly string[]) =>
  `version: 1\nhosts:\n${lines.map((line) => `  - ${line}\n`).join('')}`;

describe('a service that answers with success and does nothing', () => {
  const lists: readonly (readonly [string, Shown | undefined])[] = [
    ['empty', () => []],
    ['shortened', (hosts) => hosts.slice(3)],
    ['as they were', undefined],
  ];
  it.each(lists)('ends a run of a deletion with exit 8, if later lists are %s', async (_, shown) => {
    for (const argv of doors) {
      const { rampart, write } = await workplace();
      const { env, lie, writes } = await lyingService();
      await write('fleet.yaml', fleetOf(entries.deletion));
      expect((await rampart(['plan', '--out', 'plan.json'], { env })).code).toBe(0);
      lie.doesNothing = true;
      if (shown !== undefined) lie.afterWrite = shown;
      const ran = await rampart(argv, { env });
      expect([argv, ran.code, writes.length]).toEqual([argv, 8, 1]);
      expect(ran.out).not.toContain('Verified');
      expect(ran.err).toMatch(/host 1\b/);
      if (!argv.includes('--json')) expect(ran.out).not.toMatch(/not (?:in|as)|is not confirmed/);
      if (argv.includes('--json')) expect(ran.out).toContain('"converged":false');
    }
  });
});

describe('a list without hosts', () => {
  it('is refused by plan, apply and drift if entries pin ids, and accepted if the user allows it', async () => {
    const { rampart, write } = await workplace();
    const { env, lie, writes } = await lyingService();
    lie.shown = () => [];
    for (const entry of ['{ id: 1, name: H1 }', entries.deletion]) {
      await write('fleet.yaml', fleetOf(entry));
      for (const argv of [['plan'], ['apply', '--auto-approve'], ['drift']]) {
        const ran = await rampart(argv, { env });
        expect([argv[0], ran.code]).toEqual([argv[0], 3]);
        expect(`${ran.out}${ran.err}`).toContain('the list has no hosts');
        expect((await rampart([...argv, '--allow-empty-fleet'], { env })).code).toBe(0);
      }
    }
    await write('fleet.yaml', `${fleetOf(entries.rename)}policy: { limits: { missing: 100% } }\n`);
    expect((await rampart(['plan'], { env })).code).toBe(0);
    expect(writes).toEqual([]);
  });

  it('is refused by undo, because the original run left hosts', async () => {
    const { rampart, write } = await workplace();
    const { env, lie } = await lyingService();
    await write('fleet.yaml', fleetOf(entries.rename));
    expect((await rampart(['apply', '--auto-approve'], { env })).code).toBe(0);
    lie.shown = () => [];
    expect((await rampart(['undo', '--auto-approve'], { env })).code).toBe(3);
  });

  it('is refused if most pinned ids are missing', async () => {
    const { rampart, write } = await workplace();
    const { env, lie } = await lyingService();
    await write('fleet.yaml', fleetOf('{ id: 1 }', '{ id: 2 }', '{ id: 3 }', '{ id: 4, name: NEW }'));
    lie.shown = (hosts) => hosts.slice(3);
    const ran = await rampart(['plan'], { env });
    expect(ran.code).toBe(3);
    expect(ran.out).toContain('75 % of the hosts that the desired state pins by id are not in the list');
  });
});

describe('a host whose name only looks like a temporary one', () => {
  it('causes a warning before and after, and does not change the result of a run', async () => {
    const { rampart, write } = await workplace();
    const { env, emulator } = await lyingService();
    emulator.edit({ kind: 'rename', id: '9', name: 'BOSS ~rampart~abcdef' });
    await write('fleet.yaml', fleetOf(entries.rename));
    const planned = await rampart(['plan', '--out', 'plan.json'], { env });
    expect(planned.code).toBe(0);
    expect(planned.out).toContain('looks like a temporary name');
    for (const argv of [
      ['apply', 'plan.json'],
      ['apply', '--auto-approve'],
    ]) {
      const ran = await rampart(argv, { env });
      expect([ran.code, `${ran.out}${ran.err}`.includes('lookalike-name')]).toEqual([0, true]);
    }
  });
});
