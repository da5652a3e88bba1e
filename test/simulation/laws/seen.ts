import { groups } from '../script/make-script.ts';
import type { DesiredHost } from '../script/script.ts';

/** A host as far as desired states depend on it. `groupId` is unknown in lists without groups. */
export interface SeenHost {
  readonly id: string;
  readonly name: string | null;
  readonly groupId: string | undefined;
}

export interface Seen {
  readonly at: number;
  readonly hosts: ReadonlyMap<string, SeenHost>;
}

/** Whether a fleet is as desired. A host that does not exist asks for nothing. */
export function complies(
  { hosts }: Seen,
  desired: readonly DesiredHost[],
  attributes: 'names' | 'groups' | 'all',
): boolean {
  return desired.every(({ id, name, group, isAbsent }) => {
    const host = hosts.get(id);
    if (host === undefined) return true;
    if (isAbsent === true) return false;
    const isNamed = attributes === 'groups' || name === undefined || host.name === name;
    const isGrouped =
      attributes === 'names' ||
      group === undefined ||
      (host.groupId !== undefined && groups[host.groupId as keyof typeof groups] === group);
    return isNamed && isGrouped;
  });
}

/** The fleet in the answer to a list; undefined for another answer. */
export function seenIn(body: Uint8Array, at: number): Seen | undefined {
  let list: unknown;
  try {
    list = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
  const { hosts } = list as { readonly hosts?: readonly ListedHost[] };
  if (!Array.isArray(hosts)) return undefined;
  return {
    at,
    hosts: new Map(
      (hosts as readonly ListedHost[]).map(({ id, description, groupid }) => [
        String(id),
        { id: String(id), name: description, groupId: groupid === undefined ? undefined : String(groupid) },
      ]),
    ),
  };
}

interface ListedHost {
  readonly id: number;
  readonly description: string | null;
  readonly groupid?: number;
}
