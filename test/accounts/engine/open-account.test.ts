import { getEventListeners } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type SecretTarget } from '../../../src/accounts/engine/engine-parts.ts';
import { toAccount } from '../../../src/accounts/engine/open-account.ts';
import { failed, ok, problem } from '../../../src/core/problem/problem.ts';
import type { State } from '../../../src/run/state/interface/state.ts';
import { recallQuery } from '../../../src/run/state/recall-runs.ts';
import { interruptGraceMs } from '../../../src/service/client/cutoff.ts';
import { api } from '../../../src/service/contract/api.ts';
import { inAWhile } from '../../server/jobs/given.ts';
import { opened } from './given-engine.ts';

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

  it('asks its caller, not the environment, where its key may be sent', async () => {
    const asked: SecretTarget[] = [];
    const maySend = async (target: SecretTarget) => (asked.push(target), ok(null));
    const { connection, given } = await opened(false, { over: { maySend } });
    expect(connection.ok).toBe(true);
    expect(asked).toEqual([{ baseUrl: given.env['RAMPART_BASE_URL'], key: 'variable RAMPART_PSK' }]);
  });

  it.each([
    ['nonsense', 'configuration'],
    ['http://remote.example.com', 'insecure-url'],
  ])('sends no key to the address %s, even if someone allows it', async (address, code) => {
    const refused = { ok: false, problems: [{ code }] };
    expect((await opened(true, { address })).connection).toMatchObject(refused);
    const maySend = async () => ok(null);
    expect((await opened(true, { address, over: { maySend } })).connection).toMatchObject(refused);
  });

  it("fails if its clock or its state can't be read", async () => {
    const away = async () => failed(problem('state', 'the database is away'));
    for (const method of ['clockSkewMs', 'readEarlier']) {
      const { connection } = await opened(true, { of: (state) => ({ ...state, [method]: away }) });
      expect(connection, method).toMatchObject({ ok: false, problems: [{ code: 'state' }] });
    }
  });

  it('lets requests in flight end within five seconds after it is stopped, then aborts them', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const stop = new AbortController();
    for (const signal of [stop.signal, AbortSignal.abort()]) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const arrived = Promise.withResolvers<void>();
      const hooks = {
        async beforeEach() {
          arrived.resolve();
          await promise;
        },
      };
      const { connection } = await opened(true, { fleet: { hooks }, over: { signal } });
      if (!connection.ok) throw new Error(connection.problems[0]?.message);
      let hasEnded = false;
      const read = connection.value.reader.read({ antivirus: false }).finally(() => (hasEnded = true));
      await arrived.promise;
      if (!signal.aborted) {
        vi.advanceTimersByTime(interruptGraceMs);
        await inAWhile(5);
        expect(hasEnded).toBe(false);
        stop.abort();
      }
      vi.advanceTimersByTime(interruptGraceMs - 1);
      await inAWhile(5);
      expect(hasEnded).toBe(false);
      vi.advanceTimersByTime(1);
      expect((await read).ok).toBe(false);
      resolve();
      await connection.value.close();
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    }
  });

  it('shares when it read the lists once it is closed', async () => {
    const saved: unknown[] = [];
    const listTimes = Object.keys(api).map((action) => ({ action, ageMs: 3_600_000, everyMs: 60_000 }));
    const of = (state: State): State => ({
      ...state,
      readEarlier: async () => ok({ runs: [], listTimes }),
      saveListTimes: async (service, times) => {
        await inAWhile(20);
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
    let since = 0;
    const skewMs = 3_600_000;
    const of = (state: State): State => ({
      ...state,
      clockSkewMs: async () => ok(skewMs),
      readEarlier: async (service, query) => {
        since = query.since ?? 0;
        return state.readEarlier(service, query);
      },
      listRuns: async (query) => {
        asked.push(query.since);
        return state.listRuns(query);
      },
    });
    const now = Date.now();
    const { connection } = await opened(true, { of });
    if (!connection.ok) throw new Error(connection.problems[0]?.message);
    const { account: service, runs } = connection.value;
    const before = asked.length;
    expect(await runs.listRuns({ account: service, since: Date.now() })).toMatchObject({
      ok: true,
      value: [],
    });
    expect(since).toBeGreaterThanOrEqual(recallQuery(service, { now: now + skewMs }).since);
    await runs.listRuns({ account: service, since });
    expect(asked).toHaveLength(before);
    await runs.listRuns({ account: service, since: 1 });
    await runs.listRuns({ account: service });
    expect(asked.slice(before)).toEqual([1, undefined]);
    await connection.value.close();
  });
});

it.each([
  ['https://remote.example.com', 'https://remote.example.com'],
  ['https://remote.example.com/', 'https://remote.example.com'],
  ['https://remote.example.com:8443/api/v1//', 'https://remote.example.com:8443/api/v1'],
])('the account of a connection has the address %s without any secret: %s', (baseUrl, service) =>
  expect(toAccount({ baseUrl, companyId: '7' })).toEqual({ companyId: '7', service }),
);
