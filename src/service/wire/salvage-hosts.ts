import type { Group } from '../../core/model/group.ts';
import type { HostId } from '../../core/model/host-id.ts';
import type { ObservedHost } from '../../core/model/observed.ts';
import type { UnreadableHost } from '../../core/model/unreadable-host.ts';
import { listedGroup, listedHostWithGroup } from '../contract/hosts.ts';
import { int64 } from '../contract/integer.ts';
import { fromListedGroup, fromListedHost } from './listed-host.ts';

export interface SalvagedFleet {
  readonly groups: readonly Group[];
  readonly hosts: readonly ObservedHost[];
  readonly unreadable: readonly UnreadableHost[];
}

/**
 * What can be read of a list of hosts and groups in which some hosts break the contract. Undefined where the list itself
 * or a group does, and where most hosts do: that is another form of list, not a fault in one host.
 */
export function salvageHosts(body: unknown): SalvagedFleet | undefined {
  if (!isObject(body) || !Array.isArray(body['hosts']) || !Array.isArray(body['groups'])) return undefined;
  const groups = listedGroup().array().safeParse(body['groups']);
  if (!groups.success) return undefined;
  const host = listedHostWithGroup();
  const hosts: ObservedHost[] = [];
  const unreadable: UnreadableHost[] = [];
  for (const [position, each] of body['hosts'].entries()) {
    const read = host.safeParse(each);
    if (read.success) hosts.push(fromListedHost(read.data));
    else unreadable.push(unreadableHost(position, each, read.error.issues[0]));
  }
  if (unreadable.length > hosts.length) return undefined;
  return { groups: groups.data.map(fromListedGroup), hosts, unreadable };
}

function unreadableHost(
  position: number,
  host: unknown,
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): UnreadableHost {
  const why = `${issue?.path.join('.') || 'the host'}: ${issue?.message}`;
  if (!isObject(host)) return { position, why };
  const { description: name } = host;
  const id = int64().safeParse(host['id']);
  return {
    position,
    ...(id.success ? { id: id.data as HostId } : {}),
    ...(typeof name === 'string' || name === null ? { name } : {}),
    why,
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
