import { describe, expect, it } from 'vitest';
import { checkAccountJob } from '../../../src/server/accounts/rules/check-account.ts';
import { readContent } from '../../../src/server/accounts/rules/read-state.ts';
import { createThreadedExplainer } from '../../../src/server/hosts/rules/explain-over-thread.ts';
import type { PlanRecord } from '../../../src/server/plans/records/plans.ts';
import { rehearsePlanJob } from '../../../src/server/plans/rules/rehearse-plan.ts';
import { tick } from '../../../src/server/queue/rules/tick.ts';
import { overrideRefusal } from '../../../src/server/runs/rules/may-override.ts';
import { proposeUndo } from '../../../src/server/runs/rules/propose-undo.ts';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import { changesFleet } from '../../../src/service/emulator/emulated-action.ts';
import type { FaultEffect } from '../../../src/service/emulator/fault.ts';
import type { GivenAccount } from '../../given/accounts.ts';
import { assetServer } from '../../given/asset-server.ts';
import { testPsk } from '../../given/command-line.ts';
import { decideAs } from '../../given/decide.ts';
import { databaseWithTables, hasPostgres, sharedPostgres } from '../../given/postgres.ts';
import { type GivenServer, type GivenServerOptions, givenServer } from '../../given/server-jobs.ts';

const hosts = [1, 2, 3].map((id) => ({ id: String(id), name: `OLD-${id}` }));
const desired = `version: 1\nhosts:\n${hosts.map(({ id }) => `  - { id: ${id}, name: NEW-${id} }`).join('\n')}\n`;
const alice = { kind: 'person', id: 'alice', name: 'Alice Doe' } as const;

const postgres = sharedPostgres;
let url = '';

function one(mode: string, more: Partial<GivenServerOptions> = {}, given: Partial<GivenAccount> = {}) {
  url = databaseWithTables();
  return givenServer(url, { berlin: { groups: [], hosts, mode, ...given } }, { desired, ...more });
}

/** A window between two hours, counted from the present one. */
function hours(from: number, to: number): string {
  const hour = (later: number) => String((new Date().getUTCHours() + later) % 24).padStart(2, '0');
  return `Mon-Sun ${hour(from)}:00-${hour(to)}:00 UTC`;
}

/** A window of one hour that is closed now, and for some hours. */
const closedHours = () => hours(6, 7);

async function account({ store }: GivenServer) {
  const found = await store.accounts.find('berlin', 'all');
  if (found === undefined) throw new Error('no account');
  return found;
}

async function plans({ store }: GivenServer): Promise<readonly PlanRecord[]> {
  const listed = await store.plans.list({ visible: 'all', account: 'berlin' });
  if (!listed.ok) throw new Error('no list');
  return listed.value.items;
}

async function runs({ store }: GivenServer) {
  const listed = await store.runs.list({ visible: 'all', account: 'berlin' });
  if (!listed.ok) throw new Error('no list');
  return listed.value.items;
}

/** Approves the open plan as a person, and queues its run. */
async function approve(server: GivenServer, numbers = {}): Promise<void> {
  const [plan] = await plans(server);
  if (plan === undefined) throw new Error('no plan');
  if (!(await decideAs(server.parts, plan, alice, { numbers, comment: 'because' })))
    throw new Error('not approved');
}

describe.skipIf(!hasPostgres)('a register of the server', () => {
  const tabled = `version: 1
tables: [{ name: asset, source: snipe, path: rows, key: id, join: host.id }]
rules: [{ name: names, when: has(asset.name), rename: "\${asset.name}" }]
`;

  it('serves all accounts with one read, and writes nothing once it fails or shrinks', async () => {
    let rows = hosts.map(({ id }) => ({ id, name: `ASSET-${id}` }));
    let status = 200;
    const register = await assetServer(() => ({ status, body: status === 200 ? rows : 'SECRET ROW' }));
    let later = 0;
    const clock = { ...systemClock, now: () => Date.now() + later };
    const mode = 'correct';
    const server = await givenServer(
      databaseWithTables(),
      { berlin: { groups: [], hosts, mode }, munich: { groups: [], hosts, mode } },
      {
        desired: tabled,
        server: '  registers: [{ name: snipe, every: 5m }]\n',
        env: {
          RAMPART_SOURCE_SNIPE_URL: register.url,
          RAMPART_SOURCE_SNIPE_HEADER: 'Authorization: Bearer 1',
        },
        clock,
      },
    );
    await server.check('berlin');
    await server.check('munich');
    await server.drain();
    expect(register.asked).toEqual(['GET /rows']);
    const [plan] = await plans(server);
    const stored = await readContent(plan?.id ?? '', server.store);
    expect(stored).toMatchObject({
      tables: [{ name: 'asset', rows: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
    expect(server.given.writesOf('berlin')).toBe(3);
    await server.check('berlin');
    const host = await server.store.hosts.find('berlin', '1', 'all');
    if (host === undefined) throw new Error('no host');
    const claims = await createThreadedExplainer(server.parts)(host, await account(server));
    expect(claims.ok && claims.value.attributes[0]).toMatchObject({
      intended: 'ASSET-1',
      decidedBy: { rule: 'names' },
    });
    expect(register.asked).toEqual(['GET /rows']);

    const found = async () => {
      later += 10 * 60_000;
      await server.check('berlin');
      await server.drain();
      const causes = await server.store.causes.list({ visible: 'all', account: 'berlin' });
      const { health, failure } = await account(server);
      return {
        health,
        hint: failure?.hint,
        titles: causes.ok ? causes.value.items.map(({ title }) => title) : [],
      };
    };
    status = 404;
    expect(await found()).toEqual({
      health: 'failing',
      hint: 'check the path of the table',
      titles: ['table "asset": the source "snipe" can\'t be read: it answered 404'],
    });
    status = 200;
    rows = rows.slice(0, 1).map(({ id }) => ({ id, name: 'CHANGED' }));
    expect(await found()).toMatchObject({
      health: 'failing',
      titles: [expect.stringContaining('has 1 row, and had 3'), 'rule "names"'],
    });
    expect(server.given.writesOf('berlin')).toBe(3);
    rows = hosts.map(({ id }) => ({ id, name: `LATER-${id}` }));
    expect(await found()).toMatchObject({ titles: [] });
    expect(server.given.writesOf('berlin')).toBe(6);
    expect(register.asked).toHaveLength(4);
  });
});

describe.skipIf(!hasPostgres)('a change ticket that the operator requires', () => {
  it('is confirmed before the run writes, and is stored in the run and the audit log', async () => {
    let state = 'Scheduled';
    const snow = await assetServer(() => ({ body: { state } }));
    const ticket = '{ source: snow, path: "changes/{ticket}", state: { at: state, is: Implement } }';
    const server = await one('propose', { env: { RAMPART_SOURCE_SNOW_URL: snow.url } }, { ticket });
    const approveWith = async (number: string) => {
      await server.check('berlin');
      const [plan] = await plans(server);
      if (plan === undefined) throw new Error('no plan');
      expect(await decideAs(server.parts, plan, alice, { ticket: number })).toBe(true);
      await server.run('berlin');
      return (await runs(server))[0];
    };
    const refused = await approveWith('CHG0001');
    expect(refused).toMatchObject({ state: 'failed', exitCode: 6 });
    expect(JSON.stringify(refused?.progress)).toContain('CHG0001');
    expect(server.given.writesOf('berlin')).toBe(0);
    state = 'Implement';
    expect(await approveWith('CHG0002')).toMatchObject({ state: 'done' });
    expect(server.given.writesOf('berlin')).toBe(3);
    expect(snow.asked).toEqual(['GET /changes/CHG0001', 'GET /changes/CHG0002']);
    const [plan] = await plans(server);
    expect(plan?.approvals).toMatchObject([{ ticket: 'CHG0002' }]);
    const recorded = await server.parts.state.listRuns({ limit: 1 });
    expect(recorded.ok && recorded.value[0]?.head.origin?.ticket).toBe('CHG0002');
  });
});

describe.skipIf(!hasPostgres)('a check of an account', () => {
  it('stores what the explanation of a host needs', async () => {
    const server = await one('observe');
    const text = 'version: 1\nrules:\n  - { name: all, when: host.online, group: Web }\n';
    await server.desire(`${text}hosts:\n  - { name: NEW-1, previously: [OLD-1] }\n`);
    await server.check('berlin');
    const host = await server.store.hosts.find('berlin', '1', 'all');
    if (host === undefined) throw new Error('no host');
    const explainHost = createThreadedExplainer(server.parts);
    const claims = await explainHost(host, await account(server));
    expect(claims.ok && claims.value.attributes.slice(0, 2)).toMatchObject([
      { intended: 'NEW-1', decidedBy: { kind: 'entry', place: { file: 'fleet.yaml', line: 5 } } },
      { intended: 'Web', decidedBy: { rule: 'all', place: { file: 'fleet.yaml', line: 3 } } },
    ]);
    await server.desire(text);
    const later = await explainHost(host, { ...(await account(server)), commit: 'another' });
    expect(later.ok).toBe(false);
  });

  it('writes nothing if its process was frozen while another one checked the account', async () => {
    const server = await one('propose');
    const { promise: frozen, resolve: wake } = Promise.withResolvers<void>();
    const { promise: hasRead, resolve: read } = Promise.withResolvers<void>();
    const { store } = server;
    const list = async () => {
      read();
      await frozen;
      return store.pauses.list();
    };
    const parts = { ...server.parts, store: { ...store, pauses: { ...store.pauses, list } } };
    const older = checkAccountJob('berlin', parts, new AbortController().signal);
    await hasRead;
    server.given.emulators.get('berlin')?.edit({ kind: 'rename', id: '2', name: 'BY-HAND' });
    await server.check('berlin');
    const [plan, ...none] = await plans(server);
    wake();
    expect(await older).toMatchObject({ hosts: 0, drift: 0, changed: false });
    expect((await plans(server)).map(({ id, state }) => [id, state])).toEqual([[plan?.id, 'waiting']]);
    expect(none).toEqual([]);
    const host = await store.hosts.find('berlin', '2', 'all');
    expect(host?.name).toBe('BY-HAND');
  });

  it('replaces a waiting plan when the desired state changes', async () => {
    const server = await one('propose');
    await server.check('berlin');
    await server.desire(desired.replace('NEW-3', 'OTHER-3'));
    await server.check('berlin');
    const [second, first] = await plans(server);
    expect(first).toMatchObject({ state: 'stale', replacedBy: second?.id });
    expect(second).toMatchObject({ state: 'waiting' });
  });

  it('reports who changed an attribute after a run', async () => {
    const server = await one('correct');
    await server.check('berlin');
    await server.drain();
    server.given.emulators.get('berlin')?.edit({ kind: 'rename', id: '2', name: 'BY-HAND' });
    await server.check('berlin');
    const drift = await server.store.hosts.drift({ visible: 'all' });
    expect(drift.ok && drift.value.items).toMatchObject([
      { host_id: '2', desired: 'NEW-2', last: 'NEW-2', live: 'BY-HAND', changed: 'fleet' },
    ]);
    server.given.emulators.get('berlin')?.edit({ kind: 'rename', id: '3', name: 'NEW-3 ~rampart~3f9a1c' });
    await server.check('berlin');
    const causes = await server.store.causes.list({ visible: 'all' });
    expect(new Set(causes.ok ? causes.value.items.map(({ title }) => title.split(',')[0]) : [])).toEqual(
      new Set(['renamed by hand', 'temporary name left by a run']),
    );
  });

  it('does not count an ignored difference as drift until it ends or changes, and never as converged', async () => {
    const server = await one('observe', { desired: desired.replace('NEW-1', 'OLD-1') });
    await server.check('berlin');
    const { store, given } = server;
    const until = new Date(Date.now() + 3_600_000);
    const ignore = (hostId: string) =>
      store.ignores.add({
        account: 'berlin',
        differences: [{ hostId, attribute: 'name' }],
        reason: 'The office moves.',
        by: alice,
        until,
      });
    expect([await ignore('2'), await ignore('1'), await ignore('77')]).toEqual([1, 0, 0]);
    await server.check('berlin');
    expect(await account(server)).toMatchObject({ health: 'drifted', drifted: 1 });
    await ignore('3');
    await server.check('berlin');
    expect(await account(server)).toMatchObject({ health: 'ignored', drifted: 0 });
    const causes = await store.causes.list({ visible: 'all', account: 'berlin' });
    expect(causes.ok && causes.value.items).toEqual([]);
    expect((await store.hosts.find('berlin', '2', 'all'))?.drifted).toBe(false);
    const kept = await store.hosts.drift({ visible: 'all', ignored: true });
    expect(kept.ok && kept.value.items.map((each) => each.host_id)).toEqual(['2', '3']);

    given.emulators.get('berlin')?.edit({ kind: 'rename', id: '2', name: 'BY-HAND' });
    await server.check('berlin');
    expect(await account(server)).toMatchObject({ health: 'drifted', drifted: 1 });
    await ignore('2');
    const listed = await store.ignores.list({ visible: 'all', account: 'berlin' });
    const [first] = listed.ok ? listed.value.items : [];
    expect(first).toMatchObject({
      host_id: '2',
      live: 'BY-HAND',
      reason: 'The office moves.',
      by: alice,
      until,
    });
    await store.ignores.remove(first?.id ?? '');
    await server.check('berlin');
    expect(await account(server)).toMatchObject({ health: 'drifted', drifted: 1 });
  });

  it('leaves an ignored difference in the plan', async () => {
    const server = await one('propose');
    await server.check('berlin');
    await server.store.ignores.add({
      account: 'berlin',
      differences: ['1', '2', '3'].map((hostId) => ({ hostId, attribute: 'name' })),
      reason: 'The office moves.',
      by: alice,
      until: new Date(Date.now() + 3_600_000),
    });
    await server.check('berlin');
    expect(await account(server)).toMatchObject({ health: 'waiting', drifted: 0 });
    expect(await plans(server)).toMatchObject([{ state: 'waiting', changes: 3 }]);
  });

  it('counts failures, and resets the count after a success', async () => {
    let isDown = true;
    const server = await one(
      'observe',
      {},
      { faults: () => (isDown ? [{ kind: 'status', status: 401 }] : []) },
    );
    await server.check('berlin');
    const first = await account(server);
    expect(first).toMatchObject({ health: 'failing', failure: { code: 'not-authenticated', attempts: 1 } });
    await server.check('berlin');
    const second = await account(server);
    expect(second.failure).toMatchObject({ attempts: 2, since: first.failure?.since });
    isDown = false;
    await server.check('berlin');
    expect(await account(server)).toMatchObject({ health: 'drifted', failure: null });
  });

  it('fails if the list is incomplete, reports why, and treats no host as deleted', async () => {
    let lie: readonly FaultEffect[] = [];
    const server = await one('propose', {}, { faults: () => lie });
    await server.check('berlin');
    const failsWith = async (fault: FaultEffect, message: string) => {
      lie = [fault];
      await server.check('berlin');
      const { failure, ...rest } = await account(server);
      expect(rest).toMatchObject({ health: 'failing', hosts: 3, drifted: 3 });
      expect(failure?.message).toContain(message);
      const listed = await server.store.hosts.list({ visible: 'all' });
      expect(listed.ok && listed.value.items).toHaveLength(3);
      expect(await plans(server)).toMatchObject([{ state: 'waiting', changes: 3 }]);
    };
    await failsWith({ kind: 'short-list', share: 0 }, 'the list has no hosts');
    await failsWith({ kind: 'short-list', share: 0.4 }, '67 % of the hosts that the desired state pins');
    await failsWith({ kind: 'repeated-hosts', hosts: 1 }, 'the list contains host 1 twice');
    await failsWith({ kind: 'truncated-body', share: 0.5 }, 'it is not JSON');
    lie = [];
    await server.check('berlin');
    expect(await account(server)).toMatchObject({ health: 'waiting', failure: null });
    await server.desire('version: 1\nrules:\n  - { name: all, when: host.online, group: null }\n');
    await server.check('berlin');
    expect(await account(server)).toMatchObject({ health: 'converged', hosts: 3 });
    lie = [{ kind: 'short-list', share: 0 }];
    await server.check('berlin');
    const { health, hosts: kept, failure } = await account(server);
    expect({ health, kept }).toEqual({ health: 'failing', kept: 3 });
    expect(failure?.message).toBe('the list has no hosts, although the last check saw 3 hosts');
    await server.desire('version: 1\nhosts: []\npolicy: { limits: { missing: 100% } }\n');
    await server.check('berlin');
    expect(await account(server)).toMatchObject({ health: 'converged', hosts: 0 });
    expect(server.given.writesOf('berlin')).toBe(0);
  });

  it('keeps the key of the account out of the database', async () => {
    const server = await one('correct');
    await server.check('berlin');
    await server.drain();
    const tables = postgres().run(
      url,
      `select schemaname || '.' || tablename from pg_tables where schemaname like 'rampart%'`,
    );
    const rows = postgres().run(
      url,
      tables
        .split('\n')
        .map((name) => `select row_to_json(t)::text from ${name} t`)
        .join(' union all '),
    );
    expect(rows).toContain('NEW-1');
    expect(rows).not.toContain(testPsk.slice(0, 24));
  });
});

describe.skipIf(!hasPostgres)('a run of an account', () => {
  it('starts automatically within the limits in mode correct, and only a later check reports convergence', async () => {
    const server = await one('correct');
    await server.check('berlin');
    expect(await plans(server)).toMatchObject([{ state: 'approved' }]);
    await server.run('berlin');
    expect(server.given.writesOf('berlin')).toBe(3);
    expect(await runs(server)).toMatchObject([
      { state: 'done', exitCode: 0, steps: { total: 3, done: 3 }, by: { kind: 'server' } },
    ]);
    expect(await plans(server)).toMatchObject([{ state: 'done' }]);
    expect((await account(server)).health).toBe('waiting');
    await server.drain();
    expect(await account(server)).toMatchObject({ health: 'converged', drifted: 0, plan: null });
    const { changed } = await server.parts.store.overview('all');
    expect(changed).toEqual({ changes: 3, accounts: 1 });
  });

  it('waits for people above the limits in mode correct, and requires exactly their numbers', async () => {
    const text = `${desired}policy: { limits: { rename: 1 } }\n`;
    const server = await one('correct', { desired: text });
    await server.check('berlin');
    expect(await plans(server)).toMatchObject([
      { state: 'waiting', required: { numbers: [{ limit: 'rename', value: 3, allowed: 1 }] } },
    ]);
    await approve(server, { rename: 3 });
    await server.drain();
    expect(server.given.writesOf('berlin')).toBe(3);
    expect((await account(server)).health).toBe('converged');
  });

  it('refuses a plan whose numbers nobody approved', async () => {
    const server = await one('correct', { desired: `${desired}policy: { limits: { rename: 1 } }\n` });
    await server.check('berlin');
    const [plan] = await plans(server);
    const given = { by: alice, decision: 'approved', numbers: {}, comment: null, via: 'api' } as const;
    await server.store.plans.approve(plan?.id ?? '', given);
    await server.store.plans.move(plan?.id ?? '', ['waiting'], 'approved');
    const run = { account: 'berlin', plan: plan?.id ?? null, by: alice, reason: null, steps: 1 };
    await server.store.runs.queue(run);
    await server.run('berlin');
    expect(server.given.writesOf('berlin')).toBe(0);
    expect(await runs(server)).toMatchObject([{ state: 'failed', exitCode: 6 }]);
  });

  it('never plans again: a host that changed since the plan is left out and named, and nothing else is sent', async () => {
    const server = await one('propose');
    await server.check('berlin');
    await approve(server);
    server.given.emulators.get('berlin')?.edit({ kind: 'rename', id: '2', name: 'BY-HAND' });
    await server.run('berlin');
    expect(server.given.writesOf('berlin')).toBe(2);
    expect(await runs(server)).toMatchObject([
      {
        state: 'done',
        exitCode: 0,
        steps: { total: 3, done: 2, skipped: 1 },
        progress: {
          problems: [{ code: 'stale-plan', message: '"OLD-2" (2) now has the name "BY-HAND"' }],
        },
      },
    ]);
    expect((await plans(server))[0]).toMatchObject({
      state: 'done',
      reason: 'its run left out 1 host that had changed; the next check plans for them again',
    });
    await server.check('berlin');
    expect(await account(server)).toMatchObject({ health: 'waiting', failure: null, hold: null });
    expect((await plans(server))[0]).toMatchObject({ state: 'waiting', changes: 1 });
  });

  it('is refused before its first write if every host has changed, which is not a failure', async () => {
    const server = await one('correct');
    await server.check('berlin');
    for (const { id } of hosts)
      server.given.emulators.get('berlin')?.edit({ kind: 'rename', id, name: `BY-HAND-${id}` });
    await server.run('berlin');
    expect(server.given.writesOf('berlin')).toBe(0);
    expect(await runs(server)).toMatchObject([
      { state: 'stopped', exitCode: 7, steps: { total: 3, done: 0, skipped: 3 } },
    ]);
    expect((await account(server)).hold).toBeNull();
    await server.drain();
    expect(server.given.writesOf('berlin')).toBe(3);
    expect(await account(server)).toMatchObject({ health: 'converged', failure: null });
  });

  it('is done once, however many jobs it has', async () => {
    const server = await one('correct');
    await server.check('berlin');
    await Promise.all([server.run('berlin'), server.run('berlin'), server.run('berlin')]);
    await server.run('berlin');
    expect(server.given.writesOf('berlin')).toBe(3);
    expect(await runs(server)).toMatchObject([{ state: 'done' }]);
  });

  it.each([
    ['the desired state', 'policy: { windows: [{ name: WINDOW, only: [HOURS] }] }\n', '', false],
    ['the server', '', '  windows:\n    - { name: WINDOW, only: [HOURS] }\n', false],
    ['the account', '', '', true],
    ['a freeze', 'policy: { freeze: [{ name: WINDOW, until: "2999-01-01T00:00:00Z" }] }\n', '', false],
  ])(
    'waits for the closed window of %s until someone overrides it, and then ends',
    async (_, text, lines, isOwn) => {
      const windows = (raw: string) =>
        raw.replace('WINDOW', 'nightly').replace('HOURS', `"${closedHours()}"`);
      const server = await one(
        'propose',
        { desired: `${desired}${windows(text)}`, server: windows(lines) },
        isOwn ? { windows: `[{ name: nightly, only: ["${closedHours()}"] }]` } : {},
      );
      await server.check('berlin');
      await approve(server);
      await server.drain();
      const [waiting] = await runs(server);
      expect(waiting).toMatchObject({
        state: 'queued',
        progress: {
          waits_for: {
            kind: 'window',
            message: expect.stringContaining('nightly'),
            until: expect.stringMatching(/^opens|^ends/),
          },
        },
      });
      if (waiting === undefined) throw new Error('no run');
      expect(await overrideRefusal(waiting, server.parts)).toBeUndefined();
      await server.store.runs.overrideWindows(waiting.id, alice, 'incident 4711');
      await server.run('berlin');
      expect(server.given.writesOf('berlin')).toBe(3);
      const [done] = await runs(server);
      expect(done).toMatchObject({ state: 'done', override: { by: alice, reason: 'incident 4711' } });
      if (done === undefined) throw new Error('no run');
      expect(await overrideRefusal(done, server.parts)).toMatchObject({ code: 'conflict' });
    },
  );

  it.each([
    { whose: 'the desired state', overrun: 'pause' },
    { whose: 'the account', overrun: 'pause' },
    { whose: 'the server', overrun: 'end' },
  ] as const)(
    'with overrun $overrun, stops after the call in progress when the window of $whose closes',
    async ({ whose, overrun }) => {
      // Each rename frees the name that the next one takes, so the calls go out one after the other.
      const chain = desired.replace('NEW-1', 'OLD-2').replace('NEW-2', 'OLD-3');
      const windows = `windows: [{ name: nightly, only: ["${hours(0, 2)}"] }]`;
      let later = 0;
      let inFirst: (() => Promise<void>) | undefined;
      const server = await one(
        'correct',
        {
          desired: whose === 'the desired state' ? `${chain}policy: { ${windows} }\n` : chain,
          server: `  overrun: ${overrun}\n${whose === 'the server' ? `  ${windows}\n` : ''}`,
          clock: { ...systemClock, now: () => systemClock.now() + later },
        },
        {
          ...(whose === 'the account' ? { windows: windows.replace('windows: ', '') } : {}),
          hooks: {
            async afterEach({ action }) {
              if (action !== null && changesFleet(action)) await inFirst?.();
            },
          },
        },
      );
      await server.check('berlin');
      const [queued] = await runs(server);
      const log = async () => server.store.runs.events(queued?.id ?? '', { visible: 'all' });
      inFirst = async () => {
        inFirst = undefined;
        later = 3 * 3_600_000;
        await expect
          .poll(async () => (await log()).some(({ type }) => type === 'stop'), { timeout: 20_000 })
          .toBe(true);
      };
      await server.run('berlin');
      expect(server.given.writesOf('berlin')).toBe(1);
      expect((await log()).find(({ type }) => type === 'stop')?.text).toMatch(
        /^stops at a safe point: .*"nightly"/,
      );
      const [stopped] = await runs(server);
      expect(stopped?.state).toBe(overrun === 'pause' ? 'queued' : 'stopped');
      expect((await plans(server))[0]?.state).toBe(overrun === 'pause' ? 'running' : 'stale');

      // While the window is closed, neither the run nor the next plan sends anything.
      await server.drain();
      expect(server.given.writesOf('berlin')).toBe(1);
      const [waiting] = await runs(server);
      expect(waiting?.progress['waits_for']).toMatchObject({
        kind: 'window',
        message: expect.stringContaining('nightly'),
      });

      later = 0;
      await server.run('berlin');
      expect(server.given.writesOf('berlin')).toBe(3);
      const [last, ...earlier] = await runs(server);
      expect(last?.state).toBe('done');
      expect(earlier.map(({ state }) => state)).toEqual(overrun === 'pause' ? [] : ['stopped']);
      expect((await plans(server)).map(({ state }) => state)).toEqual(
        overrun === 'pause' ? ['done'] : ['done', 'stale'],
      );
    },
  );

  it('waits for the end of a pause even if someone overrides the windows', async () => {
    const server = await one('propose');
    await server.check('berlin');
    await approve(server);
    const until = new Date(Date.now() + 3_600_000);
    await server.store.pauses.add({ scope: 'all', by: alice, reason: 'moving house', until });
    const [run] = await runs(server);
    if (run === undefined) throw new Error('no run');
    expect(await overrideRefusal(run, server.parts)).toMatchObject({
      message: 'the run is not waiting for a change window or a freeze',
    });
    const overridden = await server.store.runs.overrideWindows(run.id, alice, 'incident 4711');
    expect(overridden?.override?.at).toMatch(/T\d\d:\d\d:\d\d\.\d{3}Z$/);
    await server.run('berlin');
    expect(server.given.writesOf('berlin')).toBe(0);
    expect((await runs(server))[0]?.progress['waits_for']).toEqual({
      kind: 'pause',
      message: 'Alice Doe paused changes: moving house',
      until: `ends ${until.toISOString()}`,
    });
  });

  it('is undone by a plan that waits, and that no check replaces', async () => {
    const server = await one('correct');
    await server.check('berlin');
    await server.drain();
    const [run] = await runs(server);
    if (run === undefined) throw new Error('no run');
    const undo = await proposeUndo(run, alice, server.parts);
    expect(undo.ok).toBe(true);
    await server.check('berlin');
    const [plan] = await plans(server);
    expect(plan).toMatchObject({ id: undo.ok && undo.value, state: 'waiting', changes: 3 });
    const [compared] = await server.store.plans.compared({ visible: 'all' });
    expect(compared?.shape).toMatchObject({ effects: [{ kind: 'rename', hosts: 3 }] });
    await approve(server);
    await server.run('berlin');
    expect(
      server.given.emulators
        .get('berlin')
        ?.state()
        .hosts.map(({ name }) => name),
    ).toEqual(['OLD-1', 'OLD-2', 'OLD-3']);

    // The file is as it was: what differs now was left by the reversal.
    await server.check('berlin');
    const causes = await server.store.causes.list({ visible: 'all' });
    const [undone] = await runs(server);
    expect(causes.ok && causes.value.items.find(({ kind }) => kind === 'file')?.by).toEqual({
      kind: 'run',
      id: undone?.journal,
      name: undone?.by?.name,
      others: false,
    });
  });
});

describe.skipIf(!hasPostgres)('the rehearsal of a stored plan', () => {
  const never = new AbortController().signal;
  const fleet = {
    groups: [
      { id: '7', name: 'Berlin' },
      { id: '8', name: 'Berlin' },
      { id: '9', name: 'Boston' },
    ],
    hosts: [
      { id: '1', name: 'A', groupId: '7' },
      { id: '2', name: 'B', groupId: '8' },
      { id: '3', name: 'C' },
      { id: '4', name: 'GONE', groupId: '9' },
    ],
  };
  // A swap of two names, moves out of two groups with one name, and a deletion.
  const reorganized = `version: 1
hosts:
  - { id: 1, name: B, group: Boston }
  - { id: 2, name: A, group: Boston }
  - { id: 3, name: GONE, group: Boston }
  - { id: 4, ensure: absent }
`;

  it('applies it to the fleet of the last check, and sends nothing to the service', async () => {
    const server = await one('propose', { desired: reorganized }, fleet);
    await server.check('berlin');
    const [plan] = await plans(server);
    if (plan === undefined) throw new Error('no plan');
    const { rehearsals } = server.store;
    const before = server.given.emulators.get('berlin')?.requests.length;
    expect(await rehearsals.ask(plan.id, alice)).toMatchObject({
      isNew: true,
      rehearsal: { state: 'queued' },
    });
    await rehearsePlanJob(plan.id, server.parts, never);
    expect(server.given.emulators.get('berlin')?.requests.length).toBe(before);
    const found = await rehearsals.find(plan.id, 'all');
    expect(found).toMatchObject({
      state: 'done',
      by: alice,
      result: {
        failure: null,
        runs: [
          {
            kind: 'without_faults',
            converged: true,
            calls: plan.calls,
            steps: { done: plan.calls, failed: 0 },
          },
          { kind: 'with_faults', converged: true },
        ],
      },
    });
    expect(await rehearsals.find(plan.id, [])).toBeUndefined();
    // The result holds for this fleet, so it is not made again.
    expect(await rehearsals.ask(plan.id, alice)).toMatchObject({
      isNew: false,
      rehearsal: { state: 'done' },
    });
    server.given.emulators.get('berlin')?.edit({ kind: 'rename', id: '3', name: 'BY-HAND' });
    await server.check('berlin');
    expect(await rehearsals.ask(plan.id, alice)).toMatchObject({ isNew: true });
    await rehearsePlanJob(plan.id, server.parts, never);
    expect(await rehearsals.find(plan.id, 'all')).toMatchObject({
      state: 'failed',
      result: {
        runs: [],
        failure: {
          code: 'stale-plan',
          message: 'the plan no longer fits the fleet: "C" (3) now has the name "BY-HAND"',
          hint: 'plan again',
        },
      },
    });
    expect(server.given.writesOf('berlin')).toBe(0);
  });

  it('is continued by another worker if one dies, and ends once', async () => {
    const server = await one('propose');
    await server.check('berlin');
    const [plan] = await plans(server);
    const id = plan?.id ?? '';
    const { rehearsals } = server.store;
    await rehearsePlanJob(id, server.parts, never);
    expect(await rehearsals.find(id, 'all')).toBeUndefined();
    await rehearsals.ask(id, alice);
    await expect(rehearsePlanJob(id, server.parts, AbortSignal.abort())).rejects.toThrow();
    expect(await rehearsals.find(id, 'all')).toMatchObject({ state: 'running', ended_at: null });
    await rehearsals.giveUp();
    expect(await rehearsals.find(id, 'all')).toMatchObject({ state: 'running' });
    await rehearsePlanJob(id, server.parts, never);
    const first = await rehearsals.find(id, 'all');
    expect(first).toMatchObject({ state: 'done' });
    await rehearsePlanJob(id, server.parts, never);
    expect(await rehearsals.find(id, 'all')).toEqual(first);
  });

  it('fails after an hour without an end, as if all of its workers died, and can be requested again', async () => {
    const server = await one('propose');
    await server.check('berlin');
    const [plan] = await plans(server);
    const id = plan?.id ?? '';
    const { rehearsals } = server.store;
    await rehearsals.ask(id, alice);
    postgres().run(url, `update rampart_server.rehearsal set asked_at = now() - interval '2 hours'`);
    await tick(server.parts);
    expect(await rehearsals.find(id, 'all')).toMatchObject({
      state: 'failed',
      result: { runs: [], failure: { code: 'timed-out' } },
    });
    await rehearsePlanJob(id, server.parts, never);
    expect(await rehearsals.ask(id, alice)).toMatchObject({ isNew: true, rehearsal: { state: 'queued' } });
  });
});

describe.skipIf(!hasPostgres)('mode correct', () => {
  /** As if the last run had ended an hour earlier. */
  const wait = () =>
    postgres().run(
      url,
      `update rampart_server.account
        set hold = jsonb_set(hold, '{at}', to_jsonb((now() - interval '2 hours')::text)) where hold is not null`,
    );
  const lies = { faults: () => [{ kind: 'nothing-done' }] as const };

  it('delays changes that have no effect longer each time, and after five runs waits for a person', {
    timeout: 60_000,
  }, async () => {
    const server = await one('correct', {}, lies);
    await server.check('berlin');
    for (let ended = 1; ended <= 5; ended += 1) {
      await server.drain();
      await server.check('berlin');
      expect(await runs(server)).toHaveLength(ended);
      expect(await runs(server)).toMatchObject(
        Array.from({ length: ended }, () => ({ state: 'failed', exitCode: 8 })),
      );
      expect(await account(server)).toMatchObject({
        health: 'failing',
        failure: { code: 'not-converging', ...(ended < 5 ? { retryAt: expect.any(String) } : {}) },
        hold: { kind: 'failed-runs', runs: ended },
      });
      const [plan] = await plans(server);
      expect(plan?.state).toBe(ended < 5 ? 'approved' : 'waiting');
      wait();
      await server.check('berlin');
    }
    await server.drain();
    expect(server.given.writesOf('berlin')).toBe(15);
    expect((await plans(server))[0]).toMatchObject({
      state: 'waiting',
      reason: expect.stringMatching(/^5 runs in a row did not reach the planned state: /),
    });
    await approve(server);
    await server.drain();
    expect(server.given.writesOf('berlin')).toBe(18);
    expect((await plans(server))[0]).toMatchObject({ state: 'waiting' });
  });

  it('does not repeat what someone undid, until someone plans again or the desired state changes', {
    timeout: 60_000,
  }, async () => {
    const server = await one('correct');
    await server.check('berlin');
    await server.drain();
    const [run] = await runs(server);
    if (run === undefined) throw new Error('no run');
    expect((await proposeUndo(run, alice, server.parts)).ok).toBe(true);
    await approve(server);
    await server.drain();
    await server.check('berlin');
    expect(server.given.writesOf('berlin')).toBe(6);
    expect(await account(server)).toMatchObject({ health: 'waiting', hold: { kind: 'undo' }, failure: null });
    expect((await plans(server))[0]).toMatchObject({
      state: 'waiting',
      reason: 'someone undid a run, so the server does not repeat its changes automatically',
    });
    await server.desire(desired.replace('NEW-3', 'OTHER-3'));
    await server.check('berlin');
    await server.drain();
    expect(server.given.writesOf('berlin')).toBe(9);
    const [again] = await runs(server);
    if (again === undefined) throw new Error('no run');
    await proposeUndo(again, alice, server.parts);
    await approve(server);
    await server.drain();
    expect(server.given.writesOf('berlin')).toBe(12);
    await server.store.accounts.setHold(['berlin'], null);
    await server.check('berlin');
    await server.drain();
    expect(server.given.writesOf('berlin')).toBe(15);
    expect(await account(server)).toMatchObject({ health: 'converged', hold: null });
  });
});
