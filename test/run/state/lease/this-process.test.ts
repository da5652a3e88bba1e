import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { describeProcess, isProcessAlive } from '../../../../src/run/state/lease/this-process.ts';
import { fileError } from '../../../given/traced-files.ts';

const since = '2026-11-21T09:00:00Z';

describe('a process in a lock', () => {
  it.runIf(process.platform === 'linux')('of another container counts as running', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    expect(isProcessAlive(pid, 'pid:[1]/1')).toBe(true);
  });
  it.runIf(process.platform === 'linux')('of another machine with this name counts as running', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const namespace = describeProcess(since).started?.split('@')[0];
    expect(isProcessAlive(pid, `${namespace}@00000000-0000-4000-8000-000000000000/1`)).toBe(true);
  });
  it('counts as running if its start time is unknown', () => {
    expect(isProcessAlive(process.pid)).toBe(true);
  });
  it.runIf(process.platform === 'linux')('began after the machine did', () => {
    const ticks = Number(describeProcess(since).started?.split('/')[1]);
    const uptimeSeconds = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
    expect(ticks).toBeGreaterThan(0);
    expect(ticks / 100).toBeLessThanOrEqual(uptimeSeconds);
  });
});

describe("a process that can't be asked", () => {
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  it('counts as running if it belongs to another user', () => {
    vi.spyOn(process, 'kill').mockImplementation(() => {
      throw fileError('EPERM');
    });
    expect(isProcessAlive(process.pid)).toBe(true);
  });
  it('is dead if it does not exist', () => {
    vi.spyOn(process, 'kill').mockImplementation(() => {
      throw fileError('ESRCH');
    });
    expect(isProcessAlive(process.pid)).toBe(false);
  });
  it.runIf(process.platform === 'linux')("counts as running if only its start can't be read", () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    vi.spyOn(process, 'kill').mockReturnValue(true);
    const namespace = describeProcess(since).started?.split('/')[0];
    expect(isProcessAlive(pid, `${namespace}/1`)).toBe(true);
  });
  it('is of an unknown user if the machine knows none', () => {
    vi.spyOn(os, 'userInfo').mockImplementation(() => {
      throw fileError('ENOENT');
    });
    syncBuiltinESMExports();
    expect(describeProcess(since).user).toBe('unknown');
  });
});
