import type { Sender } from './simulate.ts';

/**
 * One more call in parallel after each round of responses; half as many after a refusal, at most once a round; a pause
 * of 100 ms.
 */
export function aimdOnConcurrency(): Sender {
  let most = 1;
  let inFlight = 0;
  let cutAt = -1;
  let notBefore = 0;
  return {
    nextAt: () => (inFlight < Math.floor(most) ? notBefore : Number.POSITIVE_INFINITY),
    sent(now) {
      inFlight += 1;
      return now;
    },
    answered(sending, accepted, now) {
      inFlight -= 1;
      if (accepted) {
        most += 1 / most;
      } else if ((sending as number) > cutAt) {
        most = Math.max(1, most / 2);
        cutAt = now;
        notBefore = now + 100;
      }
    },
  };
}
