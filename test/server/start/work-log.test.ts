import { expect, test } from 'vitest';
import type { CheckWritten } from '../../../src/server/accounts/records/check-record.ts';
import type { ServerRun } from '../../../src/server/runs/records/runs.ts';
import { createWorkLog, type WorkLog } from '../../../src/server/start/work-log.ts';

const written = (healthChange: CheckWritten['healthChange']): CheckWritten => ({
  hosts: 0,
  drift: 0,
  causes: 0,
  changed: true,
  ...(healthChange === undefined ? {} : { healthChange }),
});
const steps = { total: 2, done: 1, failed: 1, in_doubt: 0, in_progress: 0, skipped: 0 };
const run = {
  id: 'r1',
  account: 'berlin',
  plan: 'p1',
  state: 'failed',
  exitCode: 5,
  steps,
  progress: {},
} as unknown as ServerRun;

test.each<[string, (log: WorkLog) => void, readonly (readonly unknown[])[]]>([
  ['an unchanged check', (log) => log.checked('berlin', written(undefined)), []],
  ['a check that was not written', (log) => log.checked('berlin', null), []],
  [
    'the first check',
    (log) => log.checked('berlin', written({ from: null, to: 'converged', failure: null })),
    [['debug', 'the account berlin is converged', { account: 'berlin', from: null, to: 'converged' }]],
  ],
  [
    'a check that begins to fail',
    (log) => log.checked('berlin', written({ from: null, to: 'failing', failure: 'the key is refused' })),
    [['warn', 'the account berlin is failing: the key is refused', { from: null, to: 'failing' }]],
  ],
  [
    'drift',
    (log) => log.checked('berlin', written({ from: 'converged', to: 'drifted', failure: null })),
    [['info', 'the account berlin is drifted', { from: 'converged', to: 'drifted' }]],
  ],
  [
    'a failed run',
    (log) => log.ran(run),
    [['warn', 'the run of berlin ended: failed', { run: 'r1', plan: 'p1', exit_code: 5, steps }]],
  ],
  [
    'a run in doubt',
    (log) => log.ran({ ...run, state: 'in_doubt', progress: { installs_in_doubt: 1 } }),
    [['warn', 'the run of berlin ended: in doubt', { run: 'r1', installs_in_doubt: 1 }]],
  ],
  [
    'a check in doubt',
    (log) => log.checked('berlin', written({ from: 'running', to: 'in_doubt', failure: null })),
    [['warn', 'the account berlin is in doubt', { to: 'in_doubt' }]],
  ],
  [
    'a complete run',
    (log) => log.ran({ ...run, state: 'done', exitCode: 0 }),
    [['info', 'the run of berlin ended: done', { exit_code: 0 }]],
  ],
  ['a source as before', (log) => log.fetched('fleet', undefined), []],
  [
    'a source that fails',
    (log) => log.fetched('fleet', { problem: 'the remote is away' }),
    [['warn', 'The source "fleet" can\'t be read: the remote is away', { part: 'fetch', source: 'fleet' }]],
  ],
  [
    'a source whose problem names it',
    (log) => log.fetched('fleet', { problem: 'the source "fleet" has a submodule: "x"' }),
    [['warn', 'The source "fleet" has a submodule: "x"', { source: 'fleet' }]],
  ],
  [
    'a new commit',
    (log) => log.fetched('fleet', { commit: 'c2' }),
    [['info', 'the source fleet is at commit c2', { part: 'fetch' }]],
  ],
  [
    'a message that is sent again',
    (log) => log.unsent('team', 'it answers 500', 30_000),
    [['warn', 'a message was not sent: it answers 500', { channel: 'team', retry_after_s: 30 }]],
  ],
  [
    'a message that is given up',
    (log) => log.unsent('team', 'it answers 500', null),
    [['error', 'a message was not sent: it answers 500', { channel: 'team', retry_after_s: null }]],
  ],
])('the log of a server reports what changes: %s', (_, act, expected) => {
  const lines: unknown[] = [];
  act(createWorkLog((...line) => void lines.push(line)));
  expect(lines).toEqual(
    expected.map(([level, text, fields]) => [level, text, expect.objectContaining(fields as object)]),
  );
});
