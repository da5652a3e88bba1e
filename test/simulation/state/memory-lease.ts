import { hostname } from 'node:os';
import { ok, type Result, warning } from '../../../src/core/problem/problem.ts';
import { holdLease, type Lease } from '../../../src/run/state/lease/lease.ts';
import { describeHolder, type LockHolder } from '../../../src/run/state/lease/lease-holder.ts';
import {
  isHeld,
  type LeaseRow,
  mayTake,
  releasedBy,
  renewed,
  takenBy,
} from '../../../src/run/state/lease/lease-rules.ts';
import { type Stopwatch, startStopwatch } from '../../../src/run/state/lease/stopwatch.ts';
import { type LockRequest, waitForLock } from '../../../src/run/state/lease/wait-for-lock.ts';
import type { MemoryStateParts } from './memory-state.ts';

type LeaseParts = Pick<MemoryStateParts, 'records' | 'now' | 'statement' | 'read' | 'isAlive'>;

const pollMs = 500;

export const isHeldNow: (row: LeaseRow, epoch: number, now: number) => boolean = isHeld;

/** Takes the lease, or waits for it. */
export function acquireIn(parts: LeaseParts, key: string, request: LockRequest): Promise<Result<Lease>> {
  const { records, now, statement, read } = parts;
  return waitForLock(request, pollMs, async () => {
    const asked = startStopwatch();
    const taken = await statement(() => {
      const row = records.leases.get(key) ?? null;
      const dead = row !== null && isDeadHere(parts, row.by) ? row.epoch : 0;
      if (!mayTake(row, now(), dead)) return undefined;
      const next = { ...takenBy(row, 'run', now()), by: request.holder };
      records.leases.set(key, next);
      return { epoch: next.epoch, prior: row !== null && row.holder !== null ? row.by : null };
    });
    if (taken === undefined)
      return { holder: () => read(() => holderIn(parts, key)), unknown: 'of another run' };
    const lease = leaseOn(parts, key, taken.epoch, asked);
    return ok(
      lease,
      taken.prior === null ? [] : [warning('lock-held', `the run ${describeHolder(taken.prior)} has died`)],
    );
  });
}

function isDeadHere({ isAlive }: LeaseParts, by: LockHolder): boolean {
  return by.machine === hostname() && by.started !== undefined && !isAlive(by);
}

function leaseOn(
  { records, now, statement, read }: LeaseParts,
  key: string,
  epoch: number,
  asked: Stopwatch,
): Lease {
  const row = () => records.leases.get(key) ?? null;
  const write = (next: LeaseRow | null) => {
    const known = records.leases.get(key);
    if (next !== null && known !== undefined) records.leases.set(key, { ...known, ...next });
  };
  return holdLease({
    epoch,
    asked,
    confirm: () => read(() => isHeld(row(), epoch, now())),
    renew: () =>
      statement(() => {
        const known = row();
        if (known === null || !isHeld(known, epoch, now())) return false;
        write(renewed(known, now()));
        return true;
      }),
    release: () => statement(() => write(releasedBy(row(), epoch, now()))).catch(() => undefined),
  });
}

/** Null if the lease is free. A lapsed lease has no holder. */
export function holderIn({ records, now }: LeaseParts, key: string): LockHolder | null {
  const row = records.leases.get(key);
  if (row === undefined || !isHeld(row, row.epoch, now())) return null;
  const latest = [...records.runs.values()].filter(({ account }) => account === key).at(-1);
  const run = latest?.head.epoch === row.epoch ? latest.head.run_id : undefined;
  return { ...row.by, epoch: row.epoch, ...(run === undefined ? {} : { run }) };
}

/** Starts the next epoch, so the holder notices. */
export function breakIn({ records, now }: LeaseParts, key: string, epoch?: number): boolean {
  const row = records.leases.get(key);
  if (row === undefined || !isHeld(row, epoch ?? row.epoch, now())) return false;
  records.leases.set(key, { ...row, epoch: row.epoch + 1, holder: null, until: now() });
  return true;
}
