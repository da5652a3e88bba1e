import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { sendOnce } from '../../../src/service/client/send-once.ts';
import { type Exchange, TransportError } from '../../../src/service/contract/message.ts';
import { answer } from '../../given/scripted-service.ts';

const request = { method: 'GET', path: '/x', headers: {}, body: null } as const;
const given = () => createVirtualClock(0, { auto: true });
const failing =
  (error: unknown): Exchange =>
  async () => {
    throw error;
  };
/** Responds only when it is stopped. */
const silent: Exchange = (_request, { signal } = {}) =>
  new Promise((_resolve, reject) => {
    const stop = () => reject(new TransportError('stopped', 'reply-lost'));
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
  });

describe('one request', () => {
  it('returns the response', async () => {
    const response = answer(200, '{}');
    expect(await sendOnce(async () => response, request, { clock: given() })).toEqual({
      kind: 'response',
      response,
    });
  });

  it('is not sent at all once the caller has given up', async () => {
    let made = 0;
    const exchange: Exchange = async () => {
      made += 1;
      return answer(200);
    };
    const signal = AbortSignal.abort();
    expect(await sendOnce(exchange, request, { clock: given(), signal })).toEqual({
      kind: 'none',
      cause: 'cancelled',
      sent: false,
      reason: 'cancelled',
    });
    expect(made).toBe(0);
  });

  it('counts as sent unless the transport knows that it was not', async () => {
    const sentAfter = async (error: unknown) =>
      (await sendOnce(failing(error), request, { clock: given() })) as { readonly sent: boolean };
    expect(await sentAfter(new TransportError('refused', 'not-sent'))).toMatchObject({
      sent: false,
      cause: 'network',
      reason: 'refused',
    });
    expect(await sentAfter(new TransportError('reset', 'reply-lost'))).toMatchObject({ sent: true });
    const foreign = Object.assign(new Error('odd'), { failure: 'not-sent', timedOut: true });
    expect(await sentAfter(foreign)).toMatchObject({
      sent: true,
      cause: 'network',
      reason: 'the transport failed',
    });
    expect(await sentAfter('a text')).toMatchObject({
      sent: true,
      cause: 'network',
      reason: 'the transport failed',
    });
  });

  it('has timed out if the transport reports so', async () => {
    const error = new TransportError('too slow', 'reply-lost', { timedOut: true });
    expect(await sendOnce(failing(error), request, { clock: given() })).toMatchObject({ cause: 'timed-out' });
  });

  it('is ended at its limit, and its outcome is unknown then', async () => {
    const clock = given();
    const ended = await sendOnce(silent, request, { clock, timeoutMs: 5000 });
    expect(ended).toMatchObject({ kind: 'none', cause: 'timed-out', sent: true });
    expect(clock.now()).toBe(5000);
  });

  it('is ended by its caller, whether it has a limit or not', async () => {
    for (const timeoutMs of [undefined, 5000]) {
      const caller = new AbortController();
      const ended = sendOnce(silent, request, {
        clock: createVirtualClock(0),
        timeoutMs,
        signal: caller.signal,
      });
      caller.abort();
      expect(await ended).toMatchObject({ cause: 'cancelled', sent: true });
    }
  });

  it('leaves no timer behind', async () => {
    let seen: AbortSignal | undefined;
    const clock = createVirtualClock(0);
    const exchange: Exchange = async (_request, { signal } = {}) => {
      seen = signal;
      return answer(200);
    };
    await sendOnce(exchange, request, { clock, timeoutMs: 5000 });
    await Promise.resolve();
    expect(seen?.aborted).toBe(false);
  });

  it('passes its own limit to the transport, and no signal if nothing ends it', async () => {
    const seen: unknown[] = [];
    const exchange: Exchange = async (_request, options) => {
      seen.push(options);
      return answer(200);
    };
    await sendOnce(exchange, request, { clock: given(), atMostMs: 700 });
    await sendOnce(exchange, request, { clock: given() });
    expect(seen).toEqual([{ atMostMs: 700 }, {}]);
  });
});
