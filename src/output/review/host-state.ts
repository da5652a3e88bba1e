import type { HostState } from '../../core/plan/types/plan.ts';
import type { Hazard } from '../../core/plan/types/step.ts';

/** The day of a time; undefined if the text is not a time. */
export function dayOf(time: string): string | undefined {
  return /^\d{4}-\d{2}-\d{2}(?=T)/.exec(time)?.[0];
}

/**
 * Was the host online when the list was read? Null if the plan does not depend on it. A plan of format 3.0 has no states,
 * but knows which of the deleted hosts were online.
 */
export function wasOnline(state: HostState | undefined, hazards: readonly Hazard[]): boolean | null {
  return state?.online ?? (hazards.includes('online') ? true : null);
}
