import { exactInteger } from '../../core/lib/exact-json.ts';
import { type EmulatedAnswer, refusal } from './answer.ts';
import type { Service } from './service.ts';

/** The host ids of one call: those in the fleet, and the unknown ones. */
export interface SortedIds {
  readonly known: readonly string[];
  readonly unknown: readonly string[];
}

export function sortIds(service: Service, ids: readonly string[]): SortedIds {
  const unique = [...new Set(ids)];
  return {
    known: unique.filter((id) => service.store.host(id) !== undefined),
    unknown: unique.filter((id) => service.store.host(id) === undefined),
  };
}

/** Refuses a call for no hosts or for too many. */
export function refuseCount(
  service: Service,
  ids: readonly string[],
  member: string,
): EmulatedAnswer | undefined {
  const { emptyIds, maxBatch, tooLarge } = service.switches;
  if (ids.length === 0 && emptyIds === 'refused')
    return refusal(400, `Invalid parameter: ${member} is empty.`);
  if (maxBatch !== null && ids.length > maxBatch) {
    return refusal(Number(tooLarge), `Invalid parameter: ${member} has more than ${maxBatch} items.`);
  }
  return undefined;
}

export function refuseUnknown(service: Service, unknown: readonly string[]): EmulatedAnswer {
  const members = service.switches.badIdsNamed ? { hostIds: unknown.map(exactInteger) } : {};
  return refusal(400, 'Invalid parameter: hostIds.', { members });
}
