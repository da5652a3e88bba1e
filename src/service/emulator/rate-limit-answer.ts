import { type EmulatedAnswer, refusal } from './answer.ts';
import type { Switches } from './switches.ts';

/** 429, with the wait in whole seconds if the switches enable it. */
export function tooManyRequests(switches: Switches, waitMs: number): EmulatedAnswer {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return refusal(429, 'Too many requests.', {
    ...(switches.retryDelay ? { members: { retryDelay: seconds } } : {}),
    ...(switches.retryAfterHeader ? { headers: { 'retry-after': String(seconds) } } : {}),
  });
}
