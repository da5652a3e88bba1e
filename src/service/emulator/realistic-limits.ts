import { actionRoutes, type EmulatedAction, isRateLimited } from './emulated-action.ts';
import type { RateLimits } from './emulator.ts';
import { onceAMinute } from './limiter.ts';

/** The life of a report token is the limit of its creation (spec section 3): a second limit could contradict it. */
const limitedByToken: ReadonlySet<EmulatedAction> = new Set([
  'createHardwareReport',
  'createSystemReport',
] as const);

/** What real clients see: each action that the spec calls limited (section 7) about once a minute. */
export const realisticLimits: RateLimits = Object.fromEntries(
  actionRoutes.flatMap(({ action }) =>
    isRateLimited(action) && !limitedByToken.has(action) ? [[action, onceAMinute]] : [],
  ),
);
