import type { Queue as QueueRules } from 'pg-boss';
import { type QueueName, queueNames } from './queue.ts';

/**
 * The version of the jobs that this program writes. It is part of the name of each queue, so a program of an earlier
 * version never gets a job that it does not understand: during an upgrade, jobs of the new version wait for new workers.
 */
export const jobVersion = 1;

/** The versions that this program can work. */
export const knownVersions: readonly number[] = [1];

type Rules = Omit<QueueRules, 'name'>;

/** pg-boss allows no less. A worker renews each job after half of this time. */
const heartbeatSeconds = 10;

const shared: Rules = {
  notify: true,
  heartbeatSeconds,
  retryDelay: 1,
  deleteAfterSeconds: 3600,
};

/** For jobs that fail, rather than lose their worker: each attempt comes later. */
const repeated: Rules = { ...shared, retryBackoff: true, retryDelayMax: 60 };

/**
 * For jobs that another worker continues. Each crash of a worker or of the database counts as an attempt, so a back-off
 * would make each takeover slower than the one before it.
 */
const continued: Rules = { ...shared, retryLimit: 1000, retryBackoff: false };

const rules: Readonly<Record<QueueName, Rules>> = {
  tick: { ...repeated, policy: 'exclusive', retryLimit: 0, expireInSeconds: 60 },
  check: { ...repeated, policy: 'exclusive', retryLimit: 2, expireInSeconds: 600 },
  // A run whose worker was lost continues on another one, however often that happens.
  run: { ...continued, policy: 'singleton', expireInSeconds: 86_399 },
  rehearse: { ...repeated, policy: 'exclusive', retryLimit: 2, expireInSeconds: 900 },
  // A push during a fetch may come too late for it, so one more fetch may wait.
  fetch: { ...repeated, policy: 'stately', retryLimit: 2, expireInSeconds: 900 },
  notify: { ...repeated, policy: 'exclusive', retryLimit: 2, expireInSeconds: 300 },
  rollout: { ...continued, policy: 'singleton', expireInSeconds: 3600 },
  prune: {
    ...repeated,
    policy: 'exclusive',
    retryLimit: 2,
    expireInSeconds: 3600,
    deleteAfterSeconds: 172_800,
  },
};

export function queueNameOf(queue: QueueName, version: number): string {
  return `${queue}.${version}`;
}

/** All queues with their rules. */
export function allRules(versions: readonly number[]): readonly QueueRules[] {
  return versions.flatMap((version) =>
    queueNames.map((queue) => ({ ...rules[queue], name: queueNameOf(queue, version) })),
  );
}

/** The priority of a job whose worker was lost. New jobs have 0. */
export const lostPriority = 1;

/**
 * Slots of a process that take only jobs that lost their worker: as many as another process can lose at once. Long runs
 * in all other slots can't keep a lost one waiting then.
 */
export function reservedSlots(queue: QueueName, atOnce: number): number {
  return rules[queue].retryLimit === continued.retryLimit ? atOnce : 0;
}

/** Jobs that one worker takes at once. Runs must start at once, so none waits for another in a batch. */
export function batchOf(queue: QueueName): number {
  return queue === 'check' ? 8 : 1;
}
