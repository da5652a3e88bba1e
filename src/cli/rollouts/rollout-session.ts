import { keepRecord, noRollout, type RecordKeeper } from '../../accounts/rollouts/rollout-record-keeper.ts';
import { printable } from '../../core/lib/printable.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import type { State } from '../../run/state/interface/state.ts';
import type { Origin } from '../../run/state/journal/record.ts';
import type { Lease } from '../../run/state/lease/lease.ts';
import { describeHolder } from '../../run/state/lease/lease-holder.ts';
import { leaseMs } from '../../run/state/lease/lease-rules.ts';
import { describeProcess } from '../../run/state/lease/this-process.ts';
import { type RolloutLog, rolloutLockKey } from '../../run/state/rollout/rollout.ts';
import type { Context } from '../shell/context.ts';

/** A rollout that this process alone may run. */
export interface RolloutSession {
  readonly state: State;
  readonly lease: Lease;
  readonly record: RecordKeeper;
  readonly origin: Origin;
}

/** Reads a rollout; without an id, the latest one. */
export async function findRollout({ rollouts }: State, id: string | undefined): Promise<Result<RolloutLog>> {
  const ids = id === undefined ? await rollouts.list() : ok([id]);
  if (!ids.ok) return ids;
  const [found] = ids.value;
  if (found === undefined)
    return failed(
      problem('usage', 'there is no rollout', {
        hint: 'start one with: rampart apply --accounts EXPRESSION',
      }),
    );
  const read = await rollouts.read(found);
  if (!read.ok) return read;
  if (read.value !== null) return ok(read.value);
  const others = await rollouts.list();
  return failed(noRollout(found, others.ok ? others.value : []));
}

/** How long a continuation waits for the lock of a process that died: longer than a lease lasts. In milliseconds. */
export const continueTimeoutMs = leaseMs + 5_000;

interface RolloutLock {
  readonly state: State;
  readonly id: string;
  readonly origin: Origin;
  readonly lockTimeoutMs: number;
}

/**
 * Takes the lock of a rollout, so that no two processes run it at once, and does the work. The record is read again
 * once the lock is held.
 */
export async function withRollout<T>(
  context: Context,
  { state, id, origin, lockTimeoutMs }: RolloutLock,
  work: (session: RolloutSession) => Promise<Result<T>>,
): Promise<Result<T>> {
  const since = new Date(context.io.clock.now()).toISOString();
  const lock = await state.acquire(rolloutLockKey(id), {
    clock: context.io.clock,
    timeoutMs: lockTimeoutMs,
    onWait: (holder) =>
      context.log(
        `Waiting for ${holder === null ? 'another process' : `the process ${printable(describeHolder(holder))}`}, which holds the lock of this rollout.`,
      ),
    holder: describeProcess(since, origin),
  });
  if (!lock.ok) {
    const held = lock.problems.some(({ code }) => code === 'lock-held');
    const holder = held ? await state.holder(rolloutLockKey(id)) : undefined;
    if (holder?.ok !== true || holder.value === null) return lock;
    return failed(
      problem('lock-held', `another process runs this rollout: the process ${describeHolder(holder.value)}`, {
        hint: `wait for it, or stop it with: rampart rollout abort ${id}`,
      }),
    );
  }
  try {
    const log = await findRollout(state, id);
    if (!log.ok) return log;
    return await work({
      state,
      lease: lock.value,
      record: keepRecord(state.rollouts, log.value, lock.value),
      origin,
    });
  } finally {
    await lock.value.release();
  }
}
