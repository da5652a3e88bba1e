import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { givenCollector } from '../given/collector.ts';
import { connected, givenService, testPsk, type Workplace, workplace } from '../given/command-line.ts';
import { nobodyListens } from '../given/loopback.ts';

const fleet = {
  groups: [{ id: '17', name: 'Berlin' }],
  hosts: [
    { id: '100200300', name: 'OLD-NAME-A' },
    { id: '100200301', name: 'OLD-NAME-B' },
  ],
};
const desired =
  'version: 1\nhosts:\n  - { id: 100200300, name: NEW-A, group: Berlin }\n  - { id: 100200301, name: NEW-B }\n';
const refusedOnce = {
  faults: [{ action: 'renameHost', nth: [1], effect: { kind: 'rate-limit', retryDelay: 4 } }],
} as const;

describe('--log-file', () => {
  it('logs a whole run: the command, the run, each step and each call with its step', async () => {
    const place = await connected(fleet, refusedOnce, { 'fleet.yaml': desired });
    expect(await place.rampart('apply --auto-approve --log-file run.ndjson')).toExit(0);
    const lines = await linesOf(place, 'run.ndjson');
    const events = lines.map(({ event }) => event);
    expect(events[0]).toBe('command_start');
    expect(events.at(-1)).toBe('command_end');
    expect(lines[0]).toMatchObject({
      command: 'apply',
      argv: ['apply', '--auto-approve', '--log-file', 'run.ndjson'],
    });
    const of = (event: string) => lines.filter((line) => line['event'] === event);
    expect(of('run_start')).toMatchObject([{ run_id: expect.stringMatching(/^2026/), steps: 3 }]);
    expect(of('run_end')).toMatchObject([{ exit_code: 0 }]);
    expect(of('step_start')).toContainEqual(
      expect.objectContaining({ kind: 'rename', from: 'OLD-NAME-A', to: 'NEW-A', host_ids: ['100200300'] }),
    );
    expect(of('step_end').map((line) => line['outcome'])).toEqual(['done', 'done', 'done']);
    const renames = of('call').filter((line) => line['action'] === 'renameHost');
    expect(renames.map((line) => String(line['status'])).toSorted()).toEqual(['204', '204', '429']);
    const again = renames.find((line) => line['attempt'] === 2);
    expect(again).toMatchObject({ status: 204, run_id: of('run_start')[0]?.['run_id'] });
    expect(again?.['waited_ms']).toBeGreaterThanOrEqual(4000);
    const steps = new Set(of('step_start').map((line) => line['step']));
    expect(renames.every((line) => steps.has(line['step']))).toBe(true);
    expect(of('waiting')).toMatchObject([{ action: 'renameHost', wait_ms: 4000 }]);
  });

  it('contains no secret, whatever the service and the command line contain', async () => {
    const place = await workplace();
    const token = Buffer.from(`1234567890:${testPsk}`).toString('base64');
    const { env } = await givenService(fleet, {
      faults: [
        {
          effect: {
            kind: 'status',
            status: 400,
            text: JSON.stringify({ message: `no: ${testPsk} ${encodeURIComponent(testPsk)} ${token}` }),
          },
        },
      ],
    });
    const { code } = await place.rampart(
      [
        'hosts',
        '--where',
        `host.name == "${testPsk}"`,
        '--sort',
        'https://me:hidden-word@x/',
        '--log-file',
        'log',
      ],
      { env: { ...env, RAMPART_LOG: 'debug' } },
    );
    expect(code).not.toBe(0);
    const text = await readFile(join(place.folder, 'log'), 'utf8');
    for (const secret of [testPsk, encodeURIComponent(testPsk), token, 'hidden-word'])
      expect(text).not.toContain(secret);
    expect(text).toContain('[secret]');
  });

  it('logs what stopped a command', async () => {
    const place = await workplace();
    expect((await place.rampart('plan -f none.yaml --emulator --log-file log')).code).toBe(3);
    expect(await linesOf(place, 'log')).toMatchObject([
      { event: 'command_start' },
      { event: 'diagnostic', level: 'error', code: 'file-missing' },
      { event: 'command_end', exit_code: 3, level: 'error' },
    ]);
  });

  it('in a folder that is not there is refused before anything is sent', async () => {
    const place = await connected(fleet);
    const { code, err } = await place.rampart('hosts --log-file none/log');
    expect(code).toBe(1);
    expect(err).toContain("the log file none/log can't be written (ENOENT)");
    expect(place.emulator.requests).toHaveLength(0);
  });

  it.skipIf(!existsSync('/dev/full'))('on a full disk does not stop a run', async () => {
    const place = await connected(fleet, {}, { 'fleet.yaml': desired });
    const { code, err } = await place.rampart('apply --auto-approve --log-file /dev/full');
    expect(code).toBe(0);
    expect(err.match(/ends early \(ENOSPC: the disk is full\)/g)).toHaveLength(1);
  });

  it('is made only if RAMPART_LOG is not off, and with the lines that the level allows', async () => {
    const place = await connected(fleet);
    await place.rampart('hosts --log-file off.log', { env: { RAMPART_LOG: 'off' } });
    expect(existsSync(join(place.folder, 'off.log'))).toBe(false);
    await place.rampart('hosts --log-file warn.log', { env: { RAMPART_LOG: 'warn' } });
    expect(await linesOf(place, 'warn.log')).toEqual([]);
  });

  it('an unknown level is invalid input', async () => {
    const place = await workplace();
    expect((await place.rampart('hosts --emulator', { env: { RAMPART_LOG: 'loud' } })).code).toBe(3);
  });

  it('ends well when a command that hears no signal is interrupted', async () => {
    const place = await connected(fleet, {
      faults: [{ action: 'listHostsWithGroups', effect: { kind: 'rate-limit', retryDelay: 1 } }],
    });
    const told: string[] = [];
    void place.clock.sleep(100).then(() => {
      place.interrupt();
      told.push('interrupted');
    });
    await place.rampart('hosts --max-wait 3s --log-file log');
    expect(told).toEqual(['interrupted']);
    expect(place.exits).toEqual([130]);
    const lines = await linesOf(place, 'log');
    expect(lines.map(({ event }) => event)).toContain('interrupted');
    expect(lines).toContainEqual(expect.objectContaining({ event: 'command_end', exit_code: 130 }));
  });
});

describe('OpenTelemetry', () => {
  it('gets a run as one trace, with counters, and no name and no id', async () => {
    const place = await connected(fleet, refusedOnce);
    const collector = await givenCollector();
    await place.write('fleet.yaml', desired);
    const { code, err } = await place.rampart('apply --auto-approve', {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    });
    expect(code).toBe(0);
    expect(err).not.toContain('delivered');
    const steps = collector.spans.filter((span) => span.name.startsWith('step '));
    const renames = collector.spans.filter((span) => span.name.startsWith('PUT /public-api/v1/hosts/'));
    expect(steps.map((span) => span.name).toSorted()).toEqual(['step move', 'step rename', 'step rename']);
    expect(renames).toHaveLength(3);
    const ids = new Set(steps.map((span) => span.spanId));
    expect(renames.every((span) => ids.has(span.parentSpanId ?? ''))).toBe(true);
    expect(new Set(collector.spans.map((span) => span.traceId)).size).toBe(1);
    expect(collector.points).toContainEqual(
      expect.objectContaining({
        metric: 'rampart.calls.rate_limited',
        value: 1,
        attributes: { 'rampart.action': 'renameHost' },
      }),
    );
    expect(collector.text()).not.toMatch(/OLD-NAME|NEW-A|10020030/);
    expect(collector.text()).not.toContain(testPsk);
  });

  it('that is unreachable changes no exit code, and is reported once for each signal', async () => {
    const place = await connected(fleet);
    const { code, out, err } = await place.rampart('hosts --json', {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: nobodyListens, OTEL_EXPORTER_OTLP_TIMEOUT: '200' },
    });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toHaveLength(2);
    expect(err.split(`could not be delivered to ${nobodyListens}`)).toHaveLength(3);
  });

  it('headers are secrets', async () => {
    const place = await workplace();
    const { code, err } = await place.rampart('hosts --emulator --log-file log --sort collector-key', {
      env: { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=collector-key' },
    });
    expect(code).toBe(3);
    expect(err).not.toContain('collector-key');
    expect(await readFile(join(place.folder, 'log'), 'utf8')).not.toContain('collector-key');
  });
});

async function linesOf(
  { folder }: Workplace,
  name: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const text = await readFile(join(folder, name), 'utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}
