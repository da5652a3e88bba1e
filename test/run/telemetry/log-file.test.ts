import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { type Problem, problem, warning } from '../../../src/core/problem/problem.ts';
import { type LogFileOptions, openLogFile } from '../../../src/run/telemetry/log-file.ts';
import type { TelemetryEvent } from '../../../src/run/telemetry/telemetry-event.ts';
import { givenFolder } from '../../given/given-folder.ts';

const call = {
  type: 'call',
  action: 'renameHost',
  method: 'PUT',
  path: '/public-api/v1/hosts/{host-id}/description',
  status: 204,
  ms: 12.4,
  attempt: 2,
  waitedMs: 1500.6,
  step: 's1',
} as const;

describe('the log file', () => {
  it('has one object per line, with the content of each event', async () => {
    const lines = await logged([
      { type: 'command_start', command: 'apply', argv: ['apply', 'plan.json'], version: '1.2.3' },
      { type: 'run_start', runId: 'r1', steps: 1, calls: 1 },
      {
        type: 'step_start',
        step: 's1',
        kind: 'rename',
        hosts: 1,
        target: { host_ids: ['7'], from: 'A', to: 'B' },
      },
      call,
      { type: 'step_end', step: 's1', kind: 'rename', outcome: 'done', done: 1, of: 1 },
      { type: 'run_end', runId: 'r1', exitCode: 0, ms: 40 },
      { type: 'command_end', exitCode: 0, ms: 50 },
    ]);
    expect(lines.map(withoutMoment)).toEqual([
      {
        level: 'info',
        event: 'command_start',
        command: 'apply',
        argv: ['apply', 'plan.json'],
        version: '1.2.3',
        msg: 'rampart apply',
      },
      { level: 'info', event: 'run_start', run_id: 'r1', steps: 1, calls: 1, msg: 'run r1 begins' },
      {
        level: 'info',
        event: 'step_start',
        run_id: 'r1',
        step: 's1',
        kind: 'rename',
        hosts: 1,
        host_ids: ['7'],
        from: 'A',
        to: 'B',
        msg: 'rename begins',
      },
      {
        level: 'info',
        event: 'call',
        run_id: 'r1',
        action: 'renameHost',
        method: 'PUT',
        path: '/public-api/v1/hosts/{host-id}/description',
        status: 204,
        ms: 12,
        attempt: 2,
        waited_ms: 1501,
        step: 's1',
        msg: 'PUT /public-api/v1/hosts/{host-id}/description → 204',
      },
      {
        level: 'info',
        event: 'step_end',
        run_id: 'r1',
        step: 's1',
        kind: 'rename',
        outcome: 'done',
        done: 1,
        of: 1,
        msg: 'rename: done',
      },
      { level: 'info', event: 'run_end', run_id: 'r1', exit_code: 0, ms: 40, msg: 'run r1 ends' },
      { level: 'info', event: 'command_end', exit_code: 0, ms: 50, msg: 'exited with 0' },
    ]);
    expect(lines[0]?.['time']).toBe('2026-11-21T09:00:00.000Z');
  });

  const severities: readonly (readonly [string, TelemetryEvent, string])[] = [
    ['a call that is done', call, 'info'],
    ['a call that the limit of rate refused', { ...call, status: 429 }, 'info'],
    ['a call that the service refused', { ...call, status: 409 }, 'warn'],
    ['a call without a reply', { ...call, status: null }, 'warn'],
    ['a call that goes out again', { type: 'retry', action: 'listHosts', code: 'network', ms: 100 }, 'warn'],
    ['a short wait', { type: 'waiting', action: 'listHosts', ms: 500 }, 'debug'],
    ['a long wait', { type: 'waiting', action: 'listHosts', ms: 42_000 }, 'info'],
    ['an error', { type: 'diagnostic', problem: problem('conflict', 'x') }, 'error'],
    ['a warning', { type: 'diagnostic', problem: warning('conflict', 'x') }, 'warn'],
    [
      'a step that failed',
      { type: 'step_end', step: 's', kind: 'move', outcome: 'failed', done: 1, of: 2 },
      'error',
    ],
    [
      'a step that was skipped',
      { type: 'step_end', step: 's', kind: 'move', outcome: 'skipped', done: 1, of: 2 },
      'warn',
    ],
    ['an end with an error', { type: 'command_end', exitCode: 5, ms: 1 }, 'error'],
    ['a signal', { type: 'interrupted' }, 'warn'],
    ['a defect', { type: 'crash', message: 'x', stack: 'x\n at y' }, 'error'],
  ];
  it.each(severities)('%s is reported with its level', async (_what, event, level) => {
    expect(await logged([event], { level: 'debug' })).toMatchObject([{ level }]);
  });

  it.each([
    ['info', 1],
    ['warn', 0],
    ['off', 0],
    ['debug', 1],
  ] as const)('at the level %s has %i lines for a call that is done', async (level, lines) => {
    expect(await logged([call], { level })).toHaveLength(lines);
  });

  it('contains names exactly, and no character that a terminal interprets', async () => {
    const name = 'evil\u001b[2J\u202e\n\r\u0007\u009b\u2028name';
    const target = { host_ids: ['7'], from: name, to: 'B' };
    const text = await loggedText([{ type: 'step_start', step: 's1', kind: 'rename', hosts: 1, target }]);
    expect(JSON.parse(text)).toMatchObject({ from: name });
    expect(text.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}\u2028]/u);
  });

  it('is redacted completely, including the stack of a defect', async () => {
    const secret = 'psk"with\\quotes';
    const text = await loggedText([{ type: 'crash', message: `bad ${secret}`, stack: `at ${secret}` }], {
      redact: (line) => line.replaceAll(JSON.stringify(secret).slice(1, -1), '[secret]'),
    });
    expect(JSON.parse(text)).toMatchObject({ msg: 'bad [secret]', stack: 'at [secret]' });
  });

  it('is appended to, and only its owner can read it', async () => {
    const path = join(await folder(), 'log');
    for (let run = 0; run < 2; run += 1) {
      const log = openLogFile(path, options());
      if (log.ok) log.value.hear(call);
    }
    expect((await readFile(path, 'utf8')).trimEnd().split('\n')).toHaveLength(2);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is on disk after each line, so that a crash loses none', async () => {
    const path = join(await folder(), 'log');
    const log = openLogFile(path, options());
    if (!log.ok) throw new Error('not opened');
    log.value.hear(call);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ event: 'call' });
    await log.value.end();
    log.value.hear(call);
    expect((await readFile(path, 'utf8')).trimEnd().split('\n')).toHaveLength(1);
  });

  it("that can't be opened is a problem", async () => {
    const path = join(await folder(), 'none', 'log');
    expect(openLogFile(path, options())).toMatchObject({
      ok: false,
      problems: [{ code: 'file-not-written', message: "the log file log can't be written (ENOENT)" }],
    });
  });

  it.skipIf(!existsSync('/dev/full'))('on a full disk is abandoned with one warning', () => {
    const problems: Problem[] = [];
    const log = openLogFile('/dev/full', options({ onFailure: (each) => problems.push(each) }));
    if (!log.ok) throw new Error('not opened');
    log.value.hear(call);
    log.value.hear(call);
    expect(problems).toMatchObject([
      { severity: 'warning', message: 'the log file log ends early (ENOSPC: the disk is full)' },
    ]);
  });
});

/** Without what differs from run to run. */
function withoutMoment(line: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(line).filter(([key]) => key !== 'time' && key !== 'pid'));
}

async function folder(): Promise<string> {
  const path = givenFolder();
  return path;
}

function options(parts: Partial<LogFileOptions> = {}): LogFileOptions {
  return {
    clock: createVirtualClock(Date.parse('2026-11-21T09:00:00Z')),
    level: 'info',
    redact: (text) => text,
    shown: 'log',
    onFailure: () => {},
    ...parts,
  };
}

async function loggedText(
  events: readonly TelemetryEvent[],
  parts: Partial<LogFileOptions> = {},
): Promise<string> {
  const path = join(await folder(), 'log');
  const log = openLogFile(path, options(parts));
  if (!log.ok) throw new Error('not opened');
  for (const event of events) log.value.hear(event);
  await log.value.end();
  return readFile(path, 'utf8');
}

async function logged(
  events: readonly TelemetryEvent[],
  parts: Partial<LogFileOptions> = {},
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const text = await loggedText(events, parts);
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}
