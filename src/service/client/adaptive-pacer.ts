import type { Clock } from '../../core/lib/surroundings.ts';
import { createAbortWatch } from './abort-watch.ts';
import { createCallQueue } from './call-queue.ts';
import { LearnedPace } from './pace.ts';
import type { AcquireOptions, PaceBound, Pacer, PaceState, Permit, Turn } from './pacer.ts';

export interface AdaptivePacerOptions {
  readonly clock: Clock;
  /** Called when calls must wait a second or more, with the time in milliseconds from now. */
  readonly onWait?: (waitMs: number) => void;
  /** The maximum number of calls per second, if the user knows the limit. */
  readonly ceiling?: number;
  /** Calls per second before anything is known; 10 if absent. */
  readonly initialRate?: number;
  /** The time (milliseconds since the epoch) before which the service is known to refuse a call. */
  readonly notBefore?: number;
}

/** A pacer that reports how fast it goes, and why not faster. */
export interface AdaptivePacer extends Pacer {
  state(): PaceState;
}

interface Waiter {
  readonly since: number;
  readonly maxWaitMs: number;
  settle(turn: Turn): void;
}

const minReportedMs = 1000;

/**
 * Finds and follows a service's rate limit without configuration. While calls are accepted, a long queue does not
 * end the wait: `maxWaitMs` limits only the time in which no call is accepted.
 */
export function createAdaptivePacer(options: AdaptivePacerOptions): AdaptivePacer {
  const { clock, onWait = () => {} } = options;
  const pace = new LearnedPace(options);
  const queue = createCallQueue<Waiter>();
  const aborts = createAbortWatch<Waiter>((waiters) => {
    for (const waiter of waiters) waiter.settle({ kind: 'aborted' });
    pump();
  });
  let alarm: { readonly at: number; readonly off: AbortController } | null = null;
  /** The turn that was reported last. */
  let announced = Number.NEGATIVE_INFINITY;
  /** Until this time no wait can expire, so the queue need not be searched. */
  let allPatientUntil = Number.POSITIVE_INFINITY;

  /** Releases the calls that may go now, and sets a timer for the next. */
  function pump(): void {
    for (let waiter = queue.first; waiter !== undefined; waiter = queue.first) {
      const now = clock.now();
      const nextAt = pace.nextAt;
      if (nextAt === Number.POSITIVE_INFINITY) return;
      if (nextAt <= now) {
        waiter.settle({ kind: 'go', permit: permit(now, waiter.since < now) });
        continue;
      }
      if (nextAt > allPatientUntil) dismiss(nextAt, now);
      if (queue.first === undefined) break;
      announce(nextAt, now);
      return setAlarm(nextAt, now);
    }
    announced = Number.NEGATIVE_INFINITY;
    clearAlarm();
  }

  function announce(nextAt: number, now: number): void {
    if (nextAt === announced || nextAt - now < minReportedMs) return;
    announced = nextAt;
    onWait(nextAt - now);
  }

  /** Rejects calls that can't wait until the next turn. */
  function dismiss(nextAt: number, now: number): void {
    allPatientUntil = Number.POSITIVE_INFINITY;
    for (const waiter of queue) {
      const patientUntil = Math.max(waiter.since, pace.acceptedAt) + waiter.maxWaitMs;
      if (nextAt > patientUntil) waiter.settle({ kind: 'too-late', waitMs: nextAt - now });
      else allPatientUntil = Math.min(allPatientUntil, patientUntil);
    }
  }

  function clearAlarm(): void {
    alarm?.off.abort();
    alarm = null;
  }

  /**
   * An alarm that rings too early is set again: moving it at each call would take as long as a tenth of a bare call.
   */
  function setAlarm(at: number, now: number): void {
    if (alarm !== null && alarm.at <= at) return;
    clearAlarm();
    const set = { at, off: new AbortController() };
    alarm = set;
    void clock.sleep(Math.ceil(at - now), set.off.signal).then(() => {
      if (alarm !== set) return;
      alarm = null;
      pump();
    });
  }

  function permit(now: number, held: boolean): Permit {
    const sending = pace.sent(now, held);
    let open = true;
    function giveBack(report: (now: number) => void): void {
      if (!open) return;
      open = false;
      report(clock.now());
      pump();
    }
    return {
      accepted: () => giveBack((at) => pace.accepted(sending, at)),
      refused: (retryAfterMs) => giveBack((at) => pace.refused(sending, at, retryAfterMs)),
      dropped: () => giveBack(() => pace.dropped(sending)),
    };
  }

  function acquire({
    signal,
    maxWaitMs = Number.POSITIVE_INFINITY,
    again = false,
    priority = 0,
  }: AcquireOptions = {}): Promise<Turn> {
    if (signal?.aborted) return Promise.resolve({ kind: 'aborted' });
    return new Promise((resolve) => {
      const waiter: Waiter = {
        since: clock.now(),
        maxWaitMs,
        settle(turn) {
          queue.leave(waiter);
          if (signal !== undefined) aborts.remove(signal, waiter);
          resolve(turn);
        },
      };
      if (signal !== undefined) aborts.add(signal, waiter);
      queue.join(waiter, again ? Number.POSITIVE_INFINITY : priority);
      allPatientUntil = Math.min(allPatientUntil, waiter.since + maxWaitMs);
      pump();
    });
  }

  function bound(): PaceBound {
    const { nextAt, refusedUntil: until } = pace;
    if (until - clock.now() >= minReportedMs) return { kind: 'refusal', until };
    return { kind: nextAt === Number.POSITIVE_INFINITY ? 'answers' : 'pace' };
  }

  return {
    acquire,
    get rate() {
      return pace.seenRate;
    },
    state: () => ({ waiting: queue.size, allowed: pace.rate, limit: pace.limit, bound: bound() }),
  };
}
