import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { describeProcess, isProcessAlive } from '../../../src/run/state/this-process.ts';

const since = '2026-11-21T09:00:00Z';

describe('a process in a lock', () => {
  it('is this one', () => {
    const self = describeProcess(since);
    expect(self).toMatchObject({ pid: process.pid, since });
    expect(self.machine).not.toBe('');
    expect(isProcessAlive(self.pid, self.started)).toBe(true);
  });
  it('is dead once it has ended', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    expect(isProcessAlive(pid)).toBe(false);
  });
  it.runIf(process.platform === 'linux')('is not a later one with the same number', () => {
    const { pid, started } = describeProcess(since);
    expect(isProcessAlive(pid, `${started?.split('/')[0]}/1`)).toBe(false);
  });
  it.runIf(process.platform === 'linux')('of another container counts as running', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    expect(isProcessAlive(pid, 'pid:[1]/1')).toBe(true);
  });
});
