import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { createClient } from '../../../src/service/client/create-client.ts';
import { createCutoff } from '../../../src/service/client/cutoff.ts';
import { allowedMs, requestBound } from '../../../src/service/client/request-bound.ts';
import { TransportError } from '../../../src/service/contract/message.ts';
import { basicCredentials } from '../../given/scripted-service.ts';
import { steadyPacer } from '../../given/steady-pacer.ts';

/** A client of a service that never responds; a request ends when its signal or its limit does. */
function silentService() {
  const clock = createVirtualClock(0, { auto: true });
  const cutoff = createCutoff(clock);
  const sentAt: number[] = [];
  const bounds: (number | undefined)[] = [];
  const client = createClient({
    exchange: async (_request, { signal, atMostMs } = {}) => {
      sentAt.push(clock.now());
      bounds.push(atMostMs);
      if (atMostMs !== undefined) {
        await clock.sleep(atMostMs);
        throw new TransportError('not complete', 'reply-lost', { timedOut: true });
      }
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new TransportError('cut', 'reply-lost')));
      });
    },
    credentials: basicCredentials,
    clock,
    cutoff,
    pacers: (_action, onWait) => steadyPacer(clock, onWait),
  });
  return { client, clock, cutoff, sentAt, bounds };
}

describe('a deadline', () => {
  it('cuts a read 30 s after it, and does not send it again', async () => {
    const { client, clock, cutoff, sentAt } = silentService();
    cutoff.setDeadline(60_000);
    const read = await client.call('listHosts');
    expect(read).toMatchObject({ ok: false, failure: { problem: { code: 'timed-out' } } });
    expect(clock.now()).toBe(90_000);
    expect(sentAt).toEqual([0]);
  });

  it('gives a request that begins after it 30 s', async () => {
    const { client, clock, cutoff, bounds } = silentService();
    cutoff.setDeadline(0);
    await clock.advance(10_000);
    await client.call('listHosts');
    expect(bounds).toEqual([30_000]);
  });

  it('leaves the outcome of a write that it cuts unknown', async () => {
    const { client, cutoff } = silentService();
    cutoff.setDeadline(0);
    expect(await client.call('deleteHosts', { body: { hostIds: ['5'] } })).toMatchObject({
      ok: false,
      failure: { outcome: 'unknown', problem: { code: 'timed-out' } },
    });
  });
});

describe('an interrupt', () => {
  it('gives calls in flight 5 s, and sends nothing afterwards', async () => {
    const { client, clock, cutoff, sentAt } = silentService();
    const write = client.call('deleteHosts', { body: { hostIds: ['5'] } });
    cutoff.interrupt();
    expect(await write).toMatchObject({
      ok: false,
      failure: { outcome: 'unknown', problem: { code: 'cancelled' } },
    });
    expect(clock.now()).toBe(5_000);
    expect(await client.call('listHosts')).toMatchObject({
      ok: false,
      failure: { outcome: 'not-sent', problem: { code: 'cancelled' } },
    });
    expect(sentAt).toEqual([0]);
  });

  it('counts from the first one', async () => {
    const { client, clock, cutoff } = silentService();
    const read = client.call('listHosts');
    cutoff.interrupt();
    await clock.advance(3_000);
    cutoff.interrupt();
    await read;
    expect(clock.now()).toBe(5_000);
  });
});

describe('the longest time for one request', () => {
  it('is the longest wait for a limit, at least a minute, and half a minute for each MiB that arrived', () => {
    expect(allowedMs(requestBound({}), 0)).toBe(300_000);
    expect(allowedMs(requestBound({ maxWaitMs: 0 }), 0)).toBe(60_000);
    expect(allowedMs(requestBound({ maxWaitMs: 600_000 }), 2 * 1024 ** 2)).toBe(660_000);
  });

  it('is what the user sets, whatever arrives', () => {
    expect(allowedMs(requestBound({ requestTimeoutMs: 1_000, maxWaitMs: 600_000 }), 5 * 1024 ** 2)).toBe(
      1_000,
    );
  });
});
