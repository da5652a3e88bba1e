import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findBreaches, realService, someThirtyCalls } from './real-service.ts';
import { afterWrites, apply, begunInFiles, outcomeOf, unrecorded, writesOf } from './shared-state.ts';

const timeout = 120_000;

/** A disk of 1 MiB; undefined where this user or this system can mount none. */
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

describe('a full disk for the folder of the state', () => {
  it('before a run: nothing is sent, and the message says why', { timeout }, async ({ skip }) => {
    const disk = smallDisk();
    if (disk === undefined) return skip('no small disk can be mounted here');
    const service = await realService(someThirtyCalls);
    fill(disk);
    const { code, out, err } = await service.start([...apply, '--state-dir', join(disk, 'state')]).ended;
    expect(`${out}${err}`).toMatch(/can't be written \(ENOSPC\)/);
    expect(code).toBe(1);
    expect(writesOf(service)).toBe(0);
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
    // What was left of the last block may have been enough.
    if (code !== 0) {
      expect(`${out}${err}`).toMatch(/can't be written \(ENOSPC\)|has lost the lock/);
      expect(code).toBe(5);
    }
    rmSync(join(disk, 'ballast'));
    expect(unrecorded(service, await begunInFiles(join(disk, 'state')))).toEqual([]);
    expect(await outcomeOf(service.start(argv))).toBe('0');
    expect(findBreaches(service)).toEqual([]);
  });
});
