import { describe, expect, it, test } from 'vitest';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { problem } from '../../../src/core/problem/problem.ts';
import { createCutoff } from '../../../src/service/client/cutoff.ts';
import { retryAfterMs } from '../../../src/service/client/retry-after.ts';
import { TransportError } from '../../../src/service/contract/message.ts';
import { answer, scriptedService, type Turn } from '../../given/scripted-service.ts';

const hosts = answer(200, { hosts: [] });
const silent: Turn = (_, signal) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new TransportError('cancelled', 'reply-lost')));
  });
const rename = { path: { 'host-id': '5' }, body: { newDescription: 'x' } } as const;

test.each([
  [true, 1],
  ['reports', 3],
] as const)('read-only mode %j sends reads, allowed reports, and no write', async (readOnly, allowed) => {
  const { client, requests } = scriptedService([answer(500)], { readOnly, retries: 0 });
  await client.call('listHosts');
  await client.call('createHardwareReport', { body: { hostIds: ['5'] } });
  await client.call('createSystemReport', { body: { hostIds: ['5'] } });
  const sent = requests.length;
  expect(sent).toBe(allowed);
  const writes = [
    await client.call('renameHost', rename),
    await client.call('deleteHosts', { body: { hostIds: ['5'] } }),
    await client.call('installAntivirus', { body: { targetHostIds: ['5'] } }),
  ];
  for (const result of writes) {
    expect(result).toMatchObject({
      ok: false,
      failure: { outcome: 'not-sent', problem: { code: 'read-only' } },
    });
  }
  expect(requests).toHaveLength(sent);
});

it('a precondition that no longer holds keeps the call from being sent, and returns its turn', async () => {
  const { client, requests, pacers } = scriptedService([answer(204)]);
  const cause = problem('step-failed', 'the host has another name');
  const result = await client.call('renameHost', rename, { precondition: () => cause });
  expect(result).toEqual({ ok: false, failure: { problem: cause, outcome: 'not-sent', hostIds: [] } });
  expect(requests).toHaveLength(0);
  expect(pacers.get('renameHost')?.returned).toEqual(['dropped']);
  expect((await client.call('renameHost', rename, { precondition: () => undefined })).ok).toBe(true);
});

it('calls are reported with the step they belong to, if there is one', async () => {
  const { client, events } = scriptedService([hosts]);
  await client.call('listHosts', {}, { step: 's1' });
  await client.call('listHosts');
  expect(events.map((each) => ('step' in each ? each.step : null))).toEqual(['s1', null]);
});

describe('patience', () => {
  it('ends a wait between repetitions that would be longer than allowed', async () => {
    const slow = answer(503, '', { 'retry-after': '31' });
    const { client, requests } = scriptedService([slow, hosts], { maxWaitMs: 30_000 });
    expect(await client.call('listHosts')).toMatchObject({ failure: { problem: { code: 'server-error' } } });
    expect(requests).toHaveLength(1);
    const exact = scriptedService([answer(503, '', { 'retry-after': '30' }), hosts], { maxWaitMs: 30_000 });
    expect((await exact.client.call('listHosts')).ok).toBe(true);
  });

  it('ends with the caller, even between attempts', async () => {
    const stop = new AbortController();
    const { client, requests, events } = scriptedService([
      async () => {
        stop.abort();
        return answer(500);
      },
    ]);
    expect(await client.call('listHosts', {}, { stop: stop.signal })).toMatchObject({
      failure: { status: 500, problem: { code: 'server-error' } },
    });
    expect(requests).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'retry')).toEqual([]);
  });

  it('that is over is not extended by a limit that requests no wait', async () => {
    const { client, requests } = scriptedService([answer(429, '', { 'retry-after': '0' })]);
    expect(await client.call('listHosts', {}, { maxWaitMs: 0 })).toMatchObject({
      failure: { problem: { code: 'rate-limited' } },
    });
    expect(requests).toHaveLength(1);
  });

  it('that a read has used up while waiting for its response is not used again', async () => {
    const { client, requests, clock } = scriptedService([silent], { timeoutMs: 9000, maxWaitMs: 9000 });
    const start = clock.now();
    expect(await client.call('listHosts')).toMatchObject({ failure: { problem: { code: 'timed-out' } } });
    expect(requests).toHaveLength(1);
    expect(clock.now() - start).toBe(9000);
  });

  it('at its end lets a refused read be sent again, but not one without a response', async () => {
    const ending = () => {
      const cutoff = createCutoff(createVirtualClock(0));
      cutoff.interrupt();
      return cutoff;
    };
    const refused = scriptedService([answer(500), hosts], { cutoff: ending() });
    expect((await refused.client.call('listHosts')).ok).toBe(true);
    const slow = scriptedService([silent, hosts], { cutoff: ending(), timeoutMs: 9000 });
    expect((await slow.client.call('listHosts')).ok).toBe(false);
    expect(slow.requests).toHaveLength(1);
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 1);
  test.each<[Readonly<Record<string, string>>, number | undefined]>([
    [{}, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': '  ' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': ' 7 ' }, 7000],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': '-1' }, 0],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' }, 9000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT' }, 0],
    [{ 'retry-after': 'Thu, 01 Jan 2026 01:00:09 GMT', date: 'Thu, 01 Jan 2026 01:00:00 GMT' }, 9000],
  ])('%j', (headers, ms) => expect(retryAfterMs(headers, now)).toBe(ms));
});
