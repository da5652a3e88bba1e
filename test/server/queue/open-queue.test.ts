import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openQueue } from '../../../src/server/queue/open-queue.ts';
import type { Queue, QueueJob } from '../../../src/server/queue/queue.ts';
import { type PostgresServer, startPostgres } from '../../given/postgres.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const opened: Queue[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((queue) => queue.stop(1_000)));
});

const faults: string[] = [];

async function open(url: string, versions?: { own: number; known: readonly number[] }): Promise<Queue> {
  const queue = await openQueue({
    database: { url },
    onFault: (message) => faults.push(message),
    ...(versions === undefined ? {} : { versions }),
  });
  opened.push(queue);
  return queue;
}

function keysOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `account-${at}`);
}

describe('the queue on PostgreSQL', () => {
  it('runs each check once, even if two schedulers add it', { timeout: 30_000 }, async () => {
    const url = server.createDatabase();
    const [first, second] = [await open(url), await open(url)];
    const worked: string[] = [];
    await Promise.all([first.send('check', keysOf(500)), second.send('check', keysOf(500))]);
    const handler = async ({ key }: QueueJob) => {
      worked.push(key);
    };
    await Promise.all([first.work('check', 32, handler), second.work('check', 32, handler)]);
    await vi.waitFor(() => expect(worked).toHaveLength(500), { timeout: 20_000 });
    expect(new Set(worked).size).toBe(500);
  });

  it('starts a run that is added while it waits, without a poll', { timeout: 30_000 }, async () => {
    const queue = await open(server.createDatabase());
    const started: QueueJob[] = [];
    await queue.work('run', 4, async (job) => {
      started.push(job);
    });
    await queue.send('run', ['berlin']);
    await vi.waitFor(() => expect(started).toHaveLength(1), { timeout: 10_000 });
    expect(started[0]).toMatchObject({ key: 'berlin', attempt: 0 });
  });

  it('runs one job of an account at a time, even across processes', { timeout: 30_000 }, async () => {
    const url = server.createDatabase();
    const queues = [await open(url), await open(url)];
    let active = 0;
    let most = 0;
    let done = 0;
    for (const queue of queues) {
      await queue.work('run', 4, async () => {
        active += 1;
        most = Math.max(most, active);
        await new Promise((next) => setTimeout(next, 20));
        active -= 1;
        done += 1;
      });
    }
    for (let count = 0; count < 6; count += 1) await queues[0]?.send('run', ['berlin']);
    await vi.waitFor(() => expect(done).toBe(6), { timeout: 25_000 });
    expect(most).toBe(1);
  });

  it('runs a job again when its handler fails, and counts jobs that it gave up', {
    timeout: 30_000,
  }, async () => {
    const queue = await open(server.createDatabase());
    const attempts: number[] = [];
    await queue.work('fetch', 1, async ({ attempt }) => {
      attempts.push(attempt);
      throw new Error('the network is down');
    });
    await queue.send('fetch', ['fleet']);
    await vi.waitFor(
      async () => expect((await queue.counts()).fetch).toEqual({ ready: 0, active: 0, failed: 1 }),
      { timeout: 25_000, interval: 500 },
    );
    expect(attempts).toEqual([0, 1, 2]);
  });

  it('adds one job in each slot of time, whoever adds it', async () => {
    const url = server.createDatabase();
    const [first, second] = [await open(url), await open(url)];
    const dayMs = 86_400_000;
    for (const queue of [first, second, first]) await queue.send('prune', ['all'], { oncePerMs: dayMs });
    expect(server.run(url, "select count(*) from rampart_queue.job where name = 'prune.1'")).toBe('1');
  });

  it('adds, on request, only jobs that are not already waiting or running, and starts them before new ones', {
    timeout: 30_000,
  }, async () => {
    const url = server.createDatabase();
    const queue = await open(url);
    const isHeld = Promise.withResolvers<void>();
    const worked: string[] = [];
    const lost = { onlyIfNone: true, continues: true };
    await queue.send('run', ['worked']);
    await queue.work('run', 1, async ({ key }) => {
      worked.push(key);
      if (key === 'worked') await isHeld.promise;
    });
    await vi.waitFor(() => expect(worked).toEqual(['worked']), { timeout: 10_000 });
    await queue.send('run', ['new']);
    expect(await queue.send('run', ['worked', 'new'], lost)).toBe(0);
    // The only slot is taken, and a slot for what lost its worker is free.
    expect(await queue.send('run', ['worked', 'lost'], lost)).toBe(1);
    await vi.waitFor(() => expect(worked).toEqual(['worked', 'lost']), { timeout: 10_000 });
    isHeld.resolve();
    await vi.waitFor(() => expect(worked).toEqual(['worked', 'lost', 'new']), { timeout: 10_000 });
  });

  it('leaves jobs of a later version to workers of that version', { timeout: 30_000 }, async () => {
    const url = server.createDatabase();
    const newer = await open(url, { own: 2, known: [1, 2] });
    const older = await open(url, { own: 1, known: [1] });
    const by: string[] = [];
    await older.work('check', 8, async ({ key }) => void by.push(`older ${key}`));
    await newer.send('check', ['new']);
    await older.send('check', ['old']);
    await vi.waitFor(() => expect(by).toEqual(['older old']), { timeout: 10_000 });
    await newer.work('check', 8, async ({ key }) => void by.push(`newer ${key}`));
    await vi.waitFor(() => expect(by).toEqual(['older old', 'newer new']), { timeout: 10_000 });
  });

  it('asks its jobs to end when it stops, and waits for them', { timeout: 30_000 }, async () => {
    const queue = await open(server.createDatabase());
    let ended = false;
    let started = false;
    await queue.work('run', 1, async ({ stopping }) => {
      started = true;
      await new Promise<void>((next) => stopping.addEventListener('abort', () => next(), { once: true }));
      ended = true;
    });
    await queue.send('run', ['berlin']);
    await vi.waitFor(() => expect(started).toBe(true), { timeout: 10_000 });
    await queue.stop(10_000);
    expect(ended).toBe(true);
  });

  it('continues after the database crashed, and logs that once', { timeout: 60_000 }, async () => {
    const url = server.createDatabase();
    const queue = await open(url);
    const worked: string[] = [];
    await queue.work('check', 8, async ({ key }) => void worked.push(key));
    await queue.send('check', ['before']);
    await vi.waitFor(() => expect(worked).toEqual(['before']), { timeout: 10_000 });
    faults.length = 0;
    server.halt();
    await expect(queue.send('check', ['lost'])).rejects.toThrow();
    await new Promise((next) => setTimeout(next, 2_500));
    await server.start();
    await vi.waitFor(() => queue.send('check', ['after']), { timeout: 10_000, interval: 200 });
    await vi.waitFor(() => expect(worked).toContain('after'), { timeout: 30_000 });
    expect(faults.length).toBeGreaterThan(0);
    expect(new Set(faults).size).toBe(faults.length);
  });
});
