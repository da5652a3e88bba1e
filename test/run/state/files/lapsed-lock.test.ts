import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accountKey } from '../../../../src/core/model/account.ts';
import {
  acquireFolder,
  acquireLock,
  breakLock,
  type LockOptions,
  listLocks,
  readLock,
} from '../../../../src/run/state/files/lock.ts';
import { runPath } from '../../../../src/run/state/files/run-files.ts';
import type { Lease } from '../../../../src/run/state/lease/lease.ts';
import type { LockHolder } from '../../../../src/run/state/lease/lease-holder.ts';
import { givenFolder } from '../../../given/given-folder.ts';
import { givenHead } from '../../../given/runs.ts';
import { fileError, traced } from '../../../given/traced-files.ts';

const account = { companyId: '42', service: 'https://service.example' };
const ada: LockHolder = { pid: 100, machine: 'build-1', user: 'ada', since: '2026-11-21T09:00:00Z' };
/** On a machine that this one can't look at. */
const bob: LockHolder = { ...ada, machine: 'build-2', user: 'bob', pid: 7 };

let stateDir: string;
beforeEach(() => {
  stateDir = givenFolder();
});

const folder = () => join(stateDir, `lock-${accountKey(account)}`);
const path = (epoch = 1) => join(folder(), `${epoch}.json`);
const files = async () => (await readdir(folder())).sort();

function options(parts: Partial<LockOptions> = {}): LockOptions {
  const clock = { now: () => 0, sleep: async () => {} };
  return { stateDir, account, clock, timeoutMs: 0, holder: ada, isAlive: () => true, ...parts };
}

async function take(parts: Partial<LockOptions> = {}): Promise<Lease> {
  const taken = await acquireLock(options(parts));
  if (!taken.ok) throw new Error(taken.problems[0]?.message);
  return taken.value;
}

/** As if the file had been written this many seconds ago. */
function age(seconds: number, file = path()): void {
  const then = new Date(Date.now() - seconds * 1000);
  utimesSync(file, then, then);
}

describe('a run lock that is not renewed', () => {
  it('is held for its whole lease', async () => {
    await take({ holder: bob });
    age(11);
    expect((await acquireLock(options())).problems[0]).toMatchObject({
      code: 'lock-held',
      severity: 'error',
    });
    expect(await listLocks(stateDir)).toMatchObject([{ user: 'bob' }]);
  });

  it('is taken over afterwards, with a warning, and temporary files are removed', async () => {
    const first = await take({ holder: bob });
    age(16);
    const next = await acquireLock(options());
    expect(next).toMatchObject({ ok: true, value: { epoch: 2 } });
    expect(next.problems).toMatchObject([
      { code: 'lock-held', severity: 'warning', message: expect.stringContaining('for 12 s') },
    ]);
    expect(await files()).toEqual(['2.json']);
    expect(await readLock(stateDir, account)).toMatchObject({ user: 'ada', epoch: 2 });
    expect(await first.confirm()).toBe(false);
    await first.release();
    expect(await readLock(stateDir, account)).toMatchObject({ user: 'ada', epoch: 2 });
  });

  it('is no longer listed', async () => {
    await take({ holder: bob });
    age(16);
    await mkdir(join(stateDir, 'lock-0'));
    await writeFile(join(stateDir, 'lock-0', '1.json'), '{');
    expect(await listLocks(stateDir)).toEqual([]);
    expect(await listLocks(join(stateDir, 'missing'))).toEqual([]);
  });

  it('is reported as dead if its process died, and not as lapsed', async () => {
    await take();
    age(16);
    const next = await acquireLock(options({ isAlive: () => false }));
    expect(next.problems[0]?.message).toContain('has died');
  });

  it('is lost if its holder renews it while it is taken over', async () => {
    const first = await take({ holder: bob });
    age(16);
    const { result } = await traced(
      () => acquireLock(options()),
      (operation, file) => {
        if (operation === 'link' && file.startsWith('2.json')) age(0);
      },
    );
    expect(result).toMatchObject({ value: { ok: true, value: { epoch: 2 } } });
    expect(await first.confirm()).toBe(false);
  });

  it('is free if its holder releases it at the last moment', async () => {
    const first = await take({ holder: bob });
    age(16);
    const { result } = await traced(
      () => acquireLock(options()),
      async (operation, file) => {
        if (operation === 'link' && file.startsWith('2.json')) writeFileSync(join(folder(), '1.free'), '');
      },
    );
    expect(result).toMatchObject({ value: { ok: true, value: { epoch: 2 } } });
    expect(await files()).toEqual(['2.json']);
    expect(await first.confirm()).toBe(false);
  });

  it("is a problem if the next epoch can't be created", async () => {
    await take({ holder: bob });
    age(16);
    const { result } = await traced(
      () => acquireLock(options()),
      (operation, file) => {
        if (operation === 'link' && file.startsWith('2.json')) throw fileError('EACCES');
      },
    );
    expect(result).toMatchObject({ value: { ok: false, problems: [{ code: 'journal' }] } });
    expect(await files()).toEqual(['1.json']);
  });

  it('counts as held if it disappears before its age is checked', async () => {
    await take();
    const isAlive = () => {
      rmSync(path(), { force: true });
      return true;
    };
    expect((await acquireLock(options({ isAlive }))).problems[0]?.code).toBe('lock-held');
    expect(await files()).toEqual([]);
  });
});

describe('renewing a run lock', () => {
  const renewal = 5_000;
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  /** Runs the renewal that is due, with the real file system. */
  async function renew(lease: Lease, before: Parameters<typeof traced>[1] = () => undefined) {
    return traced(async () => {
      await vi.advanceTimersByTimeAsync(renewal);
      const giveUpAt = Date.now() + 1_000;
      while (vi.getTimerCount() === 0 && !lease.lost.aborted && Date.now() < giveUpAt)
        await new Promise((resolve) => setImmediate(resolve));
    }, before);
  }

  it('updates the time of its file, and keeps its text', async () => {
    const lease = await take();
    const text = await readFile(path(), 'utf8');
    age(14);
    const { operations } = await renew(lease);
    expect(operations).toEqual(['open 1.json', 'sync 1.json', 'close 1.json']);
    expect(Date.now() - (await stat(path())).mtimeMs).toBeLessThan(5_000);
    expect(await readFile(path(), 'utf8')).toBe(text);
    expect(lease.refusal()).toBeUndefined();
    await lease.release();
    expect(await files()).toEqual(['1.free', '1.json']);
  });

  it.each([
    ['has gone', () => rmSync(path())],
    ['is of another run', () => writeFileSync(path(), JSON.stringify(bob))],
    ['was taken over', () => writeFileSync(path(2), JSON.stringify(bob))],
    ['was unlocked', () => writeFileSync(join(folder(), '1.free'), '')],
  ])('loses the lock if it %s', async (_what, change) => {
    const lease = await take();
    change();
    const before = await readFile(path(), 'utf8').catch(() => null);
    await renew(lease);
    expect(lease.lost.aborted).toBe(true);
    expect(await readFile(path(), 'utf8').catch(() => null)).toBe(before);
    await lease.release();
    expect(await readFile(path(), 'utf8').catch(() => null)).toBe(before);
  });

  it('loses the lock if another run takes it during the write', async () => {
    const lease = await take();
    await renew(lease, (operation) => {
      if (operation === 'sync') writeFileSync(path(), JSON.stringify(bob));
    });
    expect(lease.lost.aborted).toBe(true);
  });

  it("does not lose the lock at once if the folder can't be reached", async () => {
    const lease = await take();
    await renew(lease, (operation) => {
      if (operation === 'open') throw fileError('EIO');
    });
    expect(lease.lost.aborted).toBe(false);
    age(14);
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.waitFor(async () => expect(Date.now() - (await stat(path())).mtimeMs).toBeLessThan(5_000));
    await lease.release();
  });
});

describe('the epochs of a run lock', () => {
  it('increase with each holder, even after the lock was released or broken', async () => {
    const first = await take();
    await first.release();
    await take();
    await breakLock(stateDir, account);
    expect((await take()).epoch).toBe(3);
    expect(await files()).toEqual(['3.json']);
  });
});

describe('the run of a run lock', () => {
  const runOf = async (seconds: number, epoch: number) => {
    const head = givenHead(seconds, { epoch });
    const path = runPath(stateDir, head);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${JSON.stringify(head)}\n`);
    return head.run_id;
  };

  it('is the latest of the account with the same epoch', async () => {
    await take();
    expect(await readLock(stateDir, account)).toEqual({ ...ada, epoch: 1 });
    const run = await runOf(1, 1);
    expect(await readLock(stateDir, account)).toEqual({ ...ada, epoch: 1, run });
    expect((await acquireLock(options())).problems[0]?.message).toContain(`run ${run}`);
    await runOf(2, 9);
    expect(await readLock(stateDir, account)).toEqual({ ...ada, epoch: 1 });
  });
});

describe('waiting for a run lock', () => {
  /** A clock on which each sleep is noted, and takes its time. */
  function sleeping(sleeps: number[] = []) {
    let now = 0;
    return {
      now: () => now,
      async sleep(ms: number) {
        sleeps.push(ms);
        await Promise.resolve();
        now += ms;
      },
    };
  }

  it('is reported once, with the holder', async () => {
    await take({ holder: bob });
    const onWait = vi.fn();
    await acquireLock(options({ clock: sleeping(), timeoutMs: 600, onWait }));
    expect(onWait.mock.calls).toEqual([[{ ...bob, epoch: 1 }]]);
  });
  it('is reported without a holder if the holder is unknown', async () => {
    await mkdir(folder());
    await writeFile(path(), '{');
    const onWait = vi.fn();
    await acquireLock(options({ clock: sleeping(), timeoutMs: 600, onWait }));
    expect(onWait.mock.calls).toEqual([[null]]);
  });
  it('is not reported if nobody waits', async () => {
    await take({ holder: bob });
    const onWait = vi.fn();
    await acquireLock(options({ onWait }));
    expect(onWait).not.toHaveBeenCalled();
  });
  it('describes the holder when it begins and when it ends', async () => {
    await take({ holder: bob });
    let described = 0;
    const describe = async (holder: LockHolder) => {
      described += 1;
      return { ...holder, run: `r${described}` };
    };
    const onWait = vi.fn();
    const ended = await acquireFolder(folder(), {
      ...options({ clock: sleeping(), timeoutMs: 600, onWait }),
      describe,
    });
    expect(onWait.mock.calls[0]?.[0]).toMatchObject({ run: 'r1' });
    expect(ended.problems[0]?.message).toContain('run r2');
    expect(described).toBe(2);
  });
  it('does not check before a sleep is over', async () => {
    await take({ holder: bob });
    let asleep = false;
    let woke = 0;
    const clock = {
      now() {
        if (asleep) throw new Error('asleep');
        return woke * 1000;
      },
      async sleep() {
        asleep = true;
        for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        asleep = false;
        woke += 1;
      },
    };
    expect((await acquireLock(options({ clock, timeoutMs: 500 }))).problems[0]?.code).toBe('lock-held');
    expect(woke).toBe(1);
  });
  it('leaves no time probe behind', async () => {
    await take({ holder: bob });
    await acquireLock(options());
    await utimes(path(), new Date(), new Date());
    expect(await files()).toEqual(['1.json']);
  });
});
