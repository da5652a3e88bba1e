import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSigningKey } from '../../../src/run/signature/ssh-key.ts';
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
import { decideAs } from '../../given/decide.ts';
import { databaseWithTables, hasPostgres, sharedPostgres } from '../../given/postgres.ts';
import { type GivenServer, type GivenServerOptions, givenServer } from '../../given/server-jobs.ts';

const hosts = [1, 2, 3].map((id) => ({ id: String(id), name: `OLD-${id}` }));
const desired = `version: 1\nhosts:\n${hosts.map(({ id }) => `  - { id: ${id}, name: NEW-${id} }`).join('\n')}\n`;
const alice = { kind: 'person', id: 'alice', name: 'Alice Doe' } as const;

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

/** Approves the open plan as a person, and queues its run. */
async function approve(server: GivenServer, numbers = {}): Promise<void> {
  const [plan] = await server.plans();
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
    const [plan] = await server.plans();
    const stored = await readContent(plan?.id ?? '', server.store);
    expect(stored).toMatchObject({
      tables: [{ name: 'asset', rows: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
    expect(server.given.writesOf('berlin')).toBe(3);
    await server.check('berlin');
    const host = await server.store.hosts.find('berlin', '1', 'all');
    if (host === undefined) throw new Error('no host');
    const claims = await createThreadedExplainer(server.parts)(host, await server.account());
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
      const { health, failure } = await server.account();
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
      const [plan] = await server.plans();
      if (plan === undefined) throw new Error('no plan');
      expect(await decideAs(server.parts, plan, alice, { ticket: number })).toBe(true);
      await server.run('berlin');
      return (await server.runs())[0];
    };
    const refused = await approveWith('CHG0001');
    expect(refused).toMatchObject({ state: 'failed', exitCode: 6 });
    expect(JSON.stringify(refused?.progress)).toContain('CHG0001');
    expect(server.given.writesOf('berlin')).toBe(0);
    state = 'Implement';
    expect(await approveWith('CHG0002')).toMatchObject({ state: 'done' });
    expect(server.given.writesOf('berlin')).toBe(3);
    expect(snow.asked).toEqual(['GET /changes/CHG0001', 'GET /changes/CHG0002']);
    const [plan] = await server.plans();
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
    const claims = await explainHost(host, await server.account());
    expect(claims.ok && claims.value.attributes.slice(0, 2)).toMatchObject([
      { intended: 'NEW-1', decidedBy: { kind: 'entry', place: { file: 'fleet.yaml', line: 5 } } },
      { intended: 'Web', decidedBy: { rule: 'all', place: { file: 'fleet.yaml', line: 3 } } },
    ]);
    await server.desire(text);
    const later = await explainHost(host, { ...(await server.account()), commit: 'another' });
    expect(later.ok).toBe(false);
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
    expect(await server.account()).toMatchObject({ health: 'drifted', drifted: 1 });
    await ignore('3');
    await server.check('berlin');
    expect(await server.account()).toMatchObject({ health: 'ignored', drifted: 0 });
    const causes = await store.causes.list({ visible: 'all', account: 'berlin' });
    expect(causes.ok && causes.value.items).toEqual([]);
    expect((await store.hosts.find('berlin', '2', 'all'))?.drifted).toBe(false);
    const kept = await store.hosts.drift({ visible: 'all', ignored: true });
    expect(kept.ok && kept.value.items.map((each) => each.host_id)).toEqual(['2', '3']);

    given.emulators.get('berlin')?.edit({ kind: 'rename', id: '2', name: 'BY-HAND' });
    await server.check('berlin');
    expect(await server.account()).toMatchObject({ health: 'drifted', drifted: 1 });
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
    expect(await server.account()).toMatchObject({ health: 'drifted', drifted: 1 });
  });

  it('fails if the list is incomplete, reports why, and treats no host as deleted', async () => {
    let lie: readonly FaultEffect[] = [];
    const server = await one('propose', {}, { faults: () => lie });
    await server.check('berlin');
    const failsWith = async (fault: FaultEffect, message: string) => {
      lie = [fault];
      await server.check('berlin');
      const { failure, ...rest } = await server.account();
      expect(rest).toMatchObject({ health: 'failing', hosts: 3, drifted: 3 });
      expect(failure?.message).toContain(message);
      const listed = await server.store.hosts.list({ visible: 'all' });
      expect(listed.ok && listed.value.items).toHaveLength(3);
      expect(await server.plans()).toMatchObject([{ state: 'waiting', changes: 3 }]);
    };
    await failsWith({ kind: 'short-list', share: 0 }, 'the list has no hosts');
    await failsWith({ kind: 'short-list', share: 0.4 }, '67 % of the hosts that the desired state pins');
    await failsWith({ kind: 'repeated-hosts', hosts: 1 }, 'the list contains host 1 twice');
    await failsWith({ kind: 'truncated-body', share: 0.5 }, 'it is not JSON');
    lie = [];
    await server.check('berlin');
    expect(await server.account()).toMatchObject({ health: 'waiting', failure: null });
    await server.desire('version: 1\nrules:\n  - { name: all, when: host.online, group: null }\n');
    await server.check('berlin');
    expect(await server.account()).toMatchObject({ health: 'converged', hosts: 3 });
    lie = [{ kind: 'short-list', share: 0 }];
    await server.check('berlin');
    const { health, hosts: kept, failure } = await server.account();
    expect({ health, kept }).toEqual({ health: 'failing', kept: 3 });
    expect(failure?.message).toBe('the list has no hosts, although the last check saw 3 hosts');
    await server.desire('version: 1\nhosts: []\npolicy: { limits: { missing: 100% } }\n');
    await server.check('berlin');
    expect(await server.account()).toMatchObject({ health: 'converged', hosts: 0 });
    expect(server.given.writesOf('berlin')).toBe(0);
  });
});

describe.skipIf(!hasPostgres)('a run of an account', () => {
  it('starts automatically within the limits in mode correct, and only a later check reports convergence', async () => {
    const server = await one('correct');
    await server.check('berlin');
    expect(await server.plans()).toMatchObject([{ state: 'approved' }]);
    await server.run('berlin');
    expect(server.given.writesOf('berlin')).toBe(3);
    expect(await server.runs()).toMatchObject([
      { state: 'done', exitCode: 0, steps: { total: 3, done: 3 }, by: { kind: 'server' } },
    ]);
    expect(await server.plans()).toMatchObject([{ state: 'done' }]);
    expect((await server.account()).health).toBe('waiting');
    await server.drain();
    expect(await server.account()).toMatchObject({ health: 'converged', drifted: 0, plan: null });
    const { changed } = await server.parts.store.overview('all');
    expect(changed).toEqual({ changes: 3, accounts: 1 });
  });

  it('never plans again: a host that changed since the plan is left out and named, and nothing else is sent', async () => {
    const server = await one('propose');
    await server.check('berlin');
    await approve(server);
    server.given.emulators.get('berlin')?.edit({ kind: 'rename', id: '2', name: 'BY-HAND' });
    await server.run('berlin');
    expect(server.given.writesOf('berlin')).toBe(2);
    expect(await server.runs()).toMatchObject([
      {
        state: 'done',
        exitCode: 0,
        steps: { total: 3, done: 2, skipped: 1 },
        progress: {
          problems: [{ code: 'stale-plan', message: '"OLD-2" (2) now has the name "BY-HAND"' }],
        },
      },
    ]);
    expect((await server.plans())[0]).toMatchObject({
      state: 'done',
      reason: 'its run left out 1 host that had changed; the next check plans for them again',
    });
    await server.check('berlin');
    expect(await server.account()).toMatchObject({ health: 'waiting', failure: null, hold: null });
    expect((await server.plans())[0]).toMatchObject({ state: 'waiting', changes: 1 });
  });

  it('is done once, however many jobs it has', async () => {
    const server = await one('correct');
    await server.check('berlin');
    await Promise.all([server.run('berlin'), server.run('berlin'), server.run('berlin')]);
    await server.run('berlin');
    expect(server.given.writesOf('berlin')).toBe(3);
    expect(await server.runs()).toMatchObject([{ state: 'done' }]);
  });

  it('waits for a closed window until someone overrides it, and then ends', async () => {
    const windows = `policy: { windows: [{ name: nightly, only: ["${closedHours()}"] }] }\n`;
    const server = await one('propose', { desired: `${desired}${windows}` });
    await server.check('berlin');
    await approve(server);
    await server.drain();
    const [waiting] = await server.runs();
    expect(waiting).toMatchObject({
      state: 'queued',
      progress: {
        waits_for: {
          kind: 'window',
          message: expect.stringContaining('nightly'),
          until: expect.stringMatching(/^opens/),
        },
      },
    });
    if (waiting === undefined) throw new Error('no run');
    expect(await overrideRefusal(waiting, server.parts)).toBeUndefined();
    await server.store.runs.overrideWindows(waiting.id, alice, 'incident 4711');
    await server.run('berlin');
    expect(server.given.writesOf('berlin')).toBe(3);
    const [done] = await server.runs();
    expect(done).toMatchObject({ state: 'done', override: { by: alice, reason: 'incident 4711' } });
    if (done === undefined) throw new Error('no run');
    expect(await overrideRefusal(done, server.parts)).toMatchObject({ code: 'conflict' });
  });

  it('stops after the call in progress when its window closes, and continues when it opens', async () => {
    // Each rename frees the name that the next one takes, so the calls go out one after the other.
    const chain = desired.replace('NEW-1', 'OLD-2').replace('NEW-2', 'OLD-3');
    let later = 0;
    let inFirst: (() => Promise<void>) | undefined;
    const server = await one(
      'correct',
      {
        desired: `${chain}policy: { windows: [{ name: nightly, only: ["${hours(0, 2)}"] }] }\n`,
        clock: { ...systemClock, now: () => systemClock.now() + later },
      },
      {
        hooks: {
          async afterEach({ action }) {
            if (action !== null && changesFleet(action)) await inFirst?.();
          },
        },
      },
    );
    await server.check('berlin');
    const [queued] = await server.runs();
    const log = async () => server.store.runs.events(queued?.id ?? '', { visible: 'all' });
    const stop = async () => (await log()).find(({ type }) => type === 'stop')?.text;
    inFirst = async () => {
      inFirst = undefined;
      later = 3 * 3_600_000;
      await expect.poll(stop, { timeout: 20_000 }).toMatch(/^stops at a safe point: .*"nightly"/);
    };
    await server.run('berlin');
    // While the window is closed, the rest waits.
    await server.drain();
    expect(server.given.writesOf('berlin')).toBe(1);
    expect(await server.runs()).toMatchObject([
      {
        state: 'queued',
        progress: { waits_for: { kind: 'window', message: expect.stringContaining('nightly') } },
      },
    ]);
    later = 0;
    await server.run('berlin');
    expect(server.given.writesOf('berlin')).toBe(3);
    expect(await server.runs()).toMatchObject([{ state: 'done' }]);
    expect(await server.plans()).toMatchObject([{ state: 'done' }]);
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
    const [plan] = await server.plans();
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
});

describe.skipIf(!hasPostgres)('mode correct', () => {
  it('does not repeat what someone undid, until someone plans again or the desired state changes', {
    timeout: 60_000,
  }, async () => {
    const server = await one('correct');
    await server.check('berlin');
    await server.drain();
    const [run] = await server.runs();
    if (run === undefined) throw new Error('no run');
    expect((await proposeUndo(run, alice, server.parts)).ok).toBe(true);
    await approve(server);
    await server.drain();
    await server.check('berlin');
    expect(server.given.writesOf('berlin')).toBe(6);
    expect(await server.account()).toMatchObject({
      health: 'waiting',
      hold: { kind: 'undo' },
      failure: null,
    });
    expect((await server.plans())[0]).toMatchObject({
      state: 'waiting',
      reason: 'someone undid a run, so the server does not repeat its changes automatically',
    });
    await server.desire(desired.replace('NEW-3', 'OTHER-3'));
    await server.check('berlin');
    await server.drain();
    expect(server.given.writesOf('berlin')).toBe(9);
    const [again] = await server.runs();
    if (again === undefined) throw new Error('no run');
    await proposeUndo(again, alice, server.parts);
    await approve(server);
    await server.drain();
    expect(server.given.writesOf('berlin')).toBe(12);
    await server.store.accounts.setHold(['berlin'], null);
    await server.check('berlin');
    await server.drain();
    expect(server.given.writesOf('berlin')).toBe(15);
    expect(await server.account()).toMatchObject({ health: 'converged', hold: null });
  });
});

describe.skipIf(!hasPostgres)('a plan that the server must sign', () => {
  it('is applied if the key of the server has signed it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signing-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const read = readSigningKey(key, 'key');
    writeFileSync(join(folder, 'key'), key);
    const blob = read.ok ? read.value.publicBlob.toString('base64') : '';
    writeFileSync(join(folder, 'signers'), `server ssh-ed25519 ${blob}\n`);
    const server = await one('propose', {
      env: {
        RAMPART_REQUIRE_SIGNATURE: 'server',
        RAMPART_SIGNING_KEY_FILE: join(folder, 'key'),
        RAMPART_ALLOWED_SIGNERS: join(folder, 'signers'),
      },
    });
    await server.check('berlin');
    await approve(server);
    await server.run('berlin');
    expect(await server.runs()).toMatchObject([{ state: 'done' }]);
    expect(server.given.writesOf('berlin')).toBe(hosts.length);
  });
});

describe.skipIf(!hasPostgres)('a plan that a check finds again', () => {
  /** The same entries below a comment, in the opposite order. */
  const [version = '', key = '', ...entries] = desired.trimEnd().split('\n');
  const moved = ['# a comment', version, key, ...entries.toReversed(), ''].join('\n');

  it('is kept with its approvals, its commit and its lines if its entries move, and its run applies what it shows', async () => {
    const server = await one('propose');
    await server.check('berlin');
    const [made] = await server.plans();
    const text = await server.store.plans.document(made?.id ?? '', 'all');
    await approve(server);
    await server.desire(moved);
    await server.check('berlin');
    const { id, commit, checksum } = made as PlanRecord;
    expect(await server.plans()).toMatchObject([
      { id, commit, checksum, state: 'approved', approvals: [{ by: alice }] },
    ]);
    expect(await server.store.plans.document(id, 'all')).toBe(text);
    expect((await server.account()).commit).not.toBe(commit);
    await server.drain();
    expect(await server.plans()).toMatchObject([{ id, state: 'done' }]);
    expect(server.given.writesOf('berlin')).toBe(3);
  });

  it('stays rejected if its entries move to other lines, or change places', async () => {
    const server = await one('propose');
    await server.check('berlin');
    const [plan] = await server.plans();
    await decideAs(server.parts, plan as PlanRecord, alice, { decision: 'rejected', comment: 'on Monday' });
    await server.desire(moved);
    await server.check('berlin');
    expect(await server.plans()).toMatchObject([{ state: 'rejected' }]);
    expect(await server.account()).toMatchObject({ health: 'drifted', plan: null });
  });

  it('does not block the next plan of its account once it has expired, even if it reverses a run', async () => {
    const server = await one('correct');
    await server.check('berlin');
    await server.drain();
    const [ended] = await server.runs();
    if (ended === undefined) throw new Error('no run');
    expect((await proposeUndo(ended, alice, server.parts)).ok).toBe(true);
    sharedPostgres().run(url, `update rampart_server.plan set expires_at = now() - interval '1 hour'`);
    await tick(server.parts);
    await server.check('berlin');
    expect((await server.plans())[0]).toMatchObject({ state: 'expired' });
    server.given.emulators.get('berlin')?.edit({ kind: 'rename', id: '2', name: 'BY-HAND' });
    await server.check('berlin');
    expect((await server.plans())[0]).toMatchObject({ state: 'approved', changes: 1 });
  });
});
