import { type Exchange, type RequestMessage, TransportError } from '../contract/message.ts';
import type { Clock } from '../lib/clock.ts';
import type { Answer } from './answer.ts';

export interface SendOptions {
  readonly clock: Clock;
  /** How long one request may take as a whole, in milliseconds; no bound but the transport's own when absent. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The same bound as the transport keeps it, which knows of sockets and real time. */
  readonly atMostMs?: number | undefined;
}

/** One request and what came of it. A response that has arrived counts, even when the caller has given up. */
export async function sendOnce(
  exchange: Exchange,
  request: RequestMessage,
  options: SendOptions,
): Promise<Answer> {
  if (options.signal?.aborted) return { kind: 'none', cause: 'cancelled', sent: false, reason: 'cancelled' };
  const { atMostMs } = options;
  const timer = startTimer(options);
  const signals = [options.signal, timer?.expired].filter((signal) => signal !== undefined);
  try {
    const response = await exchange(request, {
      ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
      ...(atMostMs === undefined ? {} : { atMostMs }),
    });
    return { kind: 'response', response };
  } catch (error) {
    const timedOut = timer?.expired.aborted === true || (error instanceof TransportError && error.timedOut);
    return {
      kind: 'none',
      cause: options.signal?.aborted ? 'cancelled' : timedOut ? 'timed-out' : 'network',
      sent: !(error instanceof TransportError && error.failure === 'not-sent'),
      reason: error instanceof Error ? error.message : String(error),
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
