import type { PgBoss } from 'pg-boss';
import { lostPriority } from './queue-rules.ts';

/** How often waiting jobs are looked for, in milliseconds. */
const lookMs = 500;

export interface QueueWorkers {
  /** They take any job of their queue. */
  readonly any: readonly string[];
  /** They take only jobs that lost their worker. */
  readonly reserved: readonly string[];
}

export interface Waking {
  /** Has workers of a queue woken from now on. */
  add(queue: string, workers: QueueWorkers): void;
  stop(): void;
}

/**
 * Wakes workers of the queues that have jobs to work. A notification wakes them for new jobs, but none comes for a retry,
 * for the end of a delay, and through some poolers. One question for all queues replaces one for each worker. A job that
 * lost its worker gets its priority here, because the queue has none for retries; its delay lasts longer than one look.
 */
export function wakeWorkers(boss: PgBoss, schema: string, onFault: (error: unknown) => void): Waking {
  const workersOf = new Map<string, QueueWorkers>();
  const jobs = `${schema}.job_common`;
  const waiting = `select from ${jobs} as job where job.name = queue.name and job.state < 'active' and not job.blocked
      and job.start_after <= ${schema}.job_now()`;
  const question = `with lost as (
      update ${jobs} set priority = ${lostPriority} where id in (
        select id from ${jobs} where name = any($2::text[]) and state = 'retry' and priority < ${lostPriority}
        for update skip locked))
    select name, exists (${waiting} and job.priority >= ${lostPriority}) as "hasLost"
    from unnest($1::text[]) as queue (name) where exists (${waiting})`;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const look = async () => {
    try {
      const reserving = [...workersOf].flatMap(([name, { reserved }]) => (reserved.length > 0 ? [name] : []));
      const { rows } = await boss.getDb().executeSql(question, [[...workersOf.keys()], reserving]);
      for (const { name, hasLost } of rows as readonly {
        readonly name: string;
        readonly hasLost: boolean;
      }[]) {
        const { any = [], reserved = [] } = workersOf.get(name) ?? {};
        for (const id of hasLost ? [...any, ...reserved] : any) boss.notifyWorker(id);
      }
    } catch (error) {
      if (!isStopped) onFault(error);
    }
    if (!isStopped) wait();
  };
  const wait = () => {
    timer = setTimeout(() => void look(), lookMs);
  };
  return {
    add(queue, workers) {
      workersOf.set(queue, workers);
      if (timer === undefined) wait();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
