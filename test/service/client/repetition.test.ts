import { describe, expect, it } from 'vitest';
import { backoffMs } from '../../../src/service/client/backoff.ts';
import { actions, api } from '../../../src/service/contract/api.ts';
import { TransportError } from '../../../src/service/contract/message.ts';
import { answer, scriptedService, type Turn } from '../../given/scripted-service.ts';

const hosts = answer(200, { hosts: [] });
const notSent = new TransportError('the server refused the connection', 'not-sent');
const replyLost = new TransportError('the connection was reset', 'reply-lost');
const tooSlow = new TransportError('the response timed out', 'reply-lost', { timedOut: true });

describe('a read', () => {
  it.each<readonly [string, Turn]>([
    ['a 500', answer(500)],
    ['a 503', answer(503)],
    ['a lost reply', replyLost],
    ['no connection', notSent],
    ['a timeout', tooSlow],
    ['a body cut short', answer(200, '{"hosts":[')],
  ])('is sent again after %s', async (_, trouble) => {
    const { client, requests, events } = scriptedService([trouble, trouble, hosts]);
    expect(await client.call('listHosts')).toEqual({ ok: true, value: { hosts: [] } });
    expect(requests).toHaveLength(3);
    expect(events.filter((each) => each.type === 'retry').map((each) => each.ms)).toEqual([150, 300]);
  });

  it.each([
    ['server-error', answer(500)],
    ['network', replyLost],
    ['timed-out', tooSlow],
  ] as const)('gives up with %s after so many attempts', async (code, trouble) => {
    const { client, requests } = scriptedService([trouble], { retries: 3 });
    expect(await client.call('listHosts')).toMatchObject({ ok: false, failure: { problem: { code } } });
    expect(requests).toHaveLength(4);
  });

  it.each([400, 401, 403, 404, 302, 418])('is not sent again after a %i', async (status) => {
    const { client, requests } = scriptedService([answer(status), hosts]);
    expect((await client.call('listHosts')).ok).toBe(false);
    expect(requests).toHaveLength(1);
  });

  it.each(['not-sent', 'reply-lost'] as const)('is not resent after a lasting error: %s', async (failure) => {
    const stays = new TransportError('no trust', failure, { permanent: true, hint: 'name the CA' });
    const { client, requests } = scriptedService([stays, hosts]);
    expect(await client.call('listHosts')).toMatchObject({
      failure: { permanent: true, problem: { code: 'network', hint: 'name the CA' } },
    });
    expect(requests).toHaveLength(1);
  });

  it('shows no text of a library', async () => {
    const { client } = scriptedService([new Error('invalid authorization header')], { retries: 0 });
    const called = await client.call('listHosts');
    expect(JSON.stringify(called)).toContain('the transport failed');
    expect(JSON.stringify(called)).not.toContain('invalid authorization');
  });

  it('waits as long as a 503 requests', async () => {
    const { client, clock } = scriptedService([answer(503, '', { 'retry-after': '7' }), hosts]);
    const start = clock.now();
    expect((await client.call('listHosts')).ok).toBe(true);
    expect(clock.now() - start).toBe(7_000);
  });
});

describe('a write', () => {
  const calls = [
    (service: ReturnType<typeof scriptedService>) =>
      service.client.call('renameHost', { path: { 'host-id': '5' }, body: { newDescription: 'x' } }),
    (service: ReturnType<typeof scriptedService>) =>
      service.client.call('deleteHosts', { body: { hostIds: ['5'] } }),
    (service: ReturnType<typeof scriptedService>) =>
      service.client.call('installAntivirus', { body: { targetHostIds: ['5'] } }),
  ];

  it.each([answer(500), answer(503, '', { 'retry-after': '1' }), replyLost, tooSlow])(
    'is never repeated when it may have been carried out: %o',
    async (trouble) => {
      for (const call of calls) {
        const service = scriptedService([trouble, answer(204)]);
        expect(await call(service)).toMatchObject({ ok: false, failure: { outcome: 'unknown' } });
        expect(service.requests).toHaveLength(1);
      }
    },
  );

  it("is sent again if the service can't have received it", async () => {
    const service = scriptedService([notSent, notSent, answer(204)]);
    const rename = { path: { 'host-id': '5' }, body: { newDescription: 'x' } } as const;
    expect((await service.client.call('renameHost', rename)).ok).toBe(true);
    expect(service.requests).toHaveLength(3);
    expect(service.client.sent.get('renameHost')).toBe(1);
  });

  it('reports it if it could not be sent at all', async () => {
    const service = scriptedService([notSent], { retries: 1 });
    expect(await service.client.call('deleteHosts', { body: { hostIds: ['5'] } })).toMatchObject({
      failure: {
        outcome: 'not-sent',
        problem: {
          code: 'network',
          message: '"Delete hosts" could not be sent: the server refused the connection',
        },
      },
    });
    expect(service.client.sent.get('deleteHosts')).toBe(0);
  });
});

describe('a 429', () => {
  const writes = actions.filter((action) => api[action].method !== 'GET');
  it.each(writes)('to %s is waited for, because the call was not carried out', async (action) => {
    const ok = answer(action.startsWith('create') ? 201 : 200, {
      token: 't',
      expires: null,
      gatewayUrl: 'x',
      sessionTicketId: 1,
      commandStatuses: [],
      status: 1,
    });
    const { client, clock, requests } = scriptedService([
      answer(429, { message: 'slow', retryDelay: 42 }),
      ok,
    ]);
    const start = clock.now();
    const input = {
      path: { 'host-id': '5', groupid: '6' },
      body: {
        hostIds: ['5'],
        targetHostIds: ['5'],
        newDescription: 'x',
        directLink: true,
        failWhenRaSessionInProgress: false,
      },
    };
    expect(await client.call(action, input as never)).toMatchObject({ ok: true });
    expect(clock.now() - start).toBe(42_000);
    expect(requests).toHaveLength(2);
  });

  it.each<readonly [string, Record<string, string>, unknown, string]>([
    ['seconds', { 'retry-after': '30' }, '', 'refused 30000'],
    ['the body', {}, { retryDelay: 1.5 }, 'refused 1500'],
    ['the body as text', {}, { retryDelay: '2' }, 'refused 2000'],
    ['the longer of both', { 'retry-after': '3' }, { retryDelay: 5 }, 'refused 5000'],
    ['the body behind the guard', {}, ')]}\',\n{"retryDelay":4}', 'refused 4000'],
    ['nothing', {}, '', 'refused 1000'],
    ['nonsense', { 'retry-after': 'soon' }, { retryDelay: -1 }, 'refused 1000'],
  ])('can specify its wait as %s', async (_, headers, body, refused) => {
    const { client, pacers } = scriptedService([answer(429, body, headers), hosts]);
    expect((await client.call('listHosts')).ok).toBe(true);
    expect(pacers.get('listHosts')?.returned).toEqual([refused, 'accepted']);
    expect(pacers.get('listHosts')?.acquired.map((each) => each.again)).toEqual([false, true]);
  });

  it('is not waited for longer than allowed', async () => {
    const { client, clock } = scriptedService([answer(429, { retryDelay: 42 })], { maxWaitMs: 100_000 });
    const start = clock.now();
    const result = await client.call('listHosts');
    expect(clock.now() - start).toBe(84_000);
    expect(result).toMatchObject({
      failure: {
        status: 429,
        outcome: 'refused',
        problem: {
          code: 'rate-limited',
          message:
            '"List the hosts" is rate limited: the next call is possible in 42 s, and --max-wait allows 100 s',
        },
      },
    });
  });

  it('leaves the maximum wait to the call if it specifies one, and is 5 minutes otherwise', async () => {
    const { client, clock } = scriptedService([answer(429, { retryDelay: 42 })]);
    const start = clock.now();
    await client.call('listHosts', {}, { maxWaitMs: 41_999 });
    expect(clock.now() - start).toBe(0);
    await client.call('listHosts');
    expect(clock.now() - start).toBe(7 * 42_000);
  });

  it('is waited for as long as other calls of the action succeed', async () => {
    const slow = answer(429, { retryDelay: 42 });
    const turns = [hosts, slow, slow, slow, hosts, slow, slow, hosts, slow, hosts];
    const { client, clock } = scriptedService(turns, { maxWaitMs: 50_000 });
    const start = clock.now();
    const results = await Promise.all(Array.from({ length: 4 }, () => client.call('listHosts')));
    expect(results.every((each) => each.ok)).toBe(true);
    expect(clock.now() - start).toBe(3 * 42_000);
  });

  it('delays only its own action, including later calls of it before they are sent', async () => {
    const { client, requests } = scriptedService([answer(429, { retryDelay: 42 }), answer(404)]);
    await client.call('listHosts', {}, { maxWaitMs: 0 });
    expect(await client.call('listHosts', {}, { maxWaitMs: 0 })).toMatchObject({
      failure: { outcome: 'not-sent', problem: { code: 'rate-limited' } },
    });
    expect(requests).toHaveLength(1);
    expect((await client.call('checkAuthentication')).ok).toBe(false);
    expect(requests).toHaveLength(2);
  });

  it('is reported as a wait, and each request as a call', async () => {
    const { client, events } = scriptedService([answer(429, { retryDelay: 42 }), hosts]);
    await client.call('listHosts');
    expect(events).toEqual([
      { type: 'call', action: 'listHosts', status: 429, ms: 0, attempt: 1, waitedMs: 0 },
      { type: 'waiting', action: 'listHosts', ms: 42_000 },
      { type: 'call', action: 'listHosts', status: 200, ms: 0, attempt: 2, waitedMs: 42_000 },
    ]);
    expect(client.sent).toEqual(new Map([['listHosts', 2]]));
  });
});

describe('a pacer', () => {
  it('learns how urgent a call is', async () => {
    const { client, pacers } = scriptedService([hosts]);
    await client.call('listHosts', {}, { priority: 7 });
    await client.call('listHosts');
    expect(pacers.get('listHosts')?.acquired.map((each) => each.priority)).toEqual([7, 0]);
  });

  it.each<readonly [string, Turn, string]>([
    ['accepted after a success', hosts, 'accepted'],
    ['accepted after any answer but 429', answer(400), 'accepted'],
    ['dropped when no reply came', replyLost, 'dropped'],
    ['dropped when nothing was sent', notSent, 'dropped'],
  ])('gets its permit back as %s', async (_, turn, returned) => {
    const { client, pacers } = scriptedService([turn], { retries: 0 });
    await client.call('listHosts');
    expect(pacers.get('listHosts')?.returned).toEqual([returned]);
  });
});

describe('cancelling', () => {
  it('ends the wait for a limit', async () => {
    const stop = new AbortController();
    const { client, clock } = scriptedService([answer(429, { retryDelay: 200 })]);
    const start = clock.now();
    const result = client.call('listHosts', {}, { signal: stop.signal });
    void clock.sleep(5_000).then(() => stop.abort());
    expect(await result).toMatchObject({ failure: { outcome: 'not-sent', problem: { code: 'cancelled' } } });
    expect(clock.now() - start).toBe(5_000);
  });

  it('ends the pause before a repetition', async () => {
    const stop = new AbortController();
    const { client, clock, requests } = scriptedService([answer(503, '', { 'retry-after': '100' })]);
    const result = client.call('listHosts', {}, { signal: stop.signal });
    void clock.sleep(5_000).then(() => stop.abort());
    expect(await result).toMatchObject({ failure: { problem: { code: 'cancelled' } } });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['reply-lost', 'unknown'],
    ['not-sent', 'not-sent'],
  ] as const)('in flight shows whether the write may have arrived: %s', async (failure, outcome) => {
    const stop = new AbortController();
    const { client, clock } = scriptedService([
      (_, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new TransportError('cancelled', failure)));
        }),
    ]);
    void clock.sleep(10).then(() => stop.abort());
    const result = await client.call('deleteHosts', { body: { hostIds: ['5'] } }, { signal: stop.signal });
    expect(result).toMatchObject({ failure: { outcome, problem: { code: 'cancelled' } } });
  });

  it('softly ends every wait for a turn', async () => {
    const stop = new AbortController();
    const { client, clock } = scriptedService([answer(429, { retryDelay: 200 })]);
    const start = clock.now();
    const call = { signal: new AbortController().signal, stop: stop.signal };
    const result = client.call('listHosts', {}, call);
    void clock.sleep(5_000).then(() => stop.abort());
    expect(await result).toMatchObject({ failure: { problem: { code: 'cancelled' } } });
    expect(clock.now() - start).toBe(5_000);
  });

  it('softly awaits a request in flight', async () => {
    const stop = new AbortController();
    let aborted: boolean | undefined;
    const { client } = scriptedService([
      async (_, signal) => {
        stop.abort();
        aborted = signal?.aborted;
        return answer(204);
      },
    ]);
    const call = { signal: new AbortController().signal, stop: stop.signal };
    expect(await client.call('deleteHosts', { body: { hostIds: ['5'] } }, call)).toEqual({
      ok: true,
      value: null,
    });
    expect(aborted).toBe(false);
  });

  it('does not discard a response that has arrived', async () => {
    const stop = new AbortController();
    const { client } = scriptedService([
      async () => {
        stop.abort();
        return answer(204);
      },
    ]);
    const result = await client.call('deleteHosts', { body: { hostIds: ['5'] } }, { signal: stop.signal });
    expect(result).toEqual({ ok: true, value: null });
  });
});

it('a timeout limits one request, and its timer is removed with the response', async () => {
  const silent: Turn = (_, signal) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new TransportError('cancelled', 'reply-lost')));
    });
  const { client, clock } = scriptedService([silent, hosts], { timeoutMs: 9_000 });
  const start = clock.now();
  expect((await client.call('listHosts')).ok).toBe(true);
  expect(clock.now() - start).toBe(9_150);
  expect(clock.sleepers).toBe(0);
});

it('the pause before a repetition doubles up to a limit, with full jitter', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 60].map((attempt) => backoffMs(attempt, () => 1))).toEqual([
    300, 600, 1_200, 2_400, 4_800, 9_600, 10_000, 10_000,
  ]);
  expect(backoffMs(3, () => 0)).toBe(0);
});

it('closing closes the transport', async () => {
  let closed = 0;
  const { client } = scriptedService([hosts], {
    close: async () => {
      closed += 1;
    },
  });
  await client.close();
  expect(closed).toBe(1);
});

it("the service's clock is learned from its responses", async () => {
  const { client } = scriptedService([answer(200, { hosts: [] }, { date: 'Thu, 01 Jan 2026 00:10:00 GMT' })]);
  expect(client.clockSkewMs).toBeUndefined();
  await client.call('listHosts');
  expect(client.clockSkewMs).toBe(600_000);
});
