import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import {
  acquireLock,
  breakLock,
  type LockHolder,
  type LockOptions,
  lockPath,
  readLock,
} from '../../../src/run/state/lock.ts';

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
    expect(await breakLock(stateDir, account)).toMatchObject({ ok: true, value: true });
    expect((await acquireLock(options())).ok).toBe(true);
  });
  it('is not given back by a run that it was taken from', async () => {
    const first = await acquireLock(options());
    await breakLock(stateDir, account);
    const second = await acquireLock(options({ holder: { ...holder, pid: 101 } }));
    if (first.ok) await first.value.release();
    expect(second.ok).toBe(true);
    expect((await readLock(stateDir, account))?.pid).toBe(101);
  });
  it('is not given back by an earlier run of the same process and moment', async () => {
    const first = await acquireLock(options());
    await breakLock(stateDir, account);
    await acquireLock(options());
    if (first.ok) await first.value.release();
    expect(await readLock(stateDir, account)).toEqual(holder);
  });
  it('can be given back twice', async () => {
    const first = await acquireLock(options());
    if (!first.ok) throw new Error('not taken');
    await first.value.release();
    await first.value.release();
    expect(await readdir(stateDir)).toEqual([]);
  });
  it('is waited for no longer than was asked', async () => {
    await acquireLock(options());
    const waiting = options({ timeoutMs: 1_100 });
    expect((await acquireLock(waiting)).problems[0]?.code).toBe('lock-held');
    expect(waiting.clock.now()).toBe(1_100);
  });
  it('is waited for until the run is stopped', async () => {
    await acquireLock(options());
    const stopped = await acquireLock(options({ timeoutMs: 60_000, signal: AbortSignal.abort() }));
    expect(stopped.problems[0]?.code).toBe('cancelled');
  });
  it('asks for the process by its number and its start', async () => {
    await acquireLock(options({ holder: { ...holder, started: 'pid:[1]/77' } }));
    const asked: unknown[] = [];
    const isAlive = (pid: number, started?: string) => {
      asked.push([pid, started]);
      return true;
    };
    await acquireLock(options({ isAlive }));
    expect(asked).toEqual([[100, 'pid:[1]/77']]);
  });
  it('is taken over although a process died while it took it over', async () => {
    await acquireLock(options());
    const dead = await readFile(lockPath(stateDir, account), 'utf8');
    await writeFile(`${lockPath(stateDir, account)}.takeover`, dead);
    const next = await acquireLock(
      options({ holder: { ...holder, pid: 101 }, isAlive: (pid) => pid !== holder.pid }),
    );
    expect(next.ok).toBe(true);
    expect(await readdir(stateDir)).toHaveLength(1);
  });
  it('is not taken over while another process does it', async () => {
    await acquireLock(options());
    await writeFile(`${lockPath(stateDir, account)}.takeover`, JSON.stringify({ ...holder, pid: 102 }));
    const next = await acquireLock(options({ isAlive: (pid) => pid === 102, timeoutMs: 1_000 }));
    expect(next.problems[0]?.code).toBe('lock-held');
  });
  it('that can not be written is a problem', async () => {
    await writeFile(join(stateDir, 'file'), '');
    const taken = await acquireLock(options({ stateDir: join(stateDir, 'file') }));
    expect(taken.problems[0]).toMatchObject({ code: 'journal', message: expect.stringContaining('EEXIST') });
  });
  it('that is a folder is a problem', async () => {
    await mkdir(lockPath(stateDir, account));
    expect((await acquireLock(options())).problems[0]?.code).toBe('journal');
    expect((await breakLock(stateDir, account)).ok).toBe(false);
    expect(await readLock(stateDir, account)).toBeUndefined();
  });
  it('that is a link to nowhere is held', async () => {
    await symlink(join(stateDir, 'nowhere'), lockPath(stateDir, account));
    expect((await acquireLock(options())).problems[0]?.code).toBe('lock-held');
  });
  it.each(['', 'null', '[]', '{"pid":0}', '{"pid":-1,"machine":"m","user":"u","since":"s"}'])(
    'that says %j is held by nobody known',
    async (text) => {
      await writeFile(lockPath(stateDir, account), text);
      const taken = await acquireLock(options({ isAlive: () => false }));
      expect(taken.problems[0]?.message).toContain('unknown process');
    },
  );
  it('that is not there can not be broken', async () => {
    expect(await breakLock(stateDir, account)).toMatchObject({ ok: true, value: false });
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
