import type { Emulator } from '../../../src/service/emulator/emulator.ts';
import { groups } from '../script/make-script.ts';
import type { DesiredHost } from '../script/script.ts';

/** A host as far as desired states depend on it. What a list does not show is undefined. */
export interface SeenHost {
  readonly id: string;
  readonly name: string | null | undefined;
  readonly groupId: string | undefined;
  readonly isInstalled: boolean | undefined;
}

export interface Seen {
  readonly at: number;
  readonly hosts: ReadonlyMap<string, SeenHost>;
}

/** Whether a fleet has the desired state. A host that does not exist has no requests. */
export function complies(
  { hosts }: Seen,
  desired: readonly DesiredHost[],
  attributes: 'names' | 'groups' | 'installs' | 'all',
): boolean {
  const asks = (attribute: typeof attributes) => attributes === attribute || attributes === 'all';
  return desired.every(({ id, name, group, isAbsent, hasAntivirus = false }) => {
    const host = hosts.get(id);
    if (host === undefined) return true;
    if (isAbsent === true) return false;
    const isNamed = !asks('names') || name === undefined || host.name === name;
    const isGrouped =
      !asks('groups') ||
      group === undefined ||
      (host.groupId !== undefined && groups[host.groupId as keyof typeof groups] === group);
    return isNamed && isGrouped && (!asks('installs') || !hasAntivirus || host.isInstalled === true);
  });
}

/** The fleet as it is. */
export function seenHosts(emulator: Emulator): ReadonlyMap<string, SeenHost> {
  return new Map(
    emulator
      .state()
      .hosts.map(({ id, name, groupId, antivirus }) => [
        id,
        { id, name, groupId, isInstalled: antivirus.installed },
      ]),
  );
}

/** The fleet in the response to a list; undefined for another response. */
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
      (hosts as readonly ListedHost[]).map((host): readonly [string, SeenHost] => {
        const id = String('hostId' in host ? host.hostId : host.id);
        if ('hostId' in host) return [id, { id, ...unknown, isInstalled: installedIn(host) }];
        const { description: name, groupid } = host;
        return [id, { id, ...unknown, name, groupId: groupid === undefined ? undefined : String(groupid) }];
      }),
    ),
  };
}

const unknown = { name: undefined, groupId: undefined, isInstalled: undefined };

/** A host of the list of hosts, or of the details of their anti-virus. */
type ListedHost =
  | { readonly id: number; readonly description: string | null; readonly groupid?: number }
  | { readonly hostId: number };

/** The name of the field has that of the vendor. */
function installedIn(host: object): boolean {
  return Object.entries(host).some(([field, value]) => /^has.*Installed$/.test(field) && value === true);
}
