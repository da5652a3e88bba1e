import { createPriorityQueue } from '../../src/core/lib/priority-queue.ts';
import type { Limiter } from './limiter.ts';

/** A way of sending calls under an unknown limit, as a state machine over time in ms. */
export interface Sender {
  /** When the next call may be sent; infinite while only a response can decide. */
  nextAt(now: number): number;
  /** Called at that time; its result is returned with the response. */
  sent(now: number): unknown;
  answered(sending: unknown, accepted: boolean, now: number): void;
}

export interface Outcome {
  /** Accepted calls, in percent of what the limit granted until the last response. */
  readonly use: number;
  /** Refused calls, in percent of all calls. */
  readonly refused: number;
  readonly seconds: number;
  readonly sends: number;
}

export interface Trial {
  readonly calls: number;
  readonly latencyMs: number;
  readonly limiter: Limiter;
  readonly sender: Sender;
  /** Gives up after this many virtual milliseconds. */
  readonly deadlineMs?: number;
}

interface Event {
  readonly at: number;
  readonly order: number;
  run(): void;
}

/** Runs until every call was accepted, with half of the latency in each direction. */
export function simulate({ calls, latencyMs, limiter, sender, deadlineMs = 1e9 }: Trial): Outcome {
  const events = createPriorityQueue<Event>((a, b) => a.at < b.at || (a.at === b.at && a.order < b.order));
  let order = 0;
  let now = 0;
  let waiting = calls;
  let accepted = 0;
  let sends = 0;

  function later(ms: number, run: () => void): void {
    events.push({ at: now + ms, order: order++, run });
  }

  function send(): void {
    waiting -= 1;
    sends += 1;
    const sending = sender.sent(now);
    later(latencyMs / 2, () => {
      const taken = limiter.take(now);
      later(latencyMs / 2, () => {
        if (taken) accepted += 1;
        else waiting += 1;
        sender.answered(sending, taken, now);
      });
    });
  }

  while (accepted < calls && now < deadlineMs) {
    const sendAt = waiting > 0 ? Math.max(now, sender.nextAt(now)) : Number.POSITIVE_INFINITY;
    const event = events.peek();
    if (event === undefined && sendAt === Number.POSITIVE_INFINITY)
      throw new Error('nobody will ever send again');
    if (event === undefined || sendAt < event.at) {
      now = sendAt;
      send();
    } else {
      events.pop();
      now = event.at;
      event.run();
    }
  }
  return {
    use: (100 * accepted) / limiter.granted(now),
    refused: (100 * (sends - accepted)) / sends,
    seconds: now / 1000,
    sends,
  };
}
