export const queueNames = [
  'tick',
  'check',
  'run',
  'rehearse',
  'fetch',
  'notify',
  'rollout',
  'prune',
] as const;
export type QueueName = (typeof queueNames)[number];

export interface JobOptions {
  /** The job waits this long. */
  readonly delayMs?: number;
  /** Adds at most one job with this key in each slot of this time, which starts at a multiple of it. */
  readonly oncePerMs?: number;
  /** Adds no job with the key of one that waits or is being worked. */
  readonly onlyIfNone?: boolean;
  /** The jobs continue what lost its worker, so they do not wait behind new ones. */
  readonly continues?: boolean;
}

/** A job as a handler gets it. */
export interface QueueJob {
  /** What the job is about, such as the name of an account. Of jobs with the same key, at most one is worked at a time. */
  readonly key: string;
  /** 0 at first; it grows each time the job is worked again after its worker was lost or its handler failed. */
  readonly attempt: number;
  /** Aborted when the worker stops: end at the next safe point. `signal` is aborted when the job was lost. */
  readonly stopping: AbortSignal;
}

/**
 * Works one job. The signal is aborted when the job is cancelled, another worker has it, or the time to stop is over:
 * it must reach every call. It is aborted after the handler has returned, too. If the handler rejects, the job is
 * worked again later.
 */
export type JobHandler = (job: QueueJob, signal: AbortSignal) => Promise<void>;

export interface QueueCounts {
  readonly ready: number;
  readonly active: number;
  /** Given up after all attempts. */
  readonly failed: number;
}

/** Jobs of the server in its database. Several processes share it. */
export interface Queue {
  /**
   * Adds a job for each key with one statement. A `check` that already waits or runs is not added again, nor is any other
   * kind of job except `fetch`, `run` and `rollout`. While a `fetch` runs, one more may wait. Returns how many were added.
   */
  send(name: QueueName, keys: readonly string[], options?: JobOptions): Promise<number>;
  /**
   * Processes the jobs of a queue from now on, `atOnce` at the same time. Runs and rollouts that lost their worker have as
   * many slots more, so that they never wait for the end of others.
   */
  work(name: QueueName, atOnce: number, handler: JobHandler): Promise<void>;
  counts(): Promise<Readonly<Record<QueueName, QueueCounts>>>;
  /** Takes no more jobs, asks handlers to end at a safe point, waits for them, then aborts the rest. */
  stop(graceMs: number): Promise<void>;
}
