import type { Sender } from './simulate.ts';

const gainEachSecond = 0.5;
const cut = 0.9;
const slowest = 0.01;

/**
 * Evenly spaced sends. The rate doubles each second up to the first refusal; from then on it gains half a call a
 * second each second and loses a tenth with a refusal, once a round trip.
 */
export function aimdOnRate(): Sender {
  let rate = 10;
  let next = 0;
  let grownAt = 0;
  let cutAt: number | null = null;
  return {
    nextAt: () => next,
    sent(now) {
      next = now + 1000 / rate;
      return now;
    },
    answered(sending, accepted, now) {
      const seconds = (now - grownAt) / 1000;
      grownAt = now;
      if (accepted) {
        rate = cutAt === null ? rate * 2 ** seconds : rate + gainEachSecond * seconds;
      } else if (cutAt === null || (sending as number) > cutAt) {
        rate = Math.max(slowest, rate * cut);
        cutAt = now;
      }
    },
  };
}
