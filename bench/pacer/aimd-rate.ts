import type { Sender } from './simulate.ts';

const gainEachSecond = 0.5;
const cut = 0.9;
const slowest = 0.01;

/** Evenly spaced sends; half a call a second more each second, a tenth less after a refusal, once a round trip. */
export function aimdOnRate(): Sender {
  let rate = 10;
  let next = 0;
  let grownAt = 0;
  let cutAt = -1;
  return {
    nextAt: () => next,
    sent(now) {
      next = now + 1000 / rate;
      return now;
    },
    answered(sending, accepted, now) {
      if (accepted) {
        rate += (gainEachSecond * (now - grownAt)) / 1000;
      } else if ((sending as number) > cutAt) {
        rate = Math.max(slowest, rate * cut);
        cutAt = now;
      }
      grownAt = now;
    },
  };
}
