import type { Clock } from '../../core/lib/surroundings.ts';
import { type Exchange, type RequestMessage, TransportError } from '../contract/message.ts';
import type { Answer } from './answer.ts';

export interface RequestOptions {
  readonly clock: Clock;
  /** The time limit of one whole request in milliseconds; only the transport's own if absent. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The same limit for the transport, which knows sockets and real time. */
  readonly atMostMs?: number | undefined;
  /** Called again immediately before the first byte is written. */
  readonly mayStart?: (() => boolean) | undefined;
}

/** Sends one request and returns its result. A response that has arrived counts even if the caller has given up. */
export async function sendOnce(
  exchange: Exchange,
  request: RequestMessage,
  options: RequestOptions,
): Promise<Answer> {
  if (options.signal?.aborted) return { kind: 'none', cause: 'cancelled', sent: false, reason: 'cancelled' };
  const { atMostMs, mayStart } = options;
  const timer = startTimer(options);
  const signals = [options.signal, timer?.expired].filter((signal) => signal !== undefined);
  try {
    const response = await exchange(request, {
      ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
      ...(atMostMs === undefined ? {} : { atMostMs }),
      ...(mayStart === undefined ? {} : { mayStart }),
    });
    return { kind: 'response', response };
  } catch (error) {
    const known = error instanceof TransportError ? error : undefined;
    const timedOut = timer?.expired.aborted === true || known?.timedOut === true;
    return {
      kind: 'none',
      cause: options.signal?.aborted ? 'cancelled' : timedOut ? 'timed-out' : 'network',
      sent: known?.failure !== 'not-sent',
      // A library's own message is for its users, and may quote the request.
      reason: known?.message ?? 'the transport failed',
      permanent: known?.permanent === true,
      hint: known?.hint,
    };
  } finally {
    timer?.stop();
  }
}

function startTimer({ clock, timeoutMs }: RequestOptions) {
  if (timeoutMs === undefined) return undefined;
  const expired = new AbortController();
  const stopped = new AbortController();
  void clock.sleep(timeoutMs, stopped.signal).then(() => {
    if (!stopped.signal.aborted) expired.abort();
  });
  return { expired: expired.signal, stop: () => stopped.abort() };
}
