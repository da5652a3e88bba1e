import type { HostId } from '../../../core/model/observed.ts';
import { isPresent } from '../../protocol/value/value.ts';

export const hostIdsArgument = {
  type: { set: 'string' },
  required: true,
  description: 'The ids of the hosts.',
} as const;

/** The ids of a configuration; null while any of them is unknown. */
export function knownHostIds(ids: unknown): readonly HostId[] | null {
  return Array.isArray(ids) && ids.every(isPresent) ? (ids as readonly HostId[]) : null;
}
