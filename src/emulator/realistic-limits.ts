import { actionRoutes, isRateLimited } from './emulated-action.ts';
import type { RateLimits } from './emulator.ts';
import { onceAMinute } from './limiter.ts';

/** What real clients see: each action that the spec calls limited (section 7) about once a minute. */
export const realisticLimits: RateLimits = Object.fromEntries(
  actionRoutes.flatMap(({ action }) => (isRateLimited(action) ? [[action, onceAMinute]] : [])),
);
