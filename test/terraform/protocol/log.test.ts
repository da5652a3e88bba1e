import { expect, test } from 'vitest';
import { recordLine, shownLevel } from '../../../src/terraform/protocol/plugin/log-record.ts';
import { eventRecord } from '../../../src/terraform/provider/connection/event-record.ts';

test.each([
  [{}, 'error'],
  [{ TF_LOG: 'DEBUG' }, 'debug'],
  [{ TF_LOG: 'JSON' }, 'trace'],
  [{ TF_LOG: 'trace', TF_LOG_PROVIDER: 'WARN' }, 'warn'],
  [{ TF_LOG: 'off' }, 'error'],
])('with the environment %j, records from the level %s on are written', (env, level) => {
  expect(shownLevel(env)).toBe(level);
});

test('a record is one line of JSON with a level, a subsystem, and a time with six fractional digits', () => {
  const line = recordLine('debug', 'Answered a call', { tf_rpc: 'ReadResource', text: 'two\nlines' }, 'rpc');
  expect(line.endsWith('\n')).toBe(true);
  expect(line.trimEnd()).not.toContain('\n');
  expect(JSON.parse(line)).toEqual({
    '@level': 'debug',
    '@message': 'Answered a call',
    '@module': 'provider.rpc',
    '@timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    tf_rpc: 'ReadResource',
    text: 'two\nlines',
  });
  expect(JSON.parse(recordLine('error', 'Failed', {}, undefined))).toMatchObject({ '@module': 'provider' });
});

test('a request to the service is logged only by its action, its status and its duration', () => {
  const call = { type: 'call', action: 'renameHost', status: 200, ms: 12, attempt: 1, waitedMs: 3 } as const;
  expect(eventRecord({ ...call, step: 'a purpose' })).toEqual({
    level: 'debug',
    message: 'Sent a request',
    fields: { action: 'renameHost', status: 200, attempt: 1, duration_ms: 12, waited_ms: 3 },
  });
  expect(eventRecord({ ...call, status: null }).fields['status']).toBe('no response');
  expect(eventRecord({ type: 'waiting', action: 'listHosts', ms: 60_000 })).toMatchObject({
    level: 'info',
    fields: { action: 'listHosts', wait_ms: 60_000 },
  });
  expect(eventRecord({ type: 'retry', action: 'listHosts', code: 'server-error', ms: 500 })).toMatchObject({
    level: 'warn',
    fields: { action: 'listHosts', problem: 'server-error', wait_ms: 500 },
  });
});
