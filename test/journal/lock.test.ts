import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  acquireLock,
  breakLock,
  type LockHolder,
  type LockOptions,
  lockPath,
  readLock,
} from '../../src/journal/lock.ts';
import { createVirtualClock } from '../../src/lib/virtual-clock.ts';

const account = { companyId: '42', service: 'https://service.example' };
const holder: LockHolder = { pid: 100, machine: 'build-1', user: 'ada', since: '2026-11-21T09:00:00Z' };

let stateDir: string;
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'rampart-lock-'));
});
afterEach(() => rm(stateDir, { recursive: true, force: true }));

function options(parts: Partial<LockOptions> = {}): LockOptions {
  const clock = createVirtualClock(0, {
    auto: true,
    settle: () => new Promise((resolve) => setTimeout(resolve, 2)),
  });
  return { stateDir, account, clock, timeoutMs: 0, holder, isAlive: () => true, ...parts };
}

describe('the run lock', () => {
  it('is taken, and is free again after the run', async () => {
    const first = await acquireLock(options());
    expect(first.ok).toBe(true);
    expect(await readLock(stateDir, account)).toEqual(holder);
    if (first.ok) await first.value.release();
    expect((await acquireLock(options())).ok).toBe(true);
  });
  it('that is held says who, where, since when, and the way out', async () => {
    await acquireLock(options());
    const second = await acquireLock(options());
    expect(second.problems[0]).toMatchObject({
      code: 'lock-held',
      message:
        'another run is under way: the lock is that of ada on build-1 (process 100, since 2026-11-21T09:00:00Z)',
      hint: expect.stringContaining('rampart unlock'),
    });
  });
  it('is waited for', async () => {
    const first = await acquireLock(options());
    const second = acquireLock(options({ timeoutMs: 60_000 }));
    if (first.ok) await first.value.release();
    expect((await second).ok).toBe(true);
  });
  it('is taken over from a process that died on this machine, with a warning', async () => {
    await acquireLock(options());
    const next = await acquireLock(options({ holder: { ...holder, pid: 101 }, isAlive: () => false }));
    expect(next).toMatchObject({ ok: true, problems: [{ code: 'lock-held', severity: 'warning' }] });
    expect((await readLock(stateDir, account))?.pid).toBe(101);
  });
  it('is not taken over from another machine', async () => {
    await acquireLock(options());
    const next = await acquireLock(
      options({ holder: { ...holder, machine: 'laptop' }, isAlive: () => false }),
    );
    expect(next.ok).toBe(false);
  });
  it('that is damaged is held until it is broken', async () => {
    await writeFile(lockPath(stateDir, account), '{');
    expect((await acquireLock(options())).ok).toBe(false);
    expect(await breakLock(stateDir, account)).toBe(true);
    expect((await acquireLock(options())).ok).toBe(true);
  });
  it('is one for each account', async () => {
    await acquireLock(options());
    expect((await acquireLock(options({ account: { ...account, companyId: '43' } }))).ok).toBe(true);
  });
  it('goes to exactly one of many who find it dead', async () => {
    await acquireLock(options({ holder: { ...holder, pid: 1 } }));
    const takers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        acquireLock(options({ holder: { ...holder, pid: 200 + index }, isAlive: (pid) => pid !== 1 })),
      ),
    );
    expect(takers.filter((taker) => taker.ok)).toHaveLength(1);
  });
});
