import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { type Problem, problem } from '../../../../src/core/problem/problem.ts';
import { stopOfRun, type WatchedRun, watchRun } from '../../../../src/server/runs/rules/watch-run.ts';
import { ada } from '../../../given/store-records.ts';
import { givenBerlin } from '../../jobs/given-store.ts';

const byPerson = { why: 'person', text: 'Alice Doe stops the run' } as const;
const byWindow = { why: 'window', text: 'stops at a safe point: renames must wait' } as const;
const lease = (lost = false) => ({ refusal: () => (lost ? problem('lock-lost', 'lost') : undefined) });

function watched(parts: Partial<WatchedRun> = {}) {
  const logged: string[] = [];
  const counts = { looks: 0, flushes: 0 };
  const { stopOf = async () => undefined, ...rest } = parts;
  const watch = watchRun({
    stopOf: () => {
      counts.looks += 1;
      return stopOf();
    },
    recorder: {
      flush: async () => void (counts.flushes += 1),
      log: (type, text) => void logged.push(`${type}: ${text}`),
    },
    signal: new AbortController().signal,
    everyMs: 1,
    ...rest,
  });
  const looks = async (more = 2) => {
    const from = counts.looks;
    await vi.waitFor(() => expect(counts.looks).toBeGreaterThanOrEqual(from + more), {
      interval: 1,
      timeout: 15_000,
    });
  };
  return { watch, logged, counts, looks };
}

/** The watch has not ended before this is resolved. */
async function endsAfter({ end }: ReturnType<typeof watched>['watch'], resolve: (value: undefined) => void) {
  let isOver = false;
  const ended = end().then(() => (isOver = true));
  await sleep(5);
  expect(isOver).toBe(false);
  resolve(undefined);
  await ended;
}

describe('the watch of a run in progress', () => {
  it.each([byPerson, byWindow])('stops it for the decided reason, and reports it: $why', async (stop) => {
    const { watch, logged, looks } = watched({ stopOf: async () => stop });
    await looks();
    await watch.end();
    expect([watch.why(), watch.stop.aborted]).toEqual([stop.why, true]);
    expect(logged).toEqual([`stop: ${stop.text}`]);
  });

  it('stops it when its worker stops, even if that was before', () => {
    const worker = new AbortController();
    const { watch, logged } = watched({ signal: worker.signal });
    expect(watch.why()).toBeUndefined();
    worker.abort();
    expect([watch.why(), watch.stop.aborted]).toEqual(['worker', true]);
    expect(logged).toEqual(['stop: the worker stops; another one continues']);
    expect(watched({ signal: AbortSignal.abort() }).watch.why()).toBe('worker');
  });

  it('keeps the first cause', async () => {
    const worker = new AbortController();
    const { watch, logged, looks } = watched({ signal: worker.signal, stopOf: async () => byWindow });
    await looks();
    worker.abort();
    await watch.end();
    expect([watch.why(), logged.length]).toEqual(['window', 1]);
  });

  it('writes progress only while the run holds its lock', async () => {
    const { watch, counts, looks } = watched();
    await looks();
    expect(counts.flushes).toBe(0);
    watch.underLock(lease());
    await looks();
    expect(counts.flushes).toBeGreaterThan(0);
    watch.underLock(lease(true));
    await looks(1);
    const { flushes } = counts;
    await looks();
    await watch.end();
    expect(counts.flushes).toBe(flushes);
  });

  it('continues while the database is unavailable', async () => {
    let isAway = true;
    const { watch, looks } = watched({
      stopOf: async () => {
        if (isAway) throw new Error('away');
        return byPerson;
      },
      recorder: {
        flush: async () => {
          throw new Error('away');
        },
        log: () => {},
      },
    });
    watch.underLock(lease());
    await looks();
    expect(watch.why()).toBeUndefined();
    isAway = false;
    await looks();
    await watch.end();
    expect(watch.why()).toBe('person');
  });

  it('stops checking after its end, and no longer listens to the worker', async () => {
    const worker = new AbortController();
    const { watch, counts, looks } = watched({ signal: worker.signal });
    await looks();
    await watch.end();
    const { looks: last } = counts;
    await sleep(10);
    worker.abort();
    expect([counts.looks, watch.why()]).toEqual([last, undefined]);
  });

  it('ends only after the check in progress', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { watch, counts } = watched({ stopOf: () => promise });
    await vi.waitFor(() => expect(counts.looks).toBe(1), { interval: 1, timeout: 15_000 });
    await endsAfter(watch, resolve);
    await sleep(10);
    expect(counts.looks).toBe(1);
  });

  it('ends only after the progress is written', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let flushes = 0;
    const flush = async () => {
      flushes += 1;
      await promise;
    };
    const { watch } = watched({ recorder: { flush, log: () => {} } });
    watch.underLock(lease());
    await vi.waitFor(() => expect(flushes).toBe(1), { interval: 1, timeout: 15_000 });
    await endsAfter(watch, resolve);
  });
});

describe('what stops a run in progress', () => {
  const closed = problem('outside-window', 'renames must wait');
  const given = async () => {
    const { parts, store, run: id } = await givenBerlin('running', 'running');
    const run = await store.runs.find(id, 'all');
    if (run === undefined) throw new Error('no run');
    const window: { closed?: Problem } = {};
    return { parts, store, id, window, stopOf: stopOfRun(run, () => window.closed, parts) };
  };

  it('is a person, whose name is in its log if it is known', async () => {
    const { store, id, stopOf } = await given();
    expect(await stopOf()).toBeUndefined();
    await store.runs.requestStop(id, ada);
    expect(await stopOf()).toEqual({ why: 'person', text: 'Ada stops the run' });
    const unknown = await given();
    await unknown.store.runs.change(unknown.id, { state: 'stopping' });
    expect(await unknown.stopOf()).toEqual({ why: 'person', text: 'someone stops the run' });
  });

  it('is a window that closes, unless someone overrides it or asks the run to stop', async () => {
    const { store, id, window, stopOf } = await given();
    window.closed = closed;
    expect(await stopOf()).toEqual(byWindow);
    await store.runs.overrideWindows(id, ada, 'incident');
    expect(await stopOf()).toBeUndefined();
    await store.runs.requestStop(id, ada);
    expect(await stopOf()).toMatchObject({ why: 'person' });
  });

  it('is a window that closes while the database is away, unless someone had overridden it before', async () => {
    const away = () => Promise.reject(new Error('away'));
    const { parts, store, id, window, stopOf } = await given();
    const { find } = store.accounts;
    Object.assign(parts.store.accounts, { find: away });
    expect(await stopOf()).toBeUndefined();
    window.closed = closed;
    expect(await stopOf()).toEqual(byWindow);
    Object.assign(parts.store.accounts, { find });
    await store.runs.overrideWindows(id, ada, 'incident');
    await stopOf();
    Object.assign(parts.store.accounts, { find: away });
    expect(await stopOf()).toBeUndefined();
  });

  it('is never what someone did to the next run of the account', async () => {
    const { store, id, window, stopOf } = await given();
    await store.runs.change(id, { state: 'done' });
    const next = await store.runs.queue({ account: 'berlin', plan: 'p', by: ada, reason: null, steps: 1 });
    await store.runs.overrideWindows(next?.id ?? '', ada, 'incident');
    await store.runs.requestStop(next?.id ?? '', ada);
    window.closed = closed;
    expect(await stopOf()).toBeUndefined();
    Object.assign(store.accounts, { find: () => Promise.reject(new Error('away')) });
    expect(await stopOf()).toEqual(byWindow);
  });
});
