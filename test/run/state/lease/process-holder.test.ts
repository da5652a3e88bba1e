import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { processHolder } from '../../../../src/run/state/lease/process-holder.ts';

const since = '2026-11-21T09:00:00Z';
const holder = processHolder(since);
const ended = () => spawnSync(process.execPath, ['--version']).pid;
const text = (parts: object) => JSON.stringify({ pid: 1, machine: hostname(), user: 'ada', since, ...parts });

describe('a process that holds something', () => {
  it('is this one, since a given time', () => {
    expect(JSON.parse(holder.self)).toMatchObject({ pid: process.pid, machine: hostname(), since });
    expect(holder.isAlive(holder.self)).toBe(true);
  });

  it('is dead once it has ended', () => {
    expect(holder.isAlive(text({ pid: ended() }))).toBe(false);
  });

  it('counts as alive on another machine, or if its text contains no process', () => {
    expect(holder.isAlive(text({ pid: ended(), machine: `not-${hostname()}` }))).toBe(true);
    expect(holder.isAlive('{}')).toBe(true);
  });

  it.runIf(process.platform === 'linux')('is not a later one with the same number', () => {
    const namespace = JSON.parse(holder.self).started.split('/')[0];
    expect(holder.isAlive(text({ pid: process.pid, started: `${namespace}/1` }))).toBe(false);
  });
});
