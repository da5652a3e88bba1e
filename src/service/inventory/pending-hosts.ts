import type { HostId } from '../../core/model/host-id.ts';
import type { RecordState } from './inventory-cache.ts';
import { covers, joinFields, type StoredFields } from './stored-fields.ts';

export interface HarvestTarget {
  readonly hosts: readonly HostId[];
  readonly fields: StoredFields;
  /** Records requested after this time are fresh, in milliseconds since the epoch. */
  readonly freshAfter: number;
}

/** Hosts to ask: first those never asked for these fields, then those with the oldest answer. */
export function pendingHosts(
  target: HarvestTarget,
  states: ReadonlyMap<HostId, RecordState>,
): readonly HostId[] {
  const never: HostId[] = [];
  const old: RecordState[] = [];
  for (const id of target.hosts) {
    const state = states.get(id);
    if (state === undefined) never.push(id);
    else if (!isCovered(state, target.fields)) never.push(id);
    else if (state.at <= target.freshAfter) old.push(state);
  }
  old.sort((a, b) => a.at - b.at);
  return [...never, ...old.map(({ hostId }) => hostId)];
}

/**
 * The fields to request for these hosts: the target fields, and those that are known and fresh, so that they are not
 * lost.
 */
export function fieldsToAsk(
  batch: readonly HostId[],
  { fields, freshAfter }: HarvestTarget,
  states: ReadonlyMap<HostId, RecordState>,
): StoredFields {
  let joined = fields;
  for (const id of batch) {
    const state = states.get(id);
    if (state === undefined || state.isAbsent || state.at <= freshAfter) continue;
    joined = joinFields(joined, state.fields);
  }
  return joined;
}

/** A host without inventory has no value for any field. */
function isCovered(state: RecordState, fields: StoredFields): boolean {
  return state.isAbsent || covers(state.fields, fields);
}
