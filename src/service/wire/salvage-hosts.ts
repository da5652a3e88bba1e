import { isObject } from '../../core/lib/json-object.ts';
import {
  type Group,
  type HostId,
  type ObservedHost,
  type UnreadableHost,
  unreadableWords,
} from '../../core/model/observed.ts';
import { defaultLimits, isTooMany } from '../../core/model/policy.ts';
import type { Salvaged } from '../client/client.ts';
import { listedGroup, listedHostWithGroup } from '../contract/hosts.ts';
import { int64 } from '../contract/integer.ts';
import { fromListedGroup, fromListedHost } from './listed-host.ts';

interface SalvagedFleet extends SalvagedItems<ObservedHost> {
  readonly groups: readonly Group[];
}

interface SalvagedItems<T> {
  readonly hosts: readonly T[];
  readonly unreadable: readonly UnreadableHost[];
}

/**
 * Reads as much as possible of a list of hosts and groups in which some hosts break the contract. Undefined if the list
 * itself or a group breaks it.
 */
export function salvageHosts(body: unknown): Salvaged<SalvagedFleet> {
  if (!isObject(body) || !Array.isArray(body['hosts']) || !Array.isArray(body['groups'])) return undefined;
  const groups = listedGroup().array().safeParse(body['groups']);
  if (!groups.success) return undefined;
  const read = salvageItems(body['hosts'], listedHostWithGroup(), { id: 'id', name: 'description' });
  if (!('value' in read)) return read;
  const { hosts, unreadable } = read.value;
  return {
    value: { groups: groups.data.map(fromListedGroup), hosts: hosts.map(fromListedHost), unreadable },
  };
}

interface Keys {
  readonly id: string;
  readonly name: string;
}

interface Schema<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * The hosts of a list that conform to the contract, and the others with their readable parts. If more hosts do not
 * conform than may be missing from a list, it is a different form of list rather than a fault in single hosts.
 */
export function salvageItems<T>(
  items: readonly unknown[],
  schema: Schema<T>,
  keys: Keys,
): NonNullable<Salvaged<SalvagedItems<T>>> {
  const hosts: T[] = [];
  const unreadable: UnreadableHost[] = [];
  for (const [position, each] of items.entries()) {
    const read = schema.safeParse(each);
    if (read.success) hosts.push(read.data);
    else unreadable.push(unreadableHost(position, each, read.error.issues[0], keys));
  }
  const [first] = unreadable;
  if (first === undefined || !isTooMany(defaultLimits.missing, unreadable.length, items.length))
    return { value: { hosts, unreadable } };
  return {
    tooLittle: `${unreadable.length} of ${items.length} hosts can't be read, so nothing of the list is used; ${unreadableWords(first)}: ${first.why}`,
  };
}

function unreadableHost(
  position: number,
  host: unknown,
  issue: Issue | undefined,
  keys: Keys,
): UnreadableHost {
  const why = `${issue?.path.join('.') || 'the host'}: ${issue?.message}`;
  if (!isObject(host)) return { position, why };
  const name = host[keys.name];
  const id = int64().safeParse(host[keys.id]);
  return {
    position,
    ...(id.success ? { id: id.data as HostId } : {}),
    ...(typeof name === 'string' || name === null ? { name } : {}),
    why,
  };
}
