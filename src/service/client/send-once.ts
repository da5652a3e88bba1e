import type { Clock } from '../../core/lib/clock.ts';
import { type Exchange, type RequestMessage, TransportError } from '../contract/message.ts';
import type { Answer } from './answer.ts';

export interface SendOptions {
  readonly clock: Clock;
  /** How long one request may take as a whole, in milliseconds; no bound but the transport's own when absent. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The same bound as the transport keeps it, which knows of sockets and real time. */
  readonly atMostMs?: number | undefined;
  /** Asked again right before the first byte is written. */
  readonly mayStart?: (() => boolean) | undefined;
}

/** One request and what came of it. A response that has arrived counts, even when the caller has given up. */
export async function sendOnce(
  exchange: Exchange,
  request: RequestMessage,
  options: SendOptions,
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
      // The words of a library are for its own users, and may quote the request.
      reason: known?.message ?? 'the transport failed',
      permanent: known?.permanent === true,
      hint: known?.hint,
    };
  } finally {
    timer?.stop();
  }
}

function startTimer({ clock, timeoutMs }: SendOptions) {
  if (timeoutMs === undefined) return undefined;
  const expired = new AbortController();
  const stopped = new AbortController();
  void clock.sleep(timeoutMs, stopped.signal).then(() => {
    if (!stopped.signal.aborted) expired.abort();
  });
  return { expired: expired.signal, stop: () => stopped.abort() };
}
