import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runFilesIn } from '../given/run-files.ts';
import { findBreaches, realService, someThirtyCalls } from './real-service.ts';
import { afterWrites, apply, begunInFiles, outcomeOf, unrecorded, writesOf } from './shared-state.ts';

const timeout = 120_000;

/** A disk of 1 MiB; undefined if this user or this system can mount none. */
function smallDisk(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'rampart-small-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status === 0;
  onTestFinished(() => {
    if (mounted) spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return mounted ? folder : undefined;
}

function fill(disk: string): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, 'ballast'), Buffer.alloc(Number(bavail) * Number(bsize)));
}

describe('a read-only disk for the folder of the state', () => {
  for (const folder of ['state', 'state/that/is/not/there'])
    it(`is reported, and nothing is sent: ${folder}`, { timeout }, async ({ skip }) => {
      const disk = smallDisk();
      if (disk === undefined) return skip('no small disk can be mounted here');
      mkdirSync(join(disk, 'state'));
      if (spawnSync('mount', ['-o', 'remount,ro', disk]).status !== 0)
        return skip('no disk can be made read-only here');
      const service = await realService(someThirtyCalls);
      const { code, out, err } = await service.start([...apply, '--state-dir', join(disk, folder)]).ended;
      expect(`${out}${err}`).toContain('EROFS: the file system is read-only');
      expect(code).toBe(1);
      expect(writesOf(service)).toBe(0);
    });
});

describe('a state folder in a place where no folder can be created', () => {
  it.runIf(process.platform === 'linux')('ends with an error, and sends nothing', { timeout }, async () => {
    const service = await realService(someThirtyCalls);
    const { code, out, err } = await service.start([...apply, '--state-dir', '/proc/rampart/state']).ended;
    expect(`${out}${err}`).toMatch(/can't be written \(ENOENT\)/);
    expect(code).toBe(1);
    expect(writesOf(service)).toBe(0);
  });
});

describe('a full disk for the folder of the state', () => {
  it('before a run: nothing is sent, and the message says why', { timeout }, async ({ skip }) => {
    const disk = smallDisk();
    if (disk === undefined) return skip('no small disk can be mounted here');
    const service = await realService(someThirtyCalls);
    fill(disk);
    const { code, out, err } = await service.start([...apply, '--state-dir', join(disk, 'state')]).ended;
    expect(`${out}${err}`).toMatch(/can't be written \(ENOSPC: the disk is full\)/);
    expect(code).toBe(1);
    expect(writesOf(service)).toBe(0);
    expect(existsSync(join(disk, 'state', 'runs')) ? runFilesIn(join(disk, 'state')) : []).toEqual([]);
  });

  it('in mid-run: nothing is sent without a record, and the next run converges', { timeout }, async ({
    skip,
  }) => {
    const disk = smallDisk();
    if (disk === undefined) return skip('no small disk can be mounted here');
    const service = await realService(someThirtyCalls);
    const argv = [...apply, '--state-dir', join(disk, 'state')];
    const run = service.start(argv);
    await afterWrites(service, 2);
    fill(disk);
    const { code, out, err } = await run.ended;
    // The rest of the last block may have had enough space.
    if (code !== 0) {
      expect(`${out}${err}`).toMatch(/can't be written \(ENOSPC: the disk is full\)|has lost the lock/);
      expect(code).toBe(5);
    }
    rmSync(join(disk, 'ballast'));
    expect(unrecorded(service, await begunInFiles(join(disk, 'state')))).toEqual([]);
    expect(await outcomeOf(service.start(argv))).toBe('0');
    expect(findBreaches(service)).toEqual([]);
  });
});
