import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../../src/core/lib/virtual-clock.ts';
import { accountKey } from '../../../../src/core/model/account.ts';
import { acquireLock, breakLock, type LockOptions, readLock } from '../../../../src/run/state/files/lock.ts';
import type { LockHolder } from '../../../../src/run/state/lease/lease-holder.ts';
import { givenFolder } from '../../../given/given-folder.ts';
import { traced } from '../../../given/traced-files.ts';

const account = { companyId: '42', service: 'https://service.example' };
const holder: LockHolder = { pid: 100, machine: 'build-1', user: 'ada', since: '2026-11-21T09:00:00Z' };

let stateDir: string;
const lockFolder = () => join(stateDir, `lock-${accountKey(account)}`);
const lockPath = (epoch = 1) => join(lockFolder(), `${epoch}.json`);
beforeEach(() => {
  stateDir = givenFolder();
});
const lockFiles = async () => (await readdir(lockFolder())).sort();
/** Writes a file of the lock as it is. */
async function given(text: string, path = lockPath()): Promise<void> {
  await mkdir(lockFolder(), { recursive: true });
  await writeFile(path, text);
}

function options(parts: Partial<LockOptions> = {}): LockOptions {
  const clock = createVirtualClock(0, {
    auto: true,
    settle: () => new Promise((resolve) => setTimeout(resolve, 2)),
  });
  return { stateDir, account, clock, timeoutMs: 0, holder, isAlive: () => true, ...parts };
}

describe('the run lock', () => {
  it('that is held reports the holder, the start and a hint', async () => {
    await acquireLock(options());
    const second = await acquireLock(options());
    expect(second.problems[0]).toMatchObject({
      code: 'lock-held',
      message:
        'another run is in progress: it holds the lock of ada on build-1 (process 100, since 2026-11-21T09:00:00Z)',
      hint: expect.stringContaining('rampart state unlock'),
    });
  });
  it('is not taken over from another machine', async () => {
    await acquireLock(options());
    const next = await acquireLock(
      options({ holder: { ...holder, machine: 'laptop' }, isAlive: () => false }),
    );
    expect(next.ok).toBe(false);
  });
  it('that is damaged is held until it is broken', async () => {
    await given('{');
    expect((await acquireLock(options())).ok).toBe(false);
    expect(await breakLock(stateDir, account)).toMatchObject({ ok: true, value: true });
    expect((await acquireLock(options())).ok).toBe(true);
  });
  it('is not released by an earlier run of the same process and moment', async () => {
    const first = await acquireLock(options());
    await breakLock(stateDir, account);
    await acquireLock(options());
    if (first.ok) await first.value.release();
    expect(await readLock(stateDir, account)).toEqual({ ...holder, epoch: 2 });
  });
  it('can be released twice', async () => {
    const first = await acquireLock(options());
    if (!first.ok) throw new Error('not taken');
    await first.value.release();
    await first.value.release();
    expect(await lockFiles()).toEqual(['1.free', '1.json']);
  });
  it('is waited for no longer than requested', async () => {
    await acquireLock(options());
    const waiting = options({ timeoutMs: 1_100 });
    expect((await acquireLock(waiting)).problems[0]?.code).toBe('lock-held');
    expect(waiting.clock.now()).toBe(1_100);
  });
  it('identifies a process by its number and its start', async () => {
    await acquireLock(options({ holder: { ...holder, started: 'pid:[1]/77' } }));
    const asked: unknown[] = [];
    const isAlive = (pid: number, started?: string) => {
      asked.push([pid, started]);
      return true;
    };
    await acquireLock(options({ isAlive }));
    expect(asked).toEqual([[100, 'pid:[1]/77']]);
  });
  it('is taken over even if a process died while it took the lock over', async () => {
    await acquireLock(options());
    await given(JSON.stringify({ ...holder, pid: 102, epoch: 2 }), lockPath(2));
    const next = await acquireLock(options({ holder: { ...holder, pid: 101 }, isAlive: () => false }));
    expect(next).toMatchObject({ ok: true, value: { epoch: 3 } });
    expect(next.problems).toMatchObject([{ message: expect.stringContaining('process 102') }]);
    expect(await lockFiles()).toEqual(['3.json']);
  });
  it("that can't be written is a problem", async () => {
    await writeFile(join(stateDir, 'file'), '');
    const taken = await acquireLock(options({ stateDir: join(stateDir, 'file') }));
    expect(taken.problems[0]).toMatchObject({ code: 'journal', message: expect.stringContaining('ENOTDIR') });
  });
  it('that is a folder is a problem', async () => {
    await mkdir(lockPath(), { recursive: true });
    expect((await acquireLock(options())).problems[0]?.code).toBe('journal');
    expect((await breakLock(stateDir, account)).problems[0]).toMatchObject({
      code: 'journal',
      message: expect.stringContaining('EISDIR'),
    });
    expect(await readLock(stateDir, account)).toBeUndefined();
  });
  it('that is a link to nowhere is held', async () => {
    await mkdir(lockFolder());
    await symlink(join(stateDir, 'nowhere'), lockPath());
    expect((await acquireLock(options())).problems[0]?.code).toBe('lock-held');
  });
  it.each(['', 'null', '[]', '{"pid":0}', '{"pid":-1,"machine":"m","user":"u","since":"s"}'])(
    'with the text %j has an unknown holder',
    async (text) => {
      await given(text);
      const taken = await acquireLock(options({ isAlive: () => false }));
      expect(taken.problems[0]?.message).toContain('unknown process');
    },
  );
  it.each(['9007199254740993', '99999999999999999999', '007', '1e300'])(
    'is not blocked by a forged epoch that no run can follow: %s',
    async (epoch) => {
      await given('', join(lockFolder(), `${epoch}.json`));
      await given('', join(lockFolder(), `${epoch}.free`));
      expect((await acquireLock(options())).ok).toBe(true);
      expect(await readLock(stateDir, account)).toMatchObject({ epoch: 1 });
    },
  );
  it('that was forged to have the last epoch is a problem, and nobody waits for it', async () => {
    await given('', join(lockFolder(), '999999999999999.free'));
    expect((await acquireLock(options({ timeoutMs: 60_000 }))).problems).toMatchObject([
      { code: 'journal', message: expect.stringContaining('its files are forged') },
    ]);
  });
  it("that does not exist can't be broken", async () => {
    expect(await breakLock(stateDir, account)).toMatchObject({ ok: true, value: false });
  });
  it('goes to exactly one of many runs that find it dead', async () => {
    await acquireLock(options({ holder: { ...holder, pid: 1 } }));
    const takers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        acquireLock(options({ holder: { ...holder, pid: 200 + index }, isAlive: (pid) => pid !== 1 })),
      ),
    );
    expect(takers.filter((taker) => taker.ok)).toHaveLength(1);
  });
});

/** A clock that only its sleeps move. */
function sleepingClock(onSleep: () => void = () => undefined) {
  const sleeps: number[] = [];
  let now = 0;
  let isAsleep = false;
  return {
    sleeps,
    clock: {
      now() {
        if (isAsleep) throw new Error('it did not wait for the sleep to end');
        return now;
      },
      async sleep(ms: number) {
        isAsleep = true;
        sleeps.push(ms);
        for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        isAsleep = false;
        now += ms;
        onSleep();
      },
    },
  };
}

describe('waiting for the run lock', () => {
  it('checks every quarter of a second, and for the remaining time at the end', async () => {
    await acquireLock(options());
    const { clock, sleeps } = sleepingClock();
    const waited = await acquireLock(options({ clock, timeoutMs: 1_100 }));
    expect(waited.problems[0]?.code).toBe('lock-held');
    expect(sleeps).toEqual([250, 250, 250, 250, 100]);
  });

  it('takes the lock without a warning if its holder releases it meanwhile', async () => {
    const first = await acquireLock(options());
    const { clock } = sleepingClock(() => writeFileSync(join(lockFolder(), '1.free'), ''));
    const taken = await acquireLock(options({ clock, timeoutMs: 500 }));
    expect(taken).toMatchObject({ ok: true, problems: [], value: { epoch: 2 } });
    expect(first.ok && (await first.value.confirm())).toBe(false);
  });
});

describe('the folder of the run lock', () => {
  it('is created for its owner only', async () => {
    const made = join(stateDir, 'new', 'state');
    expect((await acquireLock(options({ stateDir: made }))).ok).toBe(true);
    expect((await stat(made)).mode & 0o777).toBe(0o700);
  });
});

describe('taking over a dead lock', () => {
  it('removes it only after the next epoch exists, and waits for each step', async () => {
    const first = await acquireLock(options());
    if (first.ok) await first.value.release();
    await acquireLock(options());
    await given('', join(lockFolder(), '1.free'));
    const next = options({ holder: { ...holder, pid: 101 }, isAlive: (pid) => pid === 101 });
    const { operations } = await traced(() => acquireLock(next));
    expect(operations).toEqual([
      'readFile 2.json',
      ...['open', 'writeFile', 'sync', 'close', 'link', 'rm'].map((each) => `${each} 3.json.draft`),
      'rm 1.free',
      'rm 2.json',
    ]);
    expect(await lockFiles()).toEqual(['3.json']);
  });

  it('does not touch the new lock of a faster process', async () => {
    await acquireLock(options());
    const faster = JSON.stringify({ ...holder, pid: 102, epoch: 2 });
    const { result } = await traced(
      () => acquireLock(options({ isAlive: (pid) => pid === 102 })),
      (operation) => {
        if (operation === 'link') writeFileSync(lockPath(2), faster);
      },
    );
    expect(result).toMatchObject({ value: { ok: false, problems: [{ code: 'lock-held' }] } });
    expect(await readFile(lockPath(2), 'utf8')).toBe(faster);
    expect(await lockFiles()).toEqual(['1.json', '2.json']);
  });

  it('notices that other runs held the lock before its own file was created', async () => {
    await acquireLock(options());
    const { result } = await traced(
      () => acquireLock(options({ isAlive: (pid) => pid === 102 })),
      (operation) => {
        if (operation !== 'link') return;
        rmSync(lockPath(1));
        writeFileSync(lockPath(3), JSON.stringify({ ...holder, pid: 102, epoch: 3 }));
      },
    );
    expect(result).toMatchObject({
      value: { ok: false, problems: [{ message: expect.stringContaining('process 102') }] },
    });
    expect(await lockFiles()).toEqual(['2.json', '3.json']);
  });

  it('checks again if the file is removed before it is read', async () => {
    await acquireLock(options());
    let isFirst = true;
    const { result } = await traced(
      () => acquireLock(options()),
      (operation, file) => {
        if (operation !== 'readFile' || file !== '1.json' || !isFirst) return;
        isFirst = false;
        rmSync(lockPath(1));
        writeFileSync(lockPath(2), JSON.stringify({ ...holder, pid: 102, epoch: 2 }));
      },
    );
    expect(result).toMatchObject({
      value: { ok: false, problems: [{ message: expect.stringContaining('process 102') }] },
    });
  });
});

describe('breaking the run lock', () => {
  it('marks its epoch as free, and waits for that', async () => {
    const first = await acquireLock(options());
    const { operations } = await traced(() => breakLock(stateDir, account));
    expect(operations.slice(-2)).toEqual(['open 1.free', 'close 1.free']);
    expect(await lockFiles()).toEqual(['1.free', '1.json']);
    expect(first.ok && (await first.value.confirm())).toBe(false);
    expect(await breakLock(stateDir, account)).toMatchObject({ ok: true, value: false });
  });
  it('happens once if its holder releases it at the same moment', async () => {
    await acquireLock(options());
    const { result } = await traced(
      () => breakLock(stateDir, account),
      (operation) => {
        if (operation === 'open') writeFileSync(join(lockFolder(), '1.free'), '');
      },
    );
    expect(result).toMatchObject({ value: { ok: true, value: true } });
  });
});
