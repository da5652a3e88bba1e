import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type ApplyOptions,
  type ApplyParts,
  applyAccount,
} from '../../../src/control/engine/apply-account.ts';
import { checkAccount } from '../../../src/control/engine/check-account.ts';
import type { EngineEvent, EngineParts } from '../../../src/control/engine/engine-parts.ts';
import { createExchanges } from '../../../src/control/engine/exchanges.ts';
import { openAccount, toAccount } from '../../../src/control/engine/open-account.ts';
import { planUndo } from '../../../src/control/engine/plan-undo.ts';
import { hostsOf } from '../../../src/core/model/observed.ts';
import { planChecksum } from '../../../src/core/plan/document/plan-document.ts';
import { problem } from '../../../src/core/problem/problem.ts';
import { failed, ok } from '../../../src/core/problem/result.ts';
import { openFilesState } from '../../../src/run/state/files/files-state.ts';
import type { State } from '../../../src/run/state/interface/state.ts';
import type { Origin } from '../../../src/run/state/journal/record.ts';
import type { Lease } from '../../../src/run/state/lease/lease.ts';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import { api } from '../../../src/service/contract/api.ts';
import { givenAccountConfig } from '../../given/account-config.ts';
import { givenAccounts } from '../../given/accounts.ts';
import { givenDesired, noLimits } from '../../given/desired.ts';

const account = givenAccountConfig();

interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly of?: (state: State) => State;
}

async function opened(pinned: boolean, { env: more = {}, of = (each) => each }: Given = {}) {
  const given = await givenAccounts({ berlin: { groups: [], hosts: [{ id: '1', name: 'A' }] } });
  const folder = await mkdtemp(join(tmpdir(), 'rampart-engine-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { RAMPART_BASE_URL: baseUrl = '', RAMPART_PSK } = given.env;
  const env = { RAMPART_PSK, ...(pinned ? { RAMPART_ALLOWED_ORIGINS: baseUrl } : {}), ...more };
  const exchanges = createExchanges(env);
  onTestFinished(() => exchanges.close());
  const hidden: string[] = [];
  const state = of(openFilesState(join(folder, 'state')));
  const parts: EngineParts = {
    env,
    folder,
    clock: systemClock,
    hide: (secrets) => hidden.push(...secrets),
    state,
    exchanges,
  };
  const connection = await openAccount({ ...account, baseUrl }, parts);
  return { given, connection, hidden, state, parts };
}

/** A connection that was opened, and the plan of a rename. */
async function planned(given: Given = {}) {
  const made = await opened(true, given);
  const { connection, parts, state } = made;
  if (!connection.ok) throw new Error(connection.problems[0]?.message);
  const desired = givenDesired([{ id: 1, name: 'B' }], noLimits);
  const checked = await checkAccount(connection.value, desired, account, parts);
  if (!checked.ok) throw new Error(checked.problems[0]?.message);
  const { plan, observed } = checked.value;
  const events: EngineEvent[] = [];
  const options: ApplyOptions = { approvedChecksum: planChecksum(plan), origin };
  const apply = (more: Partial<ApplyOptions> = {}, over: Partial<ApplyParts> = {}) =>
    applyAccount(
      connection.value,
      plan,
      { ...options, ...more },
      { clock: systemClock, state, onEvent: (event) => events.push(event), ...over },
    );
  const nameNow = async () => {
    const read = await connection.value.reader.read({ antivirus: false });
    return read.ok ? hostsOf(read.value)[0]?.name : undefined;
  };
  const left = async () => {
    const fleet = await state.readFleet(connection.value.account);
    return fleet.ok && fleet.value !== null ? hostsOf(fleet.value.observed)[0]?.name : null;
  };
  const { account: service } = connection.value;
  const writes = () => made.given.writesOf('berlin');
  return {
    ...made,
    connection: connection.value,
    service,
    plan,
    observed,
    events,
    apply,
    nameNow,
    left,
    writes,
  };
}

const origin: Origin = { actor: 'ada', host: 'm-1', reason: 'a test' };

describe('opening an account without a terminal', () => {
  it('reads its key, and never shows it', async () => {
    const { connection, hidden, given } = await opened(true);
    if (!connection.ok) throw new Error(connection.problems[0]?.message);
    expect(hidden).toContain(given.env['RAMPART_PSK']);
    const read = await connection.value.reader.read({ antivirus: false });
    expect(read.ok && read.value.count).toBe(1);
    await connection.value.close();
  });

  it('sends its key to no origin that the environment does not pin', async () => {
    const { connection, given } = await opened(false);
    expect(connection).toMatchObject({ ok: false, problems: [{ code: 'unpinned-origin' }] });
    expect(given.emulators.get('berlin')?.requests).toEqual([]);
  });

  it("sends nothing while the addresses for keys can't be read", async () => {
    const env = { RAMPART_ALLOWED_ORIGINS: 'remote.example.com' };
    const { connection, given } = await opened(true, { env });
    expect(connection).toMatchObject({ ok: false, problems: [{ code: 'configuration' }] });
    expect(given.emulators.get('berlin')?.requests).toEqual([]);
  });

  it('shares when it read the lists once it is closed', async () => {
    const saved: unknown[] = [];
    const listTimes = Object.keys(api).map((action) => ({ action, ageMs: 3_600_000, everyMs: 60_000 }));
    const of = (state: State): State => ({
      ...state,
      readEarlier: async () => ok({ runs: [], listTimes }),
      saveListTimes: async (service, times) => {
        await Promise.resolve();
        saved.push(times);
        return state.saveListTimes(service, times);
      },
    });
    const { connection } = await opened(true, { of });
    if (!connection.ok) throw new Error(connection.problems[0]?.message);
    await connection.value.reader.read({ antivirus: false });
    expect(saved).toEqual([]);
    await connection.value.close();
    expect(saved).toHaveLength(1);
  });

  it('reads the runs for planning once, and older ones from the state', async () => {
    const asked: unknown[] = [];
    const of = (state: State): State => ({
      ...state,
      listRuns: async (query) => {
        asked.push(query.since);
        return state.listRuns(query);
      },
    });
    const { connection } = await opened(true, { of });
    if (!connection.ok) throw new Error(connection.problems[0]?.message);
    const { account: service, runs } = connection.value;
    const before = asked.length;
    expect(await runs.listRuns({ account: service, since: Date.now() })).toMatchObject({
      ok: true,
      value: [],
    });
    expect(asked).toHaveLength(before);
    await runs.listRuns({ account: service, since: 1 });
    await runs.listRuns({ account: service });
    expect(asked.slice(before)).toEqual([1, undefined]);
    await connection.value.close();
  });
});

describe('the account of a connection', () => {
  it.each([
    ['https://remote.example.com', 'https://remote.example.com'],
    ['https://remote.example.com/', 'https://remote.example.com'],
    ['https://remote.example.com:8443/api/v1//', 'https://remote.example.com:8443/api/v1'],
  ])('has the address %s without anything that could be secret: %s', (baseUrl, service) => {
    expect(toAccount({ baseUrl, companyId: '7' })).toEqual({ companyId: '7', service });
  });
});

describe('applying a plan', () => {
  it('refuses any plan but the approved one, before it takes the lock', async () => {
    const acquired: unknown[] = [];
    const { apply, writes, events, state } = await planned();
    const watched: State = {
      ...state,
      acquire: async (...given) => (acquired.push(1), state.acquire(...given)),
    };
    const refused = await apply({ approvedChecksum: '0'.repeat(64) }, { state: watched });
    expect(refused).toMatchObject({ ok: false, problems: [{ code: 'stale-plan' }] });
    expect([acquired, writes(), events]).toEqual([[], 0, []]);
  });

  it('records the run, reports its beginning and its end, and saves the fleet that it left', async () => {
    const { apply, writes, events, state, service, plan, left } = await planned();
    const ends: unknown[] = [];
    const done = await apply({ onEnd: async (end) => void ends.push(end) });
    expect(done).toMatchObject({ ok: true, value: { exitCode: 0, isLost: false } });
    if (!done.ok) return;
    const { runId } = done.value;
    expect([writes(), ends, await left()]).toEqual([1, [done.value], 'B']);
    expect(events[0]).toEqual({ type: 'run_start', runId, steps: 1, calls: plan.calls.planned });
    const last = events.at(-1);
    expect(last).toMatchObject({ type: 'run_end', runId, exitCode: 0 });
    if (last?.type === 'run_end') expect(last.ms).toBeLessThan(60_000);
    const runs = await state.listRuns({ account: service });
    expect(runs).toMatchObject({ ok: true, value: [{ exitCode: 0, head: { run_id: runId } }] });
    expect(await state.holder(service)).toEqual({ ok: true, value: null, problems: [] });
  });

  it('begins no run if its caller refuses once the lock is held, and releases the lock', async () => {
    const { apply, writes, events, state, service } = await planned();
    const refused = await apply({ onLock: async () => failed(problem('cancelled', 'the window closed')) });
    expect(refused).toMatchObject({ ok: false, problems: [{ message: 'the window closed' }] });
    expect([writes(), events]).toEqual([0, []]);
    expect(await state.holder(service)).toMatchObject({ value: null });
  });

  it('does not wait for the lock of another run, and names its holder', async () => {
    const { apply, writes } = await planned();
    const held = { pid: 4, machine: 'm-2', user: 'worker', since: '2026-11-23T10:00:00Z', actor: 'rampart' };
    let second: Awaited<ReturnType<typeof apply>> | undefined;
    const first = await apply({
      holder: held,
      onLock: async () => {
        second = await apply();
        return ok(null);
      },
    });
    expect(first.ok).toBe(true);
    expect(second).toMatchObject({ ok: false, problems: [{ code: 'lock-held' }] });
    expect(second?.problems[0]?.message).toContain('m-2');
    expect(writes()).toBe(1);
  });

  it('saves nothing and announces no end after it lost the lock', async () => {
    const { apply, state, left, nameNow } = await planned();
    const ends: unknown[] = [];
    const lost = problem('lock-held', 'another run has the lock');
    let hasBegun = false;
    const losing: State = {
      ...state,
      acquire: async (...given) => {
        const lock = await state.acquire(...given);
        if (!lock.ok) return lock;
        const lease: Lease = {
          epoch: lock.value.epoch,
          lost: lock.value.lost,
          confirm: () => lock.value.confirm(),
          refusal: () => (hasBegun ? lost : undefined),
          release: () => lock.value.release(),
        };
        return ok(lease);
      },
    };
    const end = await apply(
      { onEnd: async (each) => void ends.push(each) },
      {
        state: losing,
        onEvent: ({ type }) => {
          hasBegun ||= type === 'run_start';
        },
      },
    );
    expect(end).toMatchObject({ ok: true, value: { isLost: true } });
    expect([ends, await left(), await nameNow()]).toEqual([[], null, 'A']);
  });

  it('reads the fleet again if another run was first', async () => {
    const { apply, observed, given, service, state } = await planned();
    const requests = () => given.emulators.get('berlin')?.requests.length ?? 0;
    const before = requests();
    await apply({ observed });
    const alone = requests() - before;
    const other = await planned();
    await other.apply();
    const from = other.given.emulators.get('berlin')?.requests.length ?? 0;
    const again = await other.apply({ observed: other.observed });
    expect(again).toMatchObject({ ok: true });
    // The rename is done already: it is recognized, and not sent again.
    expect(other.writes()).toBe(1);
    expect(other.given.emulators.get('berlin')?.requests.length).toBeGreaterThan(from);
    expect(alone).toBeGreaterThan(0);
    expect((await state.listRuns({ account: service })).ok).toBe(true);
  });

  it('waits for the lock as long as it may, says so once, and releases it at the end', async () => {
    const { apply, state, service } = await planned();
    const waits: unknown[] = [];
    let second: Awaited<ReturnType<typeof apply>> | undefined;
    let isReleased = false;
    const slow: State = {
      ...state,
      acquire: async (...given) => {
        const lock = await state.acquire(...given);
        if (!lock.ok) return lock;
        const { epoch, lost } = lock.value;
        return ok({
          epoch,
          lost,
          refusal: () => lock.value.refusal(),
          confirm: () => lock.value.confirm(),
          release: async () => {
            await lock.value.release();
            isReleased = true;
          },
        });
      },
    };
    await apply(
      {
        onLock: async () => {
          const stop = new AbortController();
          const onWait: ApplyOptions['onWait'] = (holder) => {
            waits.push(holder?.actor);
            stop.abort();
          };
          second = await apply({ lockTimeoutMs: 60_000, onWait }, { signal: stop.signal });
          return ok(null);
        },
      },
      { state: slow },
    );
    expect(isReleased).toBe(true);
    expect(second?.ok).toBe(false);
    expect(waits).toEqual(['ada']);
    expect(await state.holder(service)).toMatchObject({ value: null });
  });

  it('undoes no run that has not begun', async () => {
    const { apply, connection, parts, state } = await planned();
    await apply();
    const { account: service } = connection;
    const listed = await state.listRuns({ account: service });
    const [run] = listed.ok ? listed.value : [];
    if (run === undefined) throw new Error('no run');
    const asked: string[] = [];
    const undoOf = async (...runs: readonly (typeof run)[]) => {
      asked.length = 0;
      const over: State = {
        ...state,
        listRuns: async () => ok(runs),
        readRun: async (id) => {
          asked.push(id);
          return state.readRun(run.head.run_id);
        },
      };
      return planUndo(connection, [], { state: over, clock: parts.clock });
    };
    const named = (id: string, exitCode: number | null, lastAt: string) =>
      ({ ...run, head: { ...run.head, run_id: id }, exitCode, lastAt }) as typeof run;
    const later = '2099-01-01T00:00:00.000Z';
    await undoOf(named('queued', null, run.head.at), named('crashed', null, later), named('done', 0, later));
    expect(asked).toEqual(['crashed']);
    await undoOf(named('queued', null, run.head.at), named('refused', 6, run.head.at));
    expect(asked).toEqual(['refused']);
    expect((await undoOf(named('queued', null, run.head.at))).ok).toBe(false);
    expect(asked).toEqual([]);
  });

  it('is undone by the reversal of the latest run, of which there may be none', async () => {
    const { apply, connection, parts, state } = await planned();
    const undo = () => planUndo(connection, [], { state, clock: parts.clock });
    expect(await undo()).toMatchObject({
      ok: false,
      problems: [{ message: 'this account has no run to undo' }],
    });
    const done = await apply();
    const plan = await undo();
    expect(plan.ok && plan.value.plan.steps).toMatchObject([{ kind: 'rename', to: 'A' }]);
    const runId = done.ok ? done.value.runId : '';
    const foreign = await planUndo(
      { ...connection, account: { ...connection.account, companyId: '9' } },
      [runId],
      { state, clock: parts.clock },
    );
    expect(foreign).toMatchObject({ ok: false, problems: [{ code: 'other-account' }] });
    const broken: State = { ...state, listRuns: async () => failed(problem('state', 'the disk is full')) };
    expect(await planUndo(connection, [], { state: broken, clock: parts.clock })).toMatchObject({
      ok: false,
      problems: [{ code: 'state' }],
    });
  });
});
