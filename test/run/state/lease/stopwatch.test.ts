import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startStopwatch } from '../../../../src/run/state/lease/stopwatch.ts';

let machine = 0;
let process = 0;

function start() {
  [machine, process] = [1000, 500];
  vi.spyOn(os, 'uptime').mockImplementation(() => machine);
  syncBuiltinESMExports();
  vi.spyOn(performance, 'now').mockImplementation(() => process);
  return startStopwatch();
}

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describe('a stopwatch', () => {
  it('measures the time of the process, which has a finer resolution', () => {
    const elapsed = start();
    [machine, process] = [1000.01, 525.5];
    expect(elapsed()).toBe(25.5);
  });
  it('follows the clock of the machine if the process was suspended', () => {
    const elapsed = start();
    [machine, process] = [1020, 501];
    expect(elapsed()).toBe(20_000);
  });
});
