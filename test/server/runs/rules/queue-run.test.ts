import { describe, expect, it } from 'vitest';
import { failed, ok, problem } from '../../../../src/core/problem/problem.ts';
import { serverSubject } from '../../../../src/server/accounts/rules/carry-out.ts';
import type { JobOptions } from '../../../../src/server/queue/queue.ts';
import type { JobParts } from '../../../../src/server/queue/rules/job-parts.ts';
import { pruneJob } from '../../../../src/server/queue/rules/prune.ts';
import type { ServerRunQuery } from '../../../../src/server/runs/records/runs.ts';
import { queueCheckAfter, requeueRuns } from '../../../../src/server/runs/rules/queue-run.ts';
import { inAWhile, runOf } from '../../jobs/given.ts';

const now = Date.parse('2026-11-23T08:00:00Z');

/** A queue that records what is sent, and adds nothing the first times. */
function givenQueue(busy = 0) {
  const sent: [string, readonly string[], JobOptions?][] = [];
  let left = busy;
  return {
    sent,
    queue: {
      send: async (name: string, keys: readonly string[], options?: JobOptions) => {
        await inAWhile();
        sent.push(options === undefined ? [name, keys] : [name, keys, options]);
        left -= 1;
        return left >= 0 ? 0 : keys.length;
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
