import type { Job, JobInsert, JobResult } from 'pg-boss';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openQueue } from '../../../src/server/queue/open-queue.ts';
import { type Queue, type QueueJob, queueNames } from '../../../src/server/queue/queue.ts';
import { wakeWorkers } from '../../../src/server/queue/wake-workers.ts';

type Work = (jobs: Job<unknown>[]) => Promise<JobResult[]>;

/** The calls to the queue's library. The tests with a database show their effect. */
const boss = vi.hoisted(() => ({
  options: {} as Record<string, unknown>,
  created: [] as (readonly [string, Record<string, unknown>])[],
  updated: [] as (readonly [string, Record<string, unknown>])[],
  inserted: [] as (readonly [string, JobInsert[], Record<string, unknown>])[],
  workers: [] as { queue: string; options: Record<string, unknown>; work: Work }[],
  woken: [] as string[],
  stopped: [] as unknown[],
  /** What has ended, in its order. */
  ended: [] as string[],
  /** What began before the one before it had ended. */
  early: [] as string[],
  isBusy: false,
  fails: false,
  listeners: new Map<string, (given: unknown) => void>(),
  added: undefined as string[] | null | undefined,
  queues: [] as unknown[],
  waiting: (async () => ({ rows: [] })) as (...asked: readonly unknown[]) => Promise<unknown>,
  async work(what: string) {
    if (boss.isBusy) boss.early.push(what);
    boss.isBusy = true;
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
    boss.isBusy = false;
    boss.ended.push(what);
  },
}));

vi.mock('pg-boss', () => ({
  fromPglite: (pglite: unknown) => ({ pglite }),
  PgBoss: class {
    constructor(options: Record<string, unknown>) {
      boss.options = options;
    }
    on(event: string, listener: (given: unknown) => void) {
      boss.listeners.set(event, listener);
    }
    async start() {
      await Promise.resolve();
      if (boss.fails) throw new Error('the database is away');
      boss.ended.push('start');
    }
    async createQueue(name: string, rules: Record<string, unknown>) {
      boss.created.push([name, rules]);
      await boss.work(`create ${name}`);
    }
    async updateQueue(name: string, rules: Record<string, unknown>) {
      boss.updated.push([name, rules]);
      await boss.work(`update ${name}`);
    }
    async insert(queue: string, rows: JobInsert[], options: Record<string, unknown>) {
      boss.inserted.push([queue, rows, options]);
      return boss.added === undefined ? rows.map((_, at) => `job-${at}`) : boss.added;
    }
    async work(queue: string, options: Record<string, unknown>, work: Work) {
      boss.workers.push({ queue, options, work });
      return `worker-${boss.workers.length}`;
    }
    notifyWorker(id: string) {
      boss.woken.push(id);
    }
    getDb() {
      return { executeSql: boss.waiting };
    }
    async getQueues() {
      return boss.queues;
    }
    async stop(options: unknown) {
      boss.stopped.push(options);
      await boss.work('stop');
    }
  },
}));

const faults: (readonly [string, number])[] = [];
const opened: Queue[] = [];
const open = async (versions?: { own: number; known: readonly number[] }) => {
  const queue = await openQueue({
    database: { url: 'postgresql://127.0.0.1/rampart' },
    onFault: (message, repeated) => faults.push([message, repeated]),
    ...(versions === undefined ? {} : { versions }),
  });
  opened.push(queue);
  return queue;
};

beforeEach(() => {
  vi.useFakeTimers();
  for (const list of [
    boss.created,
    boss.updated,
    boss.inserted,
    boss.workers,
    boss.woken,
    boss.stopped,
    boss.ended,
    boss.early,
  ])
    list.length = 0;
  Object.assign(boss, { fails: false, added: undefined, queues: [], waiting: async () => ({ rows: [] }) });
  faults.length = 0;
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((queue) => queue.stop(0)));
  vi.useRealTimers();
});

const jobOf = (parts: Partial<Job<unknown>>): Job<unknown> =>
  ({
    id: 'j1',
    name: 'run.1',
    data: { key: 'berlin' },
    retryCount: 0,
    signal: new AbortController().signal,
    ...parts,
  }) as Job<unknown>;

describe('opening the queue', () => {
  it('creates each queue of each known version, and updates the rules of an existing queue', async () => {
    await open({ own: 2, known: [1, 2] });
    expect(boss.created).toHaveLength(2 * queueNames.length);
    expect(boss.updated.map(([name]) => name)).toEqual(boss.created.map(([name]) => name));
    const [, created] = boss.created.find(([name]) => name === 'run.1') ?? [];
    const [, updated] = boss.updated.find(([name]) => name === 'run.1') ?? [];
    expect(created).toMatchObject({ policy: 'singleton', retryLimit: 1000 });
    // The library refuses to change the policy of a queue.
    expect(updated).not.toHaveProperty('policy');
    expect(updated).toMatchObject({ retryLimit: 1000, heartbeatSeconds: 10 });
  });

  it('waits until the tables and each queue exist, and rejects if the database is unavailable', async () => {
    const queue = await open();
    expect(boss.ended.slice(0, 5)).toEqual([
      'start',
      'create tick.1',
      'update tick.1',
      'create check.1',
      'update check.1',
    ]);
    expect(boss.ended).toHaveLength(1 + 2 * queueNames.length);
    await queue.stop(0);
    expect([boss.ended.at(-1), boss.early]).toEqual(['stop', []]);
    boss.fails = true;
    await expect(open()).rejects.toThrow('the database is away');
  });

  it('looks for lost workers every second, listens for jobs, and keeps no schedules', async () => {
    await open();
    expect(boss.options).toMatchObject({
      schema: 'rampart_queue',
      connectionString: expect.stringContaining('127.0.0.1/rampart'),
      max: 5,
      useListenNotify: true,
      schedule: false,
      superviseIntervalSeconds: 1,
      monitorIntervalSeconds: 1,
      openTelemetry: { enabled: false },
    });
    await openQueue({ database: { pglite: 'embedded' as never }, onFault: () => {} });
    expect(boss.options).toMatchObject({ db: { pglite: 'embedded' }, backend: 'pglite' });
    expect(boss.options).not.toHaveProperty('connectionString');
  });

  it('reports errors and warnings of the library, and a thrown value that is not an error as a failure of the database', async () => {
    await open();
    boss.listeners.get('error')?.(new Error('connection lost'));
    boss.listeners.get('error')?.(new Error('connection lost'));
    boss.listeners.get('warning')?.({ message: 'the clock is off' });
    boss.listeners.get('error')?.('odd');
    expect(faults.map(([message]) => message)).toEqual([
      'connection lost',
      'the clock is off',
      'the database failed',
    ]);
  });
});

describe('adding jobs', () => {
  it('is one statement, with the key of each job and its delay in whole seconds', async () => {
    const queue = await open();
    expect(await queue.send('check', [])).toBe(0);
    expect(boss.inserted).toEqual([]);
    expect(await queue.send('run', ['berlin', 'lima'])).toBe(2);
    await queue.send('notify', ['ops'], { delayMs: 1_001 });
    await queue.send('prune', ['all'], { oncePerMs: 86_399_001 });
    expect(boss.inserted).toStrictEqual([
      [
        'run.1',
        [
          { data: { key: 'berlin' }, singletonKey: 'berlin' },
          { data: { key: 'lima' }, singletonKey: 'lima' },
        ],
        { returnId: true },
      ],
      ['notify.1', [{ data: { key: 'ops' }, singletonKey: 'ops', startAfter: 2 }], { returnId: true }],
      [
        'prune.1',
        [{ data: { key: 'all' }, singletonKey: 'all', singletonSeconds: 86_400 }],
        { returnId: true },
      ],
    ]);
  });

  it('leaves out keys that have a job of any version, if that is requested, and puts lost jobs first', async () => {
    const queue = await open({ own: 2, known: [1, 2] });
    const questions: unknown[] = [];
    boss.waiting = async (...asked) => {
      questions.push(asked[1]);
      return { rows: [{ key: 'berlin' }] };
    };
    const keys = ['berlin', 'lima'];
    expect(await queue.send('run', keys, { onlyIfNone: true, continues: true })).toBe(1);
    expect(questions).toEqual([
      [
        ['run.1', 'run.2'],
        ['berlin', 'lima'],
      ],
    ]);
    const lima = { data: { key: 'lima' }, singletonKey: 'lima', priority: 1 };
    expect(boss.inserted).toStrictEqual([['run.2', [lima], { returnId: true }]]);
    expect(await queue.send('run', ['berlin'], { onlyIfNone: true })).toBe(0);
    expect(await queue.send('run', keys)).toBe(2);
    expect([questions.length, boss.inserted.length]).toEqual([2, 2]);
  });

  it('counts only added jobs', async () => {
    const queue = await open({ own: 3, known: [3] });
    boss.added = ['one'];
    expect(await queue.send('run', ['a', 'b'])).toBe(1);
    boss.added = null;
    expect(await queue.send('run', ['a'])).toBe(0);
  });
});

describe('working on jobs', () => {
  it('has as many workers as parallel jobs, and takes checks in batches', async () => {
    const queue = await open({ own: 2, known: [1, 2] });
    await queue.work('check', 20, async () => {});
    await queue.work('run', 3, async () => {});
    await queue.work('check', 2, async () => {});
    const count = (name: string) => boss.workers.filter(({ queue: each }) => each === name);
    expect(count('check.1').map(({ options }) => options['batchSize'])).toEqual([8, 8, 8, 2]);
    // The second half takes only jobs that lost their worker.
    for (const queue of ['run.1', 'run.2'])
      expect(count(queue).map(({ options }) => [options['batchSize'], options['minPriority']])).toEqual([
        ...Array.from({ length: 3 }, () => [1, undefined]),
        ...Array.from({ length: 3 }, () => [1, 1]),
      ]);
    expect(boss.workers[0]?.options).toMatchObject({
      pollingIntervalSeconds: 30,
      burstWhenBatchFull: true,
      perJobResults: true,
    });
  });

  it('fails the job whose handler rejects, and completes the others of its batch', async () => {
    const queue = await open();
    const seen: QueueJob[] = [];
    await queue.work('check', 8, async (job) => {
      seen.push(job);
      if (job.key === 'lima') throw new Error('x'.repeat(600));
    });
    const jobs = [
      jobOf({ id: 'j1', data: { key: 'berlin' }, retryCount: 2 }),
      jobOf({ id: 'j2', data: { key: 'lima' } }),
    ];
    expect(await boss.workers[0]?.work(jobs)).toEqual([
      { id: 'j1', status: 'completed' },
      { id: 'j2', status: 'failed', output: { message: 'x'.repeat(500) } },
    ]);
    expect(seen[0]).toMatchObject({ key: 'berlin', attempt: 2 });
    expect([seen[1]?.key, seen[1]?.attempt]).toEqual(['lima', 0]);
  });

  it('fails a job once the database responds again, so that the failure is recorded at once', async () => {
    vi.useRealTimers();
    let away = 2;
    boss.waiting = async () => {
      away -= 1;
      if (away >= 0) throw new Error('the database is away');
      return { rows: [] };
    };
    const queue = await open();
    await queue.work('run', 1, async () => {
      throw new Error('another worker continues the run');
    });
    const failed = [{ id: 'j1', status: 'failed', output: { message: 'another worker continues the run' } }];
    const before = performance.now();
    expect(await boss.workers[0]?.work([jobOf({})])).toEqual(failed);
    expect(away).toBeLessThan(0);
    // A database that is away is not asked all the time.
    expect(performance.now() - before).toBeGreaterThan(400);
    // It does not wait for the database if the job was lost, or the worker stops.
    away = 1_000;
    expect(await boss.workers[0]?.work([jobOf({ signal: AbortSignal.abort() })])).toEqual(failed);
    await queue.stop(0);
    expect(await boss.workers[0]?.work([jobOf({})])).toEqual(failed);
  });

  it('gives a handler the signal of its job, and asks it to end when the worker stops', async () => {
    const queue = await open();
    const lost = new AbortController();
    const heard: string[] = [];
    await queue.work('run', 1, async ({ stopping }, signal) => {
      stopping.addEventListener('abort', () => heard.push('stopping'));
      signal.addEventListener('abort', () => heard.push('lost'));
      await new Promise<void>((next) => signal.addEventListener('abort', () => next()));
    });
    const working = boss.workers[0]?.work([jobOf({ signal: lost.signal })]);
    await queue.stop(35_000);
    expect(heard).toEqual(['stopping']);
    expect(boss.stopped).toEqual([{ graceful: true, timeout: 35_000, close: true }]);
    lost.abort();
    expect(await working).toEqual([{ id: 'j1', status: 'completed' }]);
    expect(heard).toEqual(['stopping', 'lost']);
  });

  it('counts the jobs of all known versions, and no others', async () => {
    const queue = await open({ own: 2, known: [1, 2] });
    const row = (name: string, readyCount: number, activeCount: number, failedCount: number) => ({
      name,
      readyCount,
      activeCount,
      failedCount,
    });
    boss.queues = [row('run.1', 1, 2, 3), row('run.2', 10, 20, 30), row('run.3', 9, 9, 9), row('x', 7, 7, 7)];
    const counts = await queue.counts();
    expect(Object.keys(counts)).toEqual([...queueNames]);
    expect(counts.run).toEqual({ ready: 11, active: 22, failed: 33 });
    expect(counts.check).toEqual({ ready: 0, active: 0, failed: 0 });
  });
});

describe('waking workers', () => {
  it('checks twice a second which queues have jobs, and wakes only their workers', async () => {
    const questions: unknown[] = [];
    boss.waiting = async (...asked: readonly unknown[]) => {
      // Whether the database responds is another question, without parameters.
      if (Array.isArray(asked[1]) && asked[1].length > 0) questions.push(asked[1]);
      return {
        rows: [
          { name: 'run.1', hasLost: questions.length > 1 },
          { name: 'unknown', hasLost: true },
        ],
      };
    };
    const queue = await open();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(questions).toEqual([]);
    await queue.work('check', 1, async () => {});
    await queue.work('run', 2, async () => {});
    await vi.advanceTimersByTimeAsync(499);
    expect(questions).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(questions).toEqual([[['check.1', 'run.1'], ['run.1']]]);
    expect(boss.woken).toEqual(['worker-2', 'worker-3']);
    await vi.advanceTimersByTimeAsync(500);
    // The reserved ones wake for a job that lost its worker.
    expect(boss.woken.slice(2)).toEqual(['worker-2', 'worker-3', 'worker-4', 'worker-5']);
    await vi.advanceTimersByTimeAsync(500);
    expect(questions).toHaveLength(3);
    await queue.stop(0);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(questions).toHaveLength(3);
  });

  it('continues after a failure, and reports none that a stop causes', async () => {
    boss.waiting = async () => {
      throw new Error('the database is away');
    };
    const queue = await open();
    await queue.work('run', 1, async () => {});
    await vi.advanceTimersByTimeAsync(500);
    expect(faults).toEqual([['the database is away', 0]]);
    boss.waiting = async () => ({ rows: [{ name: 'run.1' }] });
    await vi.advanceTimersByTimeAsync(500);
    expect(boss.woken).toEqual(['worker-1']);
    const broken: unknown[] = [];
    let looks = 0;
    const asked = Promise.withResolvers<never>();
    const waking = wakeWorkers(
      {
        getDb: () => ({
          executeSql: () => {
            looks += 1;
            return asked.promise;
          },
        }),
      } as never,
      'rampart_queue',
      (error) => broken.push(error),
    );
    waking.add('run.1', { any: ['w'], reserved: [] });
    await vi.advanceTimersByTimeAsync(1_000);
    waking.stop();
    asked.reject(new Error('the connection was closed'));
    await vi.advanceTimersByTimeAsync(3_000);
    expect([broken, looks]).toEqual([[], 1]);
    await queue.stop(0);
  });
});
