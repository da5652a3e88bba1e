import { describe, expect, it } from 'vitest';
import { failed, ok, problem } from '../../../../src/core/problem/problem.ts';
import { serverSubject } from '../../../../src/server/accounts/rules/carry-out.ts';
import type { JobOptions } from '../../../../src/server/queue/queue.ts';
import type { JobParts } from '../../../../src/server/queue/rules/job-parts.ts';
import { pruneJob } from '../../../../src/server/queue/rules/prune.ts';
import { tick } from '../../../../src/server/queue/rules/tick.ts';
import type { ServerRunQuery } from '../../../../src/server/runs/records/runs.ts';
import { queueCheckAfter, requeueRuns } from '../../../../src/server/runs/rules/queue-run.ts';
import { accountOf, inAWhile, runOf } from '../../jobs/given.ts';

const now = Date.parse('2026-11-23T08:00:00Z');

/** A queue that records what is sent, and adds nothing the first times. */
function givenQueue(busy = 0) {
  const sent: [string, readonly string[], JobOptions?][] = [];
  let left = busy;
  return {
    sent,
    queue: {
      send: async (name: string, jobs: readonly { key: string }[], options?: JobOptions) => {
        await inAWhile();
        const keys = jobs.map(({ key }) => key);
        sent.push(options === undefined ? [name, keys] : [name, keys, options]);
        left -= 1;
        return left >= 0 ? 0 : jobs.length;
      },
    } satisfies JobParts['queue'],
  };
}

describe('runs without a job', () => {
  it('get one, from every page, each account once, and at most once a minute; those in progress before others', async () => {
    const { queue, sent } = givenQueue();
    const asked: ServerRunQuery[] = [];
    const pages = [
      ['a', 'b'],
      ['b', 'c'],
    ];
    const store = {
      runs: {
        list: async (query: ServerRunQuery) => {
          asked.push(query);
          const at = Number(query.cursor ?? 0);
          const isBegun = query.states?.includes('running') === true;
          if (isBegun) return ok({ items: [runOf('d')] });
          const items = pages[at]?.map((name) => runOf(name)) ?? [];
          return ok({ items, ...(at + 1 < pages.length ? { next: String(at + 1) } : {}) });
        },
      },
    } as unknown as JobParts['store'];
    expect(await requeueRuns({ store, queue })).toBe(4);
    const options = { oncePerMs: 60_000, onlyIfNone: true };
    expect(sent).toEqual([
      ['run', ['d'], { ...options, continues: true }],
      ['run', ['a', 'b', 'c'], options],
    ]);
    const query = { visible: 'all', states: ['queued'], limit: 500 };
    expect(asked).toEqual([{ ...query, states: ['running', 'stopping'] }, query, { ...query, cursor: '1' }]);
  });

  it("get none if they can't be listed", async () => {
    const { queue } = givenQueue();
    const list = async () => failed(problem('usage', 'x'));
    expect(await requeueRuns({ store: { runs: { list } } as unknown as JobParts['store'], queue })).toBe(0);
  });
});

describe('the check after a run', () => {
  const after = async (busy: number) => {
    const { queue, sent } = givenQueue(busy);
    let waited = 0;
    const sleep = async (ms: number) => {
      await inAWhile(3);
      waited += ms;
    };
    const clock = { now: () => now, sleep };
    await queueCheckAfter('berlin', { queue, clock });
    return [sent.length, waited];
  };
  it('is queued at once, or once a check that began before the end of the run has ended', async () => {
    expect(await after(0)).toEqual([1, 0]);
    expect(await after(2)).toEqual([3, 1000]);
  });
  it('is left to the cadence after 20 s', async () => {
    expect(await after(100)).toEqual([40, 20_000]);
  });
});

it("a job of the server is recorded under the server's name", () => {
  expect(serverSubject).toEqual({ kind: 'server', id: 'server', name: 'Rampart Server' });
});

it('the embedded database is vacuumed after records are removed, because nothing else does it', async () => {
  const done: unknown[] = [];
  const store = {
    prune: async (ms: number) => (done.push(ms), { events: 3 }),
    vacuum: async () => void done.push('vacuum'),
  };
  const prune = (isEmbedded: boolean) => pruneJob({ store, settings: { retentionMs: 7 }, isEmbedded });
  expect([await prune(false), done.splice(0)]).toEqual([{ events: 3 }, [7]]);
  expect([await prune(true), done]).toEqual([{ events: 3 }, [7, 'vacuum']]);
});

describe('a tick of the scheduler', () => {
  const schedule = (name: string, parts: object = {}) => ({
    name,
    lastCheckAt: null,
    nextCheckAt: null,
    failure: null,
    readAt: new Date(now),
    ...parts,
  });
  const ticked = async (schedules: readonly object[]) => {
    const { queue, sent } = givenQueue();
    const done: string[] = [];
    const moved: [string, Date][] = [];
    const result = await tick({
      settings: {
        accounts: ['a', 'b', 'c', 'd', 'new'].map((name) => accountOf(name)),
        cadenceMs: 600_000,
        notifications: [],
        sources: [{ name: 'files' }],
      },
      env: { RAMPART_BASE_URL: 'https://remote.example.com' },
      store: {
        accounts: {
          schedules: async () => schedules,
          setNextCheck: async (at: ReadonlyMap<string, Date>) => void moved.push(...at),
          held: async () => [],
        },
        ignores: { ended: async () => [] },
        pauses: { list: async () => [] },
        rolloutAccounts: { holders: async () => new Map() },
        notifications: { due: async () => ['mail', 'chat'] },
        plans: { overdue: async () => (done.push('expired'), []) },
        rehearsals: { giveUp: async () => {} },
      },
      queue,
      clock: { now: () => now, sleep: async () => {} },
    } as unknown as Parameters<typeof tick>[0]);
    return { result, sent, done, moved };
  };

  it('checks accounts that are due, and does the other scheduled work', async () => {
    const { result, sent, done, moved } = await ticked([schedule('a'), schedule('b'), schedule('gone')]);
    expect(result).toEqual({ checks: 2, down: new Set() });
    expect(done).toEqual(['expired']);
    expect(sent).toEqual([
      ['check', ['a', 'b']],
      ['fetch', ['files'], { oncePerMs: 60_000 }],
      ['notify', ['mail', 'chat']],
      ['prune', ['all'], { oncePerMs: 86_400_000 }],
    ]);
    expect(moved).toEqual([]);
  });

  it('tries one account of a service that is down', async () => {
    const out = (attempts: number) => ({
      lastCheckAt: new Date(now - 3_600_000),
      failure: { code: 'network', attempts, since: new Date(now - 3_660_000).toISOString() },
    });
    const { result, sent, moved } = await ticked(['a', 'b', 'c', 'd'].map((name) => schedule(name, out(2))));
    expect(result).toEqual({ checks: 1, down: new Set(['https://remote.example.com']) });
    expect(sent[0]?.[1]).toHaveLength(1);
    expect(moved).toHaveLength(3);
  });

  it('waits longer after each attempt', async () => {
    const lastCheckAt = new Date(now - 100_000);
    const since = new Date(now - 700_000).toISOString();
    const { sent } = await ticked([
      schedule('a', { lastCheckAt, failure: { code: 'not-authenticated', attempts: 1, since } }),
      schedule('b', { lastCheckAt, failure: { code: 'not-authenticated', attempts: 3, since } }),
    ]);
    expect(sent[0]?.[1]).toEqual(['a']);
  });

  it('writes the time of the next check only if it has moved by more than a second', async () => {
    const lastCheckAt = new Date(now);
    const { moved: first } = await ticked([schedule('a', { lastCheckAt })]);
    const [name, at] = first[0] ?? ['', new Date(0)];
    expect([name, at.getTime() > now]).toEqual(['a', true]);
    const movedBy = async (ms: number) =>
      (await ticked([schedule('a', { lastCheckAt, nextCheckAt: new Date(at.getTime() + ms) })])).moved;
    expect(await movedBy(1_000)).toEqual([]);
    expect(await movedBy(-1_000)).toEqual([]);
    expect(await movedBy(1_001)).toEqual([['a', at]]);
    expect(await movedBy(-1_001)).toEqual([['a', at]]);
  });
});
