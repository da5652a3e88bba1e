import type { HostId } from '../../../core/model/observed.ts';
import type { HostSpec } from '../../fleet/find-host.ts';
import { isPresent, isUnknown, type Unknown } from '../../protocol/value/value.ts';

interface HostNaming {
  readonly host_id: string | null | Unknown;
  readonly name: string | null | Unknown;
  readonly previously: readonly (string | Unknown)[] | null | Unknown;
}

/** The host that the configuration identifies; null while it is unknown. */
export function hostSpecOf({ host_id, name, previously }: HostNaming): HostSpec | null {
  if (isUnknown(host_id)) return null;
  if (host_id !== null) return { hostId: host_id as HostId };
  if (!isPresent(name) || isUnknown(previously)) return null;
  const before = (previously ?? []).filter(isPresent);
  return before.length < (previously ?? []).length ? null : { name, previously: before };
}
