import { type GroupId, type GroupIntent, ungroupedId } from '../../core/model/observed.ts';
import { isPresent, type Unknown } from '../protocol/value/value.ts';

interface GroupArguments {
  readonly group: string | null | Unknown;
  readonly group_id: string | null | Unknown;
}

/** The group in the configuration; null if it is not set or still unknown. */
export function groupIntentOf({ group, group_id }: GroupArguments): GroupIntent | null {
  if (isPresent(group)) return { kind: 'named', name: group };
  if (!isPresent(group_id)) return null;
  return group_id === ungroupedId ? { kind: 'ungrouped' } : { kind: 'id', id: group_id as GroupId };
}
