import type { PgBoss } from 'pg-boss';

/** How often waiting jobs are looked for, in milliseconds. */
const lookMs = 500;

export interface Waking {
  /** Has workers of a queue woken from now on. */
  add(queue: string, workers: readonly string[]): void;
  stop(): void;
}

/**
 * Wakes workers of the queues that have jobs to work. A notification wakes them for new jobs, but none comes for a retry,
 * for the end of a delay, and through some poolers. One question for all queues replaces one for each worker.
 */
export function wakeWorkers(boss: PgBoss, schema: string, onFault: (error: unknown) => void): Waking {
  const workersOf = new Map<string, readonly string[]>();
  const question = `select name from unnest($1::text[]) as queue (name) where exists (
    select from ${schema}.job_common as job where job.name = queue.name and job.state < 'active' and not job.blocked
      and job.start_after <= ${schema}.job_now())`;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const look = async () => {
    try {
      const { rows } = await boss.getDb().executeSql(question, [[...workersOf.keys()]]);
      for (const { name } of rows as readonly { readonly name: string }[])
        for (const id of workersOf.get(name) ?? []) boss.notifyWorker(id);
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
