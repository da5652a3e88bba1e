import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../../src/core/lib/virtual-clock.ts';
import { accountKey } from '../../../../src/core/model/account.ts';
import { acquireLock, breakLock, type LockOptions, readLock } from '../../../../src/run/state/files/lock.ts';
import type { LockHolder } from '../../../../src/run/state/lease/lease-holder.ts';
import { traced } from '../../../given/traced-files.ts';

const account = { companyId: '42', service: 'https://service.example' };
const holder: LockHolder = { pid: 100, machine: 'build-1', user: 'ada', since: '2026-11-21T09:00:00Z' };

let stateDir: string;
const lockPath = (of = account) => join(stateDir, `lock-${accountKey(of)}.json`);
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'rampart-lock-'));
});
/** All but the file that counts the holders. */
const lockFiles = async () => (await readdir(stateDir)).filter((name) => !name.startsWith('epoch-'));
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
    expect(await readLock(stateDir, account)).toEqual({ ...holder, epoch: 1 });
    if (first.ok) await first.value.release();
    expect((await acquireLock(options())).ok).toBe(true);
  });
  it('that is held says who, if, since when, and the way out', async () => {
    await acquireLock(options());
    const second = await acquireLock(options());
    expect(second.problems[0]).toMatchObject({
      code: 'lock-held',
      message:
        'another run is in progress: it holds the lock of ada on build-1 (process 100, since 2026-11-21T09:00:00Z)',
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
    await writeFile(lockPath(), '{');
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
    expect(await readLock(stateDir, account)).toEqual({ ...holder, epoch: 2 });
  });
  it('can be given back twice', async () => {
    const first = await acquireLock(options());
    if (!first.ok) throw new Error('not taken');
    await first.value.release();
    await first.value.release();
    expect(await lockFiles()).toEqual([]);
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
    const dead = await readFile(lockPath(), 'utf8');
    await writeFile(`${lockPath()}.takeover`, dead);
    const next = await acquireLock(
      options({ holder: { ...holder, pid: 101 }, isAlive: (pid) => pid !== holder.pid }),
    );
    expect(next.ok).toBe(true);
    expect(next.problems).toHaveLength(1);
    expect(await lockFiles()).toHaveLength(1);
  });
  it('is not taken over while another process does it', async () => {
    await acquireLock(options());
    await writeFile(`${lockPath()}.takeover`, JSON.stringify({ ...holder, pid: 102 }));
    const next = await acquireLock(options({ isAlive: (pid) => pid === 102, timeoutMs: 1_000 }));
    expect(next.problems[0]?.code).toBe('lock-held');
  });
  it("that can't be written is a problem", async () => {
    await writeFile(join(stateDir, 'file'), '');
    const taken = await acquireLock(options({ stateDir: join(stateDir, 'file') }));
    expect(taken.problems[0]).toMatchObject({ code: 'journal', message: expect.stringContaining('EEXIST') });
  });
  it('that is a folder is a problem', async () => {
    await mkdir(lockPath());
    expect((await acquireLock(options())).problems[0]?.code).toBe('journal');
    expect((await breakLock(stateDir, account)).problems[0]?.code).toBe('journal');
    expect(await readLock(stateDir, account)).toBeUndefined();
  });
  it('that is a link to nowhere is held', async () => {
    await symlink(join(stateDir, 'nowhere'), lockPath());
    expect((await acquireLock(options())).problems[0]?.code).toBe('lock-held');
  });
  it.each(['', 'null', '[]', '{"pid":0}', '{"pid":-1,"machine":"m","user":"u","since":"s"}'])(
    'with the text %j has an unknown holder',
    async (text) => {
      await writeFile(lockPath(), text);
      const taken = await acquireLock(options({ isAlive: () => false }));
      expect(taken.problems[0]?.message).toContain('unknown process');
    },
  );
  it("that is not there can't be broken", async () => {
    expect(await breakLock(stateDir, account)).toMatchObject({ ok: true, value: false });
  });
  it('is one for each account', async () => {
    await acquireLock(options());
    expect((await acquireLock(options({ account: { ...account, companyId: '43' } }))).ok).toBe(true);
  });
  it('goes to exactly one of many that find it dead', async () => {
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

const takeover = () => `${lockPath(account)}.takeover`;

describe('waiting for the run lock', () => {
  it('looks again every quarter of a second, and for the rest at the end', async () => {
    await acquireLock(options());
    const { clock, sleeps } = sleepingClock();
    const waited = await acquireLock(options({ clock, timeoutMs: 1_100 }));
    expect(waited.problems[0]?.code).toBe('lock-held');
    expect(sleeps).toEqual([250, 250, 250, 250, 100]);
  });

  it('waits while another process takes a dead lock over, however that ends', async () => {
    await acquireLock(options());
    for (const text of [JSON.stringify({ ...holder, pid: 102 }), 'damaged', '']) {
      await writeFile(takeover(), text);
      const { clock, sleeps } = sleepingClock();
      const waiting = options({ clock, isAlive: (pid) => pid === 102, timeoutMs: 500 });
      expect((await acquireLock(waiting)).problems[0]?.code).toBe('lock-held');
      expect(sleeps).toEqual([250, 250]);
      expect(await readFile(takeover(), 'utf8')).toBe(text);
    }
  });

  it('takes the lock without a warning if another process has removed the dead one', async () => {
    await acquireLock(options());
    await writeFile(takeover(), JSON.stringify({ ...holder, pid: 102 }));
    const { clock } = sleepingClock(() => {
      rmSync(lockPath(account), { force: true });
      rmSync(takeover(), { force: true });
    });
    const taken = await acquireLock(options({ clock, isAlive: (pid) => pid === 102, timeoutMs: 500 }));
    expect(taken).toMatchObject({ ok: true, problems: [] });
  });
});

describe('the folder of the run lock', () => {
  it('is made for its owner only', async () => {
    const made = join(stateDir, 'new', 'state');
    expect((await acquireLock(options({ stateDir: made }))).ok).toBe(true);
    expect((await stat(made)).mode & 0o777).toBe(0o700);
  });
});

describe('taking a dead lock over', () => {
  it('removes it only under a second file, and waits for each step', async () => {
    await acquireLock(options());
    const next = options({ holder: { ...holder, pid: 101 }, isAlive: (pid) => pid === 101 });
    const { operations } = await traced(() => acquireLock(next));
    const lock = basename(lockPath(account));
    const epoch = `epoch-${basename(lock, '.json')}`;
    const creating = (name: string) =>
      ['open', 'writeFile', 'sync', 'close', 'link', 'rm'].map((each) => `${each} ${name}.draft`);
    expect(operations).toEqual([
      `mkdir ${basename(stateDir)}`,
      `readFile ${lock}`,
      ...creating(`${lock}.takeover`),
      `readFile ${lock}`,
      `rm ${lock}`,
      `rm ${lock}.takeover`,
      `readFile ${lock}`,
      `readFile ${epoch}`,
      ...creating(lock),
      `readFile ${epoch}`,
      `writeFile ${epoch}.draft`,
      `rename ${epoch}.draft`,
    ]);
  });

  it('leaves the new lock of a faster process alone', async () => {
    await acquireLock(options());
    const faster = JSON.stringify({ ...holder, pid: 102 });
    const { result } = await traced(
      () => acquireLock(options({ isAlive: (pid) => pid === 102 })),
      (operation, file) => {
        if (operation === 'open' && file.includes('takeover')) writeFileSync(lockPath(account), faster);
      },
    );
    expect(result).toMatchObject({ value: { ok: false, problems: [{ code: 'lock-held' }] } });
    expect(await readFile(lockPath(account), 'utf8')).toBe(faster);
    expect(await lockFiles()).toHaveLength(1);
  });

  it('goes on if a person removes the second file meanwhile', async () => {
    await acquireLock(options());
    const { result } = await traced(
      () => acquireLock(options({ isAlive: () => false })),
      (operation, file) => {
        if (operation === 'rm' && file.endsWith('takeover')) rmSync(takeover());
      },
    );
    expect(result).toMatchObject({ value: { ok: true } });
  });

  it('removes the second file of a process that died before it takes the lock', async () => {
    await acquireLock(options());
    await writeFile(takeover(), JSON.stringify({ ...holder, pid: 103 }));
    const { operations } = await traced(() => acquireLock(options({ isAlive: () => false })));
    expect(operations.filter((each) => each.includes('not awaited'))).toEqual([]);
  });
});

describe('breaking the run lock', () => {
  it('removes a takeover that was left behind, too, and waits for it', async () => {
    await acquireLock(options());
    await writeFile(takeover(), '{}');
    const { operations } = await traced(() => breakLock(stateDir, account));
    const lock = basename(lockPath(account));
    expect(operations).toEqual([`rm ${lock}.takeover`, `rm ${lock}`]);
    expect(await lockFiles()).toEqual([]);
  });
});
