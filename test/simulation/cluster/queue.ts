import type { Clock } from '../../../src/core/lib/surroundings.ts';
import { isPassingFault } from '../../../src/run/state/postgres/database-problem.ts';
import type { JobHandler, JobOptions, Queue, QueueName } from '../../../src/server/queue/queue.ts';
import { reservedSlots } from '../../../src/server/queue/queue-rules.ts';
import type { Machine } from '../time/machine.ts';

/** The queue of a cluster, by the rules that pg-boss keeps in the database. */
export interface SimulatedQueue {
  /** The queue as a process on this machine sees it. */
  on(machine: Machine): Pick<Queue, 'send' | 'work'>;
  /** The jobs of a machine that gives no sign of life go to others after a while. */
  lose(machine: Machine): void;
  /** Jobs that wait or are being worked. */
  pending(): number;
}

export interface QueueParts {
  readonly world: Clock;
  readonly mustAnswer: () => void;
  /** Hears of a handler that fails for another reason than the database, or a worker that stops. */
  readonly onDefect: (error: unknown) => void;
}

interface Job {
  readonly queue: QueueName;
  readonly key: string;
  readonly order: number;
  readonly isContinued: boolean;
  attempt: number;
  readyAt: number;
  /** Absent while the job waits. */
  worker?: Slot | undefined;
}

interface Slot {
  readonly machine: Machine;
  readonly lost: AbortController;
}

interface Worker {
  readonly machine: Machine;
  readonly queue: QueueName;
  readonly handler: JobHandler;
  readonly takesOnlyLost: boolean;
  free: number;
}

const rules: Readonly<Record<string, { readonly policy: string; readonly retryLimit: number }>> = {
  tick: { policy: 'exclusive', retryLimit: 0 },
  check: { policy: 'exclusive', retryLimit: 2 },
  run: { policy: 'singleton', retryLimit: 1_000 },
  rollout: { policy: 'singleton', retryLimit: 1_000 },
  fetch: { policy: 'stately', retryLimit: 2 },
  notify: { policy: 'exclusive', retryLimit: 2 },
};
const retryMs = 1_000;
/** The heartbeat of a job, and the interval at which lost ones are looked for. */
const lostMs = 11_000;
/** How long a job that can't be written waits for the database, in milliseconds. */
const awayMs = 250;

export function createQueue({ world, mustAnswer, onDefect }: QueueParts): SimulatedQueue {
  const jobs = new Set<Job>();
  const slotsOf = new Map<string, number>();
  const workers: Worker[] = [];
  let order = 0;

  const isFull = (queue: QueueName, key: string): boolean => {
    const same = [...jobs].filter((job) => job.queue === queue && job.key === key);
    switch (rules[queue]?.policy) {
      case 'exclusive':
        return same.length > 0;
      case 'stately':
        return same.some(({ worker }) => worker === undefined);
      default:
        return false;
    }
  };
  const add = (queue: QueueName, key: string, options: JobOptions): boolean => {
    const { delayMs = 0, oncePerMs, onlyIfNone = false, continues = false } = options;
    if (rules[queue] === undefined) return false;
    if (onlyIfNone && [...jobs].some((job) => job.queue === queue && job.key === key)) return false;
    if (isFull(queue, key)) return false;
    if (oncePerMs !== undefined) {
      const slot = Math.floor(world.now() / oncePerMs);
      const name = `${queue} ${key} ${oncePerMs}`;
      if (slotsOf.get(name) === slot) return false;
      slotsOf.set(name, slot);
    }
    jobs.add({
      queue,
      key,
      order: (order += 1),
      isContinued: continues,
      attempt: 0,
      readyAt: world.now() + delayMs,
    });
    return true;
  };
  const isWorked = ({ queue, key }: Job) =>
    [...jobs].some((job) => job.queue === queue && job.key === key && job.worker !== undefined);
  const next = (worker: Worker): Job | undefined => {
    let found: Job | undefined;
    for (const job of jobs) {
      if (job.worker !== undefined || job.queue !== worker.queue || job.readyAt > world.now()) continue;
      if (worker.takesOnlyLost && !job.isContinued) continue;
      if (isWorked(job)) continue;
      if (found === undefined || Number(job.isContinued) > Number(found.isContinued)) found = job;
    }
    return found;
  };
  const dispatch = () => {
    try {
      mustAnswer();
    } catch {
      void world.sleep(awayMs).then(dispatch);
      return;
    }
    for (const worker of workers) {
      if (worker.machine.state !== 'up') continue;
      for (let job = next(worker); worker.free > 0 && job !== undefined; job = next(worker))
        void work(worker, job);
    }
  };
  const retry = (job: Job) => {
    job.worker = undefined;
    const { retryLimit = 0 } = rules[job.queue] ?? {};
    if (job.attempt >= retryLimit) {
      jobs.delete(job);
      return;
    }
    job.attempt += 1;
    job.readyAt = world.now() + retryMs;
    void world.sleep(retryMs).then(dispatch);
  };
  /** The end of a job is written once the database responds. */
  const written = async (slot: Slot, job: Job, end: () => void): Promise<void> => {
    for (;;) {
      await slot.machine.gate();
      if (job.worker !== slot) return;
      try {
        mustAnswer();
        return end();
      } catch {
        await world.sleep(awayMs);
      }
    }
  };
  const work = async (worker: Worker, job: Job): Promise<void> => {
    const { machine, handler } = worker;
    const slot: Slot = { machine, lost: new AbortController() };
    job.worker = slot;
    worker.free -= 1;
    const never = new AbortController();
    const given = {
      key: job.key,
      attempt: job.attempt,
      stopping: never.signal,
    };
    let end: () => void;
    try {
      await machine.run(() => handler(given, slot.lost.signal));
      end = () => void jobs.delete(job);
    } catch (error) {
      if (!isExpected(error)) onDefect(error);
      end = () => retry(job);
    }
    await written(slot, job, end);
    worker.free += 1;
    dispatch();
  };

  return {
    on: (machine) => ({
      send: (queue, all, options = {}) =>
        machine.reach(async () => {
          mustAnswer();
          const added = all.filter((key) => add(queue, key, options)).length;
          if (added > 0) {
            if (options.delayMs !== undefined) void world.sleep(options.delayMs).then(dispatch);
            else dispatch();
          }
          return added;
        }),
      async work(queue, atOnce, handler) {
        const common = { machine, queue, handler };
        workers.push({ ...common, free: atOnce, takesOnlyLost: false });
        const reserved = reservedSlots(queue, atOnce);
        if (reserved > 0) workers.push({ ...common, free: reserved, takesOnlyLost: true });
        dispatch();
      },
    }),
    lose(machine) {
      // It requests jobs again once it thaws.
      void machine.gate().then(dispatch);
      void world.sleep(lostMs).then(() => {
        if (machine.state === 'up') return;
        for (const job of jobs)
          if (job.worker?.machine === machine) {
            const { lost } = job.worker;
            // The machine learns of it when it thaws.
            void machine.gate().then(() => lost.abort());
            retry(job);
          }
      });
    },
    pending: () => jobs.size,
  };
}

/** The database is away, or the worker leaves the job to another one. */
function isExpected(error: unknown): boolean {
  return (
    isPassingFault(error) ||
    (error instanceof Error && /another worker|stopped before its end/.test(error.message))
  );
}
