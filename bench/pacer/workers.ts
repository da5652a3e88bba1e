import type { Sender } from './simulate.ts';

/** A fixed number in parallel, each of which repeats its own call after a delay that may depend on the attempt. */
export function workers(count: number, delayMs: (attempt: number) => number): Sender {
  const idle: { readyAt: number; attempt: number }[] = Array.from({ length: count }, () => ({
    readyAt: 0,
    attempt: 0,
  }));
  const soonest = () => idle.reduce((a, b) => (b.readyAt < a.readyAt ? b : a));
  return {
    nextAt: () => (idle.length === 0 ? Number.POSITIVE_INFINITY : soonest().readyAt),
    sent() {
      const worker = soonest();
      idle.splice(idle.indexOf(worker), 1);
      return worker.attempt;
    },
    answered(sending, accepted, now) {
      const attempt = sending as number;
      idle.push(
        accepted ? { readyAt: now, attempt: 0 } : { readyAt: now + delayMs(attempt), attempt: attempt + 1 },
      );
    },
  };
}
