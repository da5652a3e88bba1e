import { setTimeout as pause } from 'node:timers/promises';
import { fromPglite, type Job, type JobInsert, type JobResult, PgBoss } from 'pg-boss';
import { checkedAddress } from '../../core/lib/postgres-url.ts';
import type { ThreadedPglite } from '../database/embedded-database.ts';
import { type JobHandler, type Queue, type QueueCounts, type QueueName, queueNames } from './queue.ts';
import {
  allRules,
  batchOf,
  jobVersion,
  knownVersions,
  lostPriority,
  queueNameOf,
  reservedSlots,
} from './queue-rules.ts';
import { createRateLimitedLog } from './rate-limited-log.ts';
import { wakeWorkers } from './wake-workers.ts';

export interface OpenQueueOptions {
  /** The address of a PostgreSQL database, or the embedded one. */
  readonly database: { readonly url: string } | { readonly pglite: ThreadedPglite };
  /** Called at a limited rate; the queue continues by itself when the database is back. */
  readonly onFault: (message: string, repeated: number) => void;
  /** Versions of jobs, for tests of upgrades. */
  readonly versions?: { readonly own: number; readonly known: readonly number[] };
}

interface JobData {
  readonly key: string;
}

const schema = 'rampart_queue';
/**
 * How often lost workers are looked for, in seconds: with the heartbeat it limits the time until another takes over.
 */
const monitorSeconds = 1;
/** A worker polls seldom, because it is woken. */
const pollSeconds = 30;
const mostConnections = 5;
/** How often a database that is away is asked again, in milliseconds. */
const awayMs = 250;
/** The maximum length of an account's error in a job. */
const longestError = 500;

/** Opens the queue; creates or updates its tables. Rejects if the database can't be reached. */
export async function openQueue(options: OpenQueueOptions): Promise<Queue> {
  const { own, known } = options.versions ?? { own: jobVersion, known: knownVersions };
  const log = createRateLimitedLog(options.onFault);
  const boss = createBoss(options.database);
  boss.on('error', (error) => log(wordsOf(error)));
  boss.on('warning', ({ message }) => log(message));
  await boss.start();
  for (const { name, policy, ...rules } of allRules(known)) {
    await boss.createQueue(name, { ...rules, ...(policy === undefined ? {} : { policy }) });
    // A queue that an earlier version created has its rules.
    await boss.updateQueue(name, rules);
  }
  const stopping = new AbortController();
  const waking = wakeWorkers(boss, schema, (error) => log(wordsOf(error)));

  /** Those whose key has no job that waits or is being worked, of any version. */
  const withoutJob = async (name: QueueName, keys: readonly string[]): Promise<readonly string[]> => {
    const names = known.map((version) => queueNameOf(name, version));
    const { rows } = await boss.getDb().executeSql(
      `select distinct singleton_key as key from ${schema}.job_common
       where name = any($1::text[]) and state <= 'active' and singleton_key = any($2::text[])`,
      [names, keys],
    );
    const busy = new Set((rows as readonly { readonly key: string }[]).map(({ key }) => key));
    return keys.filter((key) => !busy.has(key));
  };

  const send: Queue['send'] = async (name, all, options = {}) => {
    const { delayMs, oncePerMs, onlyIfNone = false, continues = false } = options;
    const keys = onlyIfNone ? await withoutJob(name, all) : all;
    if (keys.length === 0) return 0;
    const rows = keys.map(
      (key): JobInsert<JobData> => ({
        data: { key },
        singletonKey: key,
        ...(continues ? { priority: lostPriority } : {}),
        ...(delayMs === undefined ? {} : { startAfter: Math.ceil(delayMs / 1000) }),
        ...(oncePerMs === undefined ? {} : { singletonSeconds: Math.ceil(oncePerMs / 1000) }),
      }),
    );
    const added = await boss.insert(queueNameOf(name, own), rows, { returnId: true });
    return added?.length ?? 0;
  };

  const work = async (name: QueueName, atOnce: number, handler: JobHandler): Promise<void> => {
    const batchSize = Math.min(batchOf(name), atOnce);
    for (const version of known) {
      const queue = queueNameOf(name, version);
      const workers = async (slots: number, options: { readonly minPriority?: number } = {}) => {
        const ids: string[] = [];
        for (let count = 0; count < slots; count += batchSize)
          ids.push(
            await boss.work<JobData, unknown>(
              queue,
              {
                ...options,
                batchSize,
                pollingIntervalSeconds: pollSeconds,
                burstWhenBatchFull: true,
                perJobResults: true,
              },
              async (jobs: Job<JobData>[]): Promise<JobResult[]> =>
                Promise.all(jobs.map((job) => outcomeOf(job, handler, stopping.signal, answers))),
            ),
          );
        return ids;
      };
      waking.add(queue, {
        any: await workers(atOnce),
        reserved: await workers(reservedSlots(name, atOnce), { minPriority: lostPriority }),
      });
    }
  };

  const answers = () =>
    boss
      .getDb()
      .executeSql('select 1', [])
      .then(
        () => true,
        () => false,
      );

  return {
    send,
    work,
    async counts() {
      const queues = await boss.getQueues();
      const countsOf = (name: QueueName): QueueCounts => {
        const own = queues.filter((each) =>
          known.some((version) => each.name === queueNameOf(name, version)),
        );
        const sum = (of: (queue: (typeof own)[number]) => number) =>
          own.reduce((total, each) => total + of(each), 0);
        return {
          ready: sum(({ readyCount }) => readyCount),
          active: sum(({ activeCount }) => activeCount),
          failed: sum(({ failedCount }) => failedCount),
        };
      };
      return Object.fromEntries(queueNames.map((name) => [name, countsOf(name)])) as Record<
        QueueName,
        QueueCounts
      >;
    },
    async stop(graceMs) {
      stopping.abort();
      waking.stop();
      await boss.stop({ graceful: true, timeout: graceMs, close: true });
    },
  };
}

function createBoss(database: OpenQueueOptions['database']): PgBoss {
  const common = {
    schema,
    useListenNotify: true,
    schedule: false,
    superviseIntervalSeconds: monitorSeconds,
    monitorIntervalSeconds: monitorSeconds,
    openTelemetry: { enabled: false },
  };
  if ('pglite' in database) {
    // Only these functions cross to the thread of the embedded database.
    return new PgBoss({ ...common, db: fromPglite(database.pglite), backend: 'pglite' });
  }
  return new PgBoss({ ...common, connectionString: checkedAddress(database.url), max: mostConnections });
}

/**
 * A handler that rejects fails its own job only, not the others of the batch. If the database is away, the failure waits
 * for it: a failure that can't be recorded would keep the job from other workers until its heartbeat has lapsed.
 */
async function outcomeOf(
  { id, data, retryCount, signal }: Job<JobData>,
  handler: JobHandler,
  stopping: AbortSignal,
  answers: () => Promise<boolean>,
): Promise<JobResult> {
  try {
    await handler({ key: data.key, attempt: retryCount, stopping }, signal);
    return { id, status: 'completed' };
  } catch (error) {
    while (!(await answers()) && !signal.aborted && !stopping.aborted) await pause(awayMs);
    return { id, status: 'failed', output: { message: wordsOf(error).slice(0, longestError) } };
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : 'the database failed';
}
