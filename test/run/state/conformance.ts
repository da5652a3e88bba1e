import { hostname } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, accountKey } from '../../../src/core/model/account.ts';
import { hostsOf } from '../../../src/core/model/observed.ts';
import type { AntivirusStep, Step, StepId } from '../../../src/core/plan/types/step.ts';
import { problem } from '../../../src/core/problem/problem.ts';
import type { State } from '../../../src/run/state/interface/state.ts';
import type { Journal } from '../../../src/run/state/journal/journal.ts';
import type { RunHead } from '../../../src/run/state/journal/journal-on.ts';
import type { Origin } from '../../../src/run/state/journal/record.ts';
import { replay } from '../../../src/run/state/journal/replay.ts';
import type { LockHolder } from '../../../src/run/state/lease/lease-holder.ts';
import { describeProcess } from '../../../src/run/state/lease/this-process.ts';
import { pruneRuns } from '../../../src/run/state/prune-runs.ts';
import { hasRunSince, recallRuns } from '../../../src/run/state/recall-runs.ts';
import { rolloutLockKey } from '../../../src/run/state/rollout/rollout.ts';
import { exportState, importState } from '../../../src/run/state/transfer.ts';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import { at, givenFleet, hostId } from '../../given/fleet.ts';
import { givenPlan } from '../../given/plan.ts';
import { givenEvents, givenRollout } from '../../given/rollouts.ts';
import type { Backend } from '../../given/states.ts';
import { valueOf } from '../../given/value-of.ts';

const account = { companyId: '42', service: 'https://service.example' };
const other = { companyId: '43', service: 'https://service.example' };
const plan = givenPlan({
  entries: [
    { id: 1, name: 'B' },
    { id: 2, antivirus: true },
    { id: 3, antivirus: true },
  ],
  hosts: [
    { id: 1, name: 'A' },
    { id: 2, name: 'h2', antivirus: 'missing' },
    { id: 3, name: 'h3', antivirus: 'missing' },
  ],
});
const rename = plan.steps.find(({ kind }) => kind === 'rename') as Step;
const install = plan.steps.find(({ kind }) => kind === 'antivirus') as AntivirusStep;
const start = Date.parse(at);
const day = 24 * 3_600_000;

const holder = () => describeProcess(at);
/** Someone on a machine that this one can't look at. */
const stranger = { pid: 1, machine: `not-${hostname()}`, user: 'ada', since: at };
const alice: Origin = { actor: 'alice', host: 'workstation', commit: 'abc123' };
const bob: Origin = { actor: 'bob', host: 'ci', commit: 'abd456', job: 'https://ci.example/jobs/9' };

/** What every backend promises; each has its own file, so that it can be tested alone. */
export function describeConformance(make: () => Promise<Backend>): void {
  let backend: Backend;
  let state: State;
  let count = 0;
  beforeAll(async () => {
    backend = await make();
  }, 120_000);
  afterAll(() => backend.stop());
  beforeEach(async () => {
    count += 1;
    state = await backend.open(`state-${count}`);
    return () => state.close();
  }, 60_000);

  const acquire = (request: Partial<Parameters<State['acquire']>[1]> = {}, of: Account = account) =>
    state.acquire(of, { clock: systemClock, timeoutMs: 0, holder: holder(), ...request });
  const headAt = (ms: number, of = account): RunHead => ({
    clock: { now: () => start + ms, sleep: async () => {} },
    account: of,
    planChecksum: 'c',
    steps: 2,
    fleetSize: 10,
  });
  async function runOf(
    ms: number,
    write: (journal: Journal) => Promise<unknown>,
    of = account,
    origin?: Origin,
  ): Promise<string> {
    const lease = valueOf(await acquire({}, of));
    const head = headAt(ms, of);
    const journal = valueOf(await state.startRun(lease, origin === undefined ? head : { ...head, origin }));
    await write(journal);
    await lease.release();
    return journal.runId;
  }
  const whole = (pace?: { rate: number; latency: number }) => async (journal: Journal) => {
    await journal.begin(rename);
    await journal.outcome(rename.id, 'done');
    await journal.end(0, pace);
  };

  describe('its lock', () => {
    it('is held by one run at a time, and others get its name', async () => {
      const first = valueOf(await acquire({ holder: stranger }));
      const second = await acquire();
      expect(second.problems[0]).toMatchObject({
        code: 'lock-held',
        message: expect.stringContaining('ada'),
      });
      expect(valueOf(await state.holder(account))).toMatchObject({ user: 'ada', since: at });
      expect(valueOf(await state.listLocks())).toHaveLength(1);
      await first.release();
      expect(valueOf(await state.holder(account))).toBeNull();
      expect(valueOf(await state.listLocks())).toEqual([]);
      expect((await acquire()).ok).toBe(true);
    });
    it('names its run, its person and their job to a run that waits and to one that is refused', async () => {
      const lease = valueOf(await acquire({ holder: describeProcess(at, bob) }));
      const { runId } = valueOf(await state.startRun(lease, { ...headAt(0), origin: bob }));
      const expected = { actor: 'bob', job: bob.job, run: runId };
      expect(valueOf(await state.holder(account))).toMatchObject(expected);
      const waited: (LockHolder | null)[] = [];
      const onWait = (of: LockHolder | null) => void waited.push(of);
      const refused = await acquire({ timeoutMs: 1_000, onWait });
      expect(waited).toMatchObject([expected]);
      expect(refused.problems[0]?.message).toContain('of bob on');
      expect(refused.problems[0]?.message).toContain(`run ${runId}, job ${bob.job}`);
    });
    it('is separate for each account', async () => {
      expect((await acquire()).ok).toBe(true);
      expect((await acquire({}, other)).ok).toBe(true);
    });
    it('has an epoch that grows with each holder', async () => {
      const epochs: number[] = [];
      for (let turn = 0; turn < 3; turn += 1) {
        const lease = valueOf(await acquire());
        epochs.push(lease.epoch);
        await lease.release();
      }
      expect(epochs).toEqual([1, 2, 3]);
    });
    it('can be waited for', async () => {
      const first = valueOf(await acquire());
      const waiting = acquire({ timeoutMs: 30_000 });
      await first.release();
      expect((await waiting).ok).toBe(true);
    });
    it('can be waited for until the run is stopped', async () => {
      await acquire({ holder: stranger });
      const stopped = await acquire({ timeoutMs: 30_000, signal: AbortSignal.abort() });
      expect(stopped.problems[0]?.code).toBe('cancelled');
    });
    it('goes to exactly one of many runs', async () => {
      const all = await Promise.all(Array.from({ length: 20 }, () => acquire({ holder: stranger })));
      expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    });
    it('is taken over at once from a process that died on this machine, with a warning', async () => {
      await acquire({ holder: { ...holder(), pid: 2 ** 22 + 1 } });
      const next = await acquire();
      expect(next).toMatchObject({ ok: true, problems: [{ code: 'lock-held', severity: 'warning' }] });
    });
    it('is not released by a run that no longer holds it', async () => {
      const first = valueOf(await acquire({ holder: { ...holder(), pid: 2 ** 22 + 1 } }));
      valueOf(await acquire());
      await first.release();
      expect(valueOf(await state.holder(account))).not.toBeNull();
    });
    it('can be broken, once', async () => {
      const lease = valueOf(await acquire());
      expect(await lease.confirm()).toBe(true);
      expect(valueOf(await state.unlock(account))).toBe(true);
      expect(await lease.confirm()).toBe(false);
      expect(valueOf(await state.unlock(account))).toBe(false);
      expect((await acquire()).ok).toBe(true);
    });
    it('is broken only for the expected holder, if one is given', async () => {
      const first = valueOf(await acquire());
      const seen = valueOf(await state.holder(account));
      expect(seen?.epoch).toBe(first.epoch);
      await first.release();
      const second = valueOf(await acquire());
      expect(valueOf(await state.unlock(account, seen?.epoch))).toBe(false);
      expect(await second.confirm()).toBe(true);
      expect(valueOf(await state.unlock(account, second.epoch))).toBe(true);
      expect(await second.confirm()).toBe(false);
    });
  });

  describe('the record of a run', () => {
    it('is read again as it was written', async () => {
      const runId = await runOf(0, async (journal) => {
        await journal.begin(rename);
        await journal.outcome(rename.id, 'failed', {
          problem: problem('conflict', 'taken'),
          failedHostIds: ['1'],
          inDoubtHostIds: ['2'],
        });
        await journal.begin(install);
        await journal.end(5, { rate: 3, latency: 0.2 });
      });
      const run = valueOf(await state.readRun(runId));
      expect(run.head).toMatchObject({
        run_id: runId,
        at: new Date(at).toISOString(),
        epoch: 1,
        fleet_size: 10,
        plan_checksum: 'c',
      });
      expect(run.records.map(({ type }) => type)).toEqual(['run', 'begin', 'outcome', 'begin', 'end']);
      const [first, second] = replay(run).steps;
      expect(first).toMatchObject({ outcome: 'failed', failedHostIds: new Set(['1']) });
      expect(first?.isInDoubt('2')).toBe(true);
      expect(second?.outcome).toBe('unknown');
      expect(replay(run)).toMatchObject({
        exitCode: 5,
        state: 'incomplete',
        pace: { rate: 3, latency: 0.2 },
      });
    });
    it('keeps names with characters that no database stores, or U+FFFD in their place', async () => {
      const cause = problem('conflict', 'taken by B\0');
      const runId = await runOf(0, async (journal) => {
        valueOf(await journal.begin({ ...rename, from: 'A\0\ud800' } as Step));
        await journal.outcome(rename.id, 'failed', {
          problem: cause,
          failedHostIds: ['1'],
          inDoubtHostIds: [],
        });
        await journal.end(5);
      });
      const [step] = replay(valueOf(await state.readRun(runId))).steps;
      expect(step?.outcome).toBe('failed');
      expect(['A\0\ud800', 'A\ufffd\ufffd']).toContain(step?.begin.changes[0]?.name?.before);
    });
    it('keeps the order of many steps that begin together', async () => {
      const ids = Array.from({ length: 300 }, (_, index) => `s${index + 1}` as StepId);
      const runId = await runOf(0, async (journal) => {
        await Promise.all(
          ids.map(async (id) => {
            valueOf(await journal.begin({ ...rename, id }));
            await journal.outcome(id, 'done');
          }),
        );
        await journal.end(0);
      });
      const { steps } = replay(valueOf(await state.readRun(runId)));
      expect(steps.map(({ begin }) => begin.step)).toEqual(ids);
      expect(new Set(steps.map(({ outcome }) => outcome))).toEqual(new Set(['done']));
    });
    it('accepts no step once the lock has passed to another run', async () => {
      const lease = valueOf(await acquire());
      const journal = valueOf(await state.startRun(lease, headAt(0)));
      valueOf(await journal.begin(rename));
      await state.unlock(account);
      valueOf(await acquire());
      expect((await journal.begin(install)).problems[0]).toMatchObject({ code: 'lock-lost' });
      await journal.end(5);
      const run = valueOf(await state.readRun(journal.runId));
      expect(run.records.map(({ type }) => type)).toEqual(['run', 'begin']);
    });
    it('does not begin without the lock', async () => {
      const lease = valueOf(await acquire());
      await state.unlock(account);
      expect((await state.startRun(lease, headAt(0))).problems[0]?.code).toBe('lock-lost');
    });
    it('that does not exist is a problem with a hint', async () => {
      expect((await state.readRun('20990101T000000000Z-aaaaaa')).problems[0]).toMatchObject({
        code: 'usage',
        hint: expect.stringContaining('rampart runs'),
      });
    });
  });

  describe('its list of runs', () => {
    it('is empty at first, and has the latest first, by account, and at most the requested number', async () => {
      expect(valueOf(await state.listRuns({}))).toEqual([]);
      const ids = [];
      for (const [ms, of] of [
        [0, account],
        [1000, other],
        [2000, account],
      ] as const)
        ids.unshift(await runOf(ms, whole(), of));
      const idsOf = async (query: Parameters<State['listRuns']>[0]) =>
        valueOf(await state.listRuns(query)).map(({ head }) => head.run_id);
      expect(await idsOf({})).toEqual(ids);
      expect(await idsOf({ account })).toEqual([ids[0], ids[2]]);
      expect(await idsOf({ limit: 1 })).toEqual([ids[0]]);
      expect(await idsOf({ before: ids[0] ?? '' })).toEqual([ids[1], ids[2]]);
      expect(await idsOf({ since: start + 1500 })).toEqual([ids[0]]);
      expect(await idsOf({ since: start + 1500, atLeast: 2 })).toEqual([ids[0], ids[1]]);
      expect(await idsOf({ account, since: start + 3000, atLeast: 2 })).toEqual([ids[0], ids[2]]);
      expect(await idsOf({ account: other, since: start + 1500, atLeast: 1 })).toEqual([ids[1]]);
    });
    it('has the runs that match all conditions', async () => {
      const first = await runOf(0, (journal) => journal.end(0), account, alice);
      const second = await runOf(1000, (journal) => journal.end(5), account, bob);
      const third = await runOf(2000, async () => {}, account, alice);
      const idsOf = async (query: Parameters<State['listRuns']>[0]) =>
        valueOf(await state.listRuns(query)).map(({ head }) => head.run_id);
      expect(await idsOf({ actor: 'alice' })).toEqual([third, first]);
      expect(await idsOf({ actor: 'alice', limit: 1 })).toEqual([third]);
      expect(await idsOf({ actor: 'ali' })).toEqual([]);
      expect(await idsOf({ commit: 'ab' })).toEqual([third, second, first]);
      expect(await idsOf({ commit: 'abd' })).toEqual([second]);
      expect(await idsOf({ commit: 'bd' })).toEqual([]);
      expect(await idsOf({ state: 'completed' })).toEqual([first]);
      expect(await idsOf({ state: 'incomplete' })).toEqual([second]);
      expect(await idsOf({ state: 'crashed' })).toEqual([third]);
      expect(await idsOf({ until: start + 1000 })).toEqual([second, first]);
      expect(await idsOf({ until: start + 999 })).toEqual([first]);
      expect(await idsOf({ since: start + 1000, until: start + 1999 })).toEqual([second]);
      expect(await idsOf({ before: third, until: start + 999 })).toEqual([first]);
      expect(await idsOf({ actor: 'alice', state: 'completed', commit: 'abc123' })).toEqual([first]);
      expect(valueOf(await state.readRun(second)).head.origin).toEqual(bob);
    });
    it('summarizes what a run did, even if it crashed', async () => {
      await runOf(0, whole({ rate: 7, latency: 0.1 }));
      await runOf(1000, async (journal) => {
        await journal.begin(rename);
        await journal.outcome(rename.id, 'already');
        await journal.begin(install);
      });
      // The outcome of a step may not have been written yet.
      await expect
        .poll(async () => valueOf(await state.listRuns({})))
        .toMatchObject([
          {
            state: 'crashed',
            exitCode: null,
            done: 1,
            requests: [
              { host_id: '2', kind: 'antivirus', in_doubt: true },
              { host_id: '3', in_doubt: true },
            ],
          },
          { state: 'completed', exitCode: 0, done: 1, requests: [], pace: { rate: 7, latency: 0.1 } },
        ]);
    });
    it('shows a run in progress as running, with the holder of its lock, until the lock is released', async () => {
      const lease = valueOf(await acquire());
      const journal = valueOf(await state.startRun(lease, headAt(0)));
      valueOf(await journal.begin(rename));
      const { pid, user } = holder();
      expect(valueOf(await state.listRuns({ state: 'running' }))).toMatchObject([
        { head: { run_id: journal.runId }, state: 'running', exitCode: null, holder: { pid, user } },
      ]);
      expect(valueOf(await state.listRuns({ state: 'crashed' }))).toEqual([]);
      expect(valueOf(await state.readRun(journal.runId)).holder).toMatchObject({ pid, user });
      const earlier = valueOf(await state.readEarlier(account, { account }));
      expect(earlier).toMatchObject({ runs: [{ state: 'running' }], listTimes: [] });
      await lease.release();
      const [crashed] = valueOf(await state.listRuns({ state: 'crashed' }));
      expect(crashed?.holder).toBeUndefined();
      expect(valueOf(await state.listRuns({ state: 'running' }))).toEqual([]);
      expect(valueOf(await state.readRun(journal.runId)).holder).toBeUndefined();
    });
    it('reads what planning needs for several accounts and times at once, with the same result as for each alone', async () => {
      const lease = valueOf(await acquire());
      for (const ms of [0, 60_000]) await valueOf(await state.startRun(lease, headAt(ms))).end(0);
      await lease.release();
      const other = { ...account, companyId: 'other' };
      const since = Date.parse(valueOf(await state.listRuns({})).at(0)?.head.at ?? '');
      const queries: readonly Parameters<State['readEarlier']>[] = [
        [account, { account, since: 0 }],
        [other, { account: other, since: 0 }],
        [account, { account, since, atLeast: 1 }],
        [account, { account, since }],
        [account, { limit: 0 }],
      ];
      const together = await Promise.all(queries.map((query) => state.readEarlier(...query)));
      expect(together.map((each) => valueOf(each).runs.length)).toEqual([2, 0, 1, 1, 0]);
      const alone = [];
      for (const query of queries) alone.push(await state.readEarlier(...query));
      expect(together).toEqual(alone);
    });
    it('shows a run as crashed once another run has its lock, and a run with an end as completed', async () => {
      const first = valueOf(await acquire({ holder: { ...holder(), pid: 2 ** 22 + 1 } }));
      const lost = valueOf(await state.startRun(first, headAt(0)));
      const second = valueOf(await acquire());
      const journal = valueOf(await state.startRun(second, headAt(1000)));
      await journal.end(0);
      expect(valueOf(await state.listRuns({}))).toMatchObject([
        { head: { run_id: journal.runId }, state: 'completed' },
        { head: { run_id: lost.runId }, state: 'crashed' },
      ]);
      await second.release();
    });
    it('contains what later runs need', async () => {
      await runOf(0, whole({ rate: 7, latency: 0.1 }));
      await runOf(1000, async (journal) => {
        await journal.begin(install);
        await journal.outcome(install.id, 'unknown', { inDoubtHostIds: ['3'] });
        await journal.end(5);
      });
      const recalled = valueOf(await recallRuns(state, account, { now: start + 2000, windowMs: day }));
      expect(recalled).toMatchObject({ pace: { rate: 7, latency: 0.1 }, fleetSize: 10 });
      expect([...recalled.installs.requests].map(([host, { state: now }]) => [host, now])).toEqual([
        ['2', 'accepted'],
        ['3', 'in-doubt'],
      ]);
      expect(await hasRunSince(state, account, new Date(start + 500).toISOString())).toBe(true);
      expect(await hasRunSince(state, account, new Date(start + 1500).toISOString())).toBe(false);
      expect(await hasRunSince(state, other, at)).toBe(false);
    });
  });

  describe('the last fleet', () => {
    it('is that of its account, and is replaced by the next', async () => {
      expect(valueOf(await state.readFleet(account))).toBeNull();
      valueOf(await state.saveFleet(account, givenFleet([{ id: 1, name: 'A' }])));
      valueOf(await state.saveFleet(account, givenFleet([{ id: 1, name: '日本-Ä' }])));
      const left = valueOf(await state.readFleet(account));
      expect(left?.observed.byId(hostId(1))?.name).toBe('日本-Ä');
      expect(valueOf(await state.readFleet(other))).toBeNull();
    });
    it('keeps earlier results for hosts that others changed', async () => {
      const fleet = givenFleet([{ id: 1, name: 'X' }]);
      const earlier = hostsOf(
        givenFleet([
          { id: 1, name: 'A', antivirus: 'missing' },
          { id: 2, name: null },
        ]),
      );
      valueOf(await state.saveFleet(account, fleet, earlier));
      expect(valueOf(await state.readFleet(account))?.earlier).toEqual(earlier);
      valueOf(await state.saveFleet(account, fleet));
      expect(valueOf(await state.readFleet(account))?.earlier).toBeUndefined();
    });
  });

  describe('the times when lists were last read', () => {
    const listed = async (of = account) => valueOf(await state.listTimes(of));
    it('are known by account and list, with the time since then and the limit', async () => {
      expect(await listed()).toEqual([]);
      expect(valueOf(await state.readEarlier(account, {})).listTimes).toEqual([]);
      valueOf(
        await state.saveListTimes(account, [
          { action: 'listHosts', ageMs: 5_000, everyMs: 60_000 },
          { action: 'listGroups', ageMs: 0, everyMs: null },
        ]),
      );
      const [groups, hosts] = (await listed()).toSorted((a, b) => a.action.localeCompare(b.action));
      expect(hosts).toMatchObject({ action: 'listHosts', everyMs: 60_000 });
      expect(hosts?.ageMs).toBeGreaterThanOrEqual(5_000);
      expect(hosts?.ageMs).toBeLessThan(30_000);
      expect(groups).toMatchObject({ action: 'listGroups', everyMs: null });
      expect(await listed(other)).toEqual([]);
    });
    it('are those of the latest read, and do not change the times of other lists', async () => {
      valueOf(await state.saveListTimes(account, [{ action: 'listHosts', ageMs: 50_000, everyMs: 60_000 }]));
      valueOf(await state.saveListTimes(account, [{ action: 'listGroups', ageMs: 0, everyMs: 1_000 }]));
      valueOf(await state.saveListTimes(account, [{ action: 'listHosts', ageMs: 1_000, everyMs: 30_000 }]));
      const times = await listed();
      expect(times).toHaveLength(2);
      const hosts = times.find(({ action }) => action === 'listHosts');
      expect(hosts?.everyMs).toBe(30_000);
      expect(hosts?.ageMs).toBeLessThan(20_000);
    });
  });

  describe('moving it', () => {
    it('to a new state and back loses nothing, and a second time adds nothing', async () => {
      await runOf(0, whole({ rate: 7, latency: 0.1 }));
      await runOf(1000, async (journal) => void (await journal.begin(install)), other);
      const hosts = givenFleet([{ id: 1, name: 'A' }]);
      valueOf(await state.saveFleet(account, hosts, hostsOf(givenFleet([{ id: 2, name: 'B' }]))));
      const lines = await exported(state);
      const copy = await backend.open(`copy-${count}`);
      const read = async () => valueOf(await importState(copy, eachOf(lines), 'state.ndjson'));
      const { uncovered, ...first } = await read();
      expect(first).toEqual({ runs: 2, fleets: 1, rollouts: 0, known: 0 });
      // The export has no audit records of them.
      expect(uncovered).toHaveLength(2);
      expect(await read()).toEqual({ runs: 0, fleets: 1, rollouts: 0, known: 2, uncovered: [] });
      expect(await exported(copy)).toEqual(lines);
      await copy.close();
    });
  });

  describe('pruning it', () => {
    it('removes old runs, and keeps the latest run and the latest pace of each account', async () => {
      const paced = await runOf(0, whole({ rate: 7, latency: 0.1 }));
      const old = await runOf(1000, whole());
      const latest = await runOf(2000, whole());
      const foreign = await runOf(3000, whole(), other);
      const cutoff = start + 100 * day;
      expect(valueOf(await pruneRuns(state, cutoff, { dryRun: true }))).toEqual({
        removed: 1,
        needed: 3,
        rollouts: 0,
      });
      expect(valueOf(await pruneRuns(state, cutoff))).toEqual({ removed: 1, needed: 3, rollouts: 0 });
      const left = valueOf(await state.listRuns({})).map(({ head }) => head.run_id);
      expect(left).toEqual([foreign, latest, paced]);
      expect((await state.readRun(old)).ok).toBe(false);
    });
  });

  describe('its rollouts', () => {
    const head = givenRollout();
    const { rollout_id: id } = head;
    const begun = givenEvents(['begun']);

    it('keep a head, plans of any size, and entries in their order', async () => {
      const { rollouts } = state;
      valueOf(await rollouts.create(head));
      valueOf(await rollouts.savePlan(id, 'a', 'ä'.repeat(500_000)));
      expect(valueOf(await rollouts.append(id, 0, begun))).toBe(true);
      const more = givenEvents(['account-started', 'a'], ['account-started', 'b']);
      expect(valueOf(await rollouts.append(id, 1, more))).toBe(true);
      expect(valueOf(await rollouts.read(id))).toEqual({ head, events: [...begun, ...more], revision: 2 });
      expect(valueOf(await rollouts.readPlan(id, 'a'))).toBe('ä'.repeat(500_000));
      expect(valueOf(await rollouts.readPlan(id, 'b'))).toBeNull();
      expect(valueOf(await rollouts.list())).toEqual([id]);
      expect((await rollouts.create(head)).ok).toBe(false);
    });
    it('do not exist for an id that was never used', async () => {
      expect(valueOf(await state.rollouts.read('nobody'))).toBeNull();
      expect(valueOf(await state.rollouts.read('../runs'))).toBeNull();
      expect(valueOf(await state.rollouts.list())).toEqual([]);
    });
    it('accept an entry only after exactly the entries that its writer has read', async () => {
      const { rollouts } = state;
      valueOf(await rollouts.create(head));
      expect(valueOf(await rollouts.append(id, 0, begun))).toBe(true);
      expect(valueOf(await rollouts.append(id, 0, begun))).toBe(false);
      expect(valueOf(await rollouts.append(id, 2, begun))).toBe(false);
      const many = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          rollouts.append(id, 1, givenEvents(['account-started', String(at)])),
        ),
      );
      expect(many.filter((each) => valueOf(each))).toHaveLength(1);
      expect(valueOf(await rollouts.read(id))).toMatchObject({ revision: 2 });
    });
    it('accept no entry of a process that has lost the lock of the rollout', async () => {
      const { rollouts } = state;
      const key = rolloutLockKey(id);
      valueOf(await rollouts.create(head));
      const lease = valueOf(await acquire({ holder: stranger }, key));
      expect(valueOf(await rollouts.append(id, 0, begun, lease))).toBe(true);
      valueOf(await state.unlock(key));
      const next = valueOf(await acquire({}, key));
      expect((await rollouts.append(id, 1, begun, lease)).problems[0]?.code).toBe('lock-lost');
      expect(valueOf(await rollouts.append(id, 1, begun, next))).toBe(true);
      await next.release();
    });
    it('are listed latest first, and are removed with their plans', async () => {
      const { rollouts } = state;
      const ids = ['20261121T090000000Z-aaaaaa', '20261121T090000001Z-000000'];
      for (const each of ids) valueOf(await rollouts.create({ ...head, rollout_id: each }));
      expect(valueOf(await rollouts.list())).toEqual(ids.toReversed());
      valueOf(await rollouts.savePlan(ids[0] ?? '', 'a', 'text'));
      valueOf(await rollouts.remove([ids[0] ?? '']));
      expect(valueOf(await rollouts.list())).toEqual([ids[1]]);
      expect(valueOf(await rollouts.readPlan(ids[0] ?? '', 'a'))).toBeNull();
    });
    it('are exported and imported with their plans, and imported once', async () => {
      const { rollouts } = state;
      valueOf(await rollouts.create(head));
      valueOf(await rollouts.savePlan(id, 'a', 'plan of a'));
      valueOf(await rollouts.append(id, 0, begun));
      const lines = await exported(state);
      const copy = await backend.open(`copy-${count}`);
      const read = async () => valueOf(await importState(copy, eachOf(lines), 'state.ndjson'));
      expect(await read()).toEqual({ runs: 0, fleets: 0, rollouts: 1, known: 0, uncovered: [] });
      expect(await read()).toMatchObject({ rollouts: 0 });
      expect(valueOf(await copy.rollouts.readPlan(id, 'a'))).toBe('plan of a');
      expect(await exported(copy)).toEqual(lines);
      await copy.close();
    });
  });

  describe('inventories', () => {
    const key = accountKey(account);
    const text = (name: string, fetchedAt: number) =>
      JSON.stringify({
        format_version: '1.0',
        hosts: [{ id: '9007199254740993', name }],
        records: ['hardware', 'system'].map((kind) => ({
          kind,
          host_id: '9007199254740993',
          fetched_at: fetchedAt,
          fields: kind === 'system' ? null : ['ServiceTag'],
          record: kind === 'system' ? null : `{"serviceTag":"${name}","big":9223372036854775807}`,
        })),
        sizes: [{ kind: 'system', capacity: 50, ask: 50, carries_more: true, learnt_at: fetchedAt }],
      });
    it('are separate for each account, and the last saved one is kept', async () => {
      const { inventories } = state;
      expect(valueOf(await inventories.read(key))).toBeNull();
      expect(valueOf(await inventories.keys())).toEqual([]);
      valueOf(await inventories.save(key, text('A', 2)));
      valueOf(await inventories.save(accountKey(other), text('C', 1)));
      valueOf(await inventories.save(key, text('B', 1)));
      expect(valueOf(await inventories.read(key))).toBe(text('B', 1));
      expect(valueOf(await inventories.read(accountKey(other)))).toBe(text('C', 1));
      expect(valueOf(await inventories.keys())).toEqual([key, accountKey(other)].toSorted());
    });
    it('come from one process if many save at the same time', async () => {
      const texts = Array.from({ length: 12 }, (_, index) => text('X'.repeat(1_000 * index + 1), index));
      await Promise.all(texts.map(async (each) => valueOf(await state.inventories.save(key, each))));
      expect(texts).toContain(valueOf(await state.inventories.read(key)));
    });
    it('are exported and imported, and are never pruned', async () => {
      valueOf(await state.inventories.save(key, text('A', 2)));
      valueOf(await pruneRuns(state, start + 1_000 * day));
      const lines = await exported(state);
      const copy = await backend.open(`copy-${count}`);
      valueOf(await importState(copy, eachOf(lines), 'state.ndjson'));
      expect(valueOf(await copy.inventories.read(key))).toBe(text('A', 2));
      expect(await exported(copy)).toEqual(lines);
      await copy.close();
    });
  });

  it('says whether it can be used, and how many runs it has', async () => {
    await runOf(0, whole());
    expect(valueOf(await state.check())).toEqual({ runs: 1 });
    expect(state.place).not.toBe('');
    expect(valueOf(await state.migrate())).toEqual({ applied: [] });
  });
}

async function exported(state: State): Promise<readonly string[]> {
  const lines: string[] = [];
  valueOf(await exportState(state, (line) => lines.push(line.trimEnd())));
  return lines;
}

async function* eachOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
