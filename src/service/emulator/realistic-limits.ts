import { actionRoutes, type EmulatedAction, isRateLimited } from './emulated-action.ts';
import type { RateLimits } from './emulator.ts';
import { onceAMinute } from './limiter.ts';

/** The lifetime of a report token limits its creation (specification section 3): a second limit could contradict it. */
const limitedByToken: ReadonlySet<EmulatedAction> = new Set([
  'createHardwareReport',
  'createSystemReport',
] as const);

/** The limits that real clients see: about once a minute for each action that the spec calls limited (section 7). */
export const realisticLimits: RateLimits = Object.fromEntries(
  actionRoutes.flatMap(({ action }) =>
    isRateLimited(action) && !limitedByToken.has(action) ? [[action, onceAMinute]] : [],
  ),
);
