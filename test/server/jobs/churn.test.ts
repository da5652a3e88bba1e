import { describe, expect, it } from 'vitest';
import type { PlanRecord } from '../../../src/server/plans/records/plans.ts';
import { decideAs } from '../../given/decide.ts';
import { databaseWithTables, hasPostgres } from '../../given/postgres.ts';
import { type GivenServer, givenServer } from '../../given/server-jobs.ts';

const size = 12;
const hosts = Array.from({ length: size }, (_, at) => ({ id: String(at + 1), name: `OLD-${at + 1}` }));

/** Every host gets the name that belongs to its version; an edit of the file raises one of them. */
const fileOf = (versions: readonly number[], limit = 3) =>
  [
    'version: 1',
    'hosts:',
    ...versions.map((version, at) => `  - { id: ${at + 1}, name: NEW-${at + 1}-V${version} }`),
    `policy: { limits: { rename: ${limit} } }`,
    '',
  ].join('\n');

const first = hosts.map(() => 0);

async function given(mode = 'correct', server = ''): Promise<GivenServer> {
  const url = databaseWithTables();
  return givenServer(url, { berlin: { groups: [], hosts, mode } }, { desired: fileOf(first), server });
}

async function open(server: GivenServer): Promise<PlanRecord> {
  const plan = (await server.plans()).find(({ state }) => state === 'waiting' || state === 'approved');
  if (plan === undefined) throw new Error('no open plan');
  return plan;
}

const namesIn = (server: GivenServer) =>
  new Map(
    server.given.emulators
      .get('berlin')
      ?.state()
      .hosts.map(({ id, name }) => [id, name]),
  );

/** Approves the plan that a person has read, whatever a check has found since. */
async function approve(server: GivenServer, { id }: PlanRecord, by = 'alice'): Promise<boolean> {
  const seen = await server.store.plans.find(id, 'all');
  if (seen === undefined) return false;
  const numbers = Object.fromEntries(seen.required.numbers.map(({ limit, value }) => [limit, value]));
  return decideAs(server.parts, seen, { kind: 'person', id: by, name: by }, { numbers });
}

const enroll = (server: GivenServer, id: number) =>
  server.given.emulators
    .get('berlin')
    ?.edit({ kind: 'enroll', host: { id: String(id), name: `NEW-PC-${id}` } });

describe.skipIf(!hasPostgres)('an account whose file and fleet change every few seconds', () => {
  it('gets what a person approved within two checks, nothing else, and converges once the edits end', {
    timeout: 120_000,
  }, async () => {
    const server = await given();
    const versions = [...first];
    let edits = 0;
    const churn = async () => {
      const at = edits % 3;
      edits += 1;
      versions[at] = (versions[at] ?? 0) + 1;
      await server.desire(fileOf(versions));
      if (edits % 2 === 0) enroll(server, 100 + edits);
      await server.check('berlin');
    };
    await server.check('berlin');
    const read = await open(server);
    for (let more = 0; more < 4; more += 1) await churn();
    expect((await server.store.plans.find(read.id, 'all'))?.state).toBe('stale');
    expect(await approve(server, read)).toBe(true);
    await churn();
    expect(server.given.writesOf('berlin')).toBe(0);
    await server.run('berlin');
    // What the edits have changed since is left out: the first three hosts.
    const names = namesIn(server);
    for (const { id, name } of hosts) expect(names.get(id)).toBe(Number(id) <= 3 ? name : `NEW-${id}-V0`);
    expect(server.given.writesOf('berlin')).toBe(size - 3);
    expect((await server.runs())[0]).toMatchObject({ state: 'done', steps: { done: size - 3, skipped: 3 } });
    // The rest is within the limit.
    await server.drain();
    expect(await server.account()).toMatchObject({ health: 'converged', failure: null, hold: null });
    for (const [at, version] of versions.entries())
      expect(namesIn(server).get(String(at + 1))).toBe(`NEW-${at + 1}-V${version}`);
  });

  it('is never failing or without a plan to act on because approved runs were refused', {
    timeout: 120_000,
  }, async () => {
    const server = await given();
    await server.check('berlin');
    for (let round = 1; round <= 7; round += 1) {
      const plan = await open(server);
      // Every host has changed by hand when the run begins.
      for (const { id } of hosts)
        server.given.emulators.get('berlin')?.edit({ kind: 'rename', id, name: `HAND-${id}-${round}` });
      await approve(server, plan);
      await server.drain();
      expect(await server.account()).toMatchObject({ health: 'waiting', failure: null, hold: null });
      expect((await open(server)).state).toBe('waiting');
    }
    expect(server.given.writesOf('berlin')).toBe(0);
    await approve(server, await open(server));
    await server.drain();
    expect((await server.account()).health).toBe('converged');
  });
});

describe.skipIf(!hasPostgres)('an approval', () => {
  it('of one of two people is kept while the file changes, and the second one starts the run', async () => {
    const server = await given('propose', '  approvals: [{ required: 2 }]\n');
    await server.check('berlin');
    const plan = await open(server);
    await approve(server, plan);
    await server.desire(fileOf([1, ...first.slice(1)]));
    await server.check('berlin');
    expect(await open(server)).toMatchObject({
      id: plan.id,
      state: 'waiting',
      approvals: [{}],
      later: { leftOut: ['1'] },
      reason: 'a later check found other changes, which wait for the next plan',
    });
    expect(await server.runs()).toEqual([]);
    await approve(server, plan, 'bob');
    await server.drain();
    expect(namesIn(server).get('1')).toBe('OLD-1');
    expect(namesIn(server).get('2')).toBe('NEW-2-V0');
    expect(await open(server)).toMatchObject({ state: 'waiting', changes: 1, approvals: [] });
  });

  it('is not lost if it is given while a check replaces the plan', async () => {
    const server = await given('propose', '  approvals: [{ required: 2 }]\n');
    await server.check('berlin');
    const read = await open(server);
    await server.desire(fileOf([1, ...first.slice(1)]));
    const { pauses } = server.store;
    const { list } = pauses;
    let isApproved = false;
    Object.assign(pauses, {
      list: async () => {
        if (!isApproved) {
          isApproved = true;
          await approve(server, read);
        }
        return list();
      },
    });
    await server.check('berlin');
    expect(isApproved).toBe(true);
    expect(await open(server)).toMatchObject({ id: read.id, approvals: [{}], later: { leftOut: ['1'] } });
  });

  it('covers nothing that a check removed while the run waited for its lock', async () => {
    const server = await given('propose');
    await server.check('berlin');
    await approve(server, await open(server));
    const { state } = server.parts;
    let isChecked = false;
    const acquire: typeof state.acquire = async (...asked) => {
      if (!isChecked) {
        isChecked = true;
        await server.desire(fileOf([1, ...first.slice(1)]));
        await server.check('berlin');
      }
      return state.acquire(...asked);
    };
    Object.assign(server.parts, { state: { ...state, acquire } });
    await expect(server.run('berlin')).rejects.toThrow('another worker continues the run');
    expect(server.given.writesOf('berlin')).toBe(0);
    expect(await open(server)).toMatchObject({ state: 'approved', later: { leftOut: ['1'] } });
    await server.run('berlin');
    expect(namesIn(server).get('1')).toBe('OLD-1');
    expect(server.given.writesOf('berlin')).toBe(size - 1);
  });
});
