import { compareInt64, isInt64 } from '../../core/lib/int64.ts';
import { foldName } from '../../core/model/host-name.ts';
import {
  type Group,
  type GroupId,
  type GroupIntent,
  hostsOf,
  type Observed,
  type ObservedHost,
  ungroupedId,
} from '../../core/model/observed.ts';
import { whyUnclaimable } from './claimable-name.ts';
import type { FleetDraft, GroupDraft, HostDraft } from './fleet-draft.ts';

export interface DraftOptions {
  readonly companyId: string | null;
  /** Claim the anti-virus on hosts that have it installed; its list has been read. */
  readonly antivirus: boolean;
  /** Selects hosts; all if absent. */
  readonly includes?: (host: ObservedHost) => boolean;
  /** Is a folded name claimed by another entry? */
  readonly isTaken?: (folded: string) => boolean;
}

/**
 * The fleet as entries that request the current state, so that planning finds no changes. The order of the lists does
 * not matter.
 */
export function draftFleet(observed: Observed, options: DraftOptions): FleetDraft {
  const { companyId, antivirus, includes = () => true, isTaken = () => false } = options;
  const byGroup = Map.groupBy(hostsOf(observed).filter(includes), (host) => host.groupId);
  const intentOf = createIntents(observed);
  const groups = [...byGroup]
    .map(([groupId, hosts]): GroupDraft => {
      const intent = intentOf(groupId);
      return {
        groupId,
        name: groupId === ungroupedId ? null : (observed.groupById(groupId)?.name ?? null),
        ...(intent === undefined ? {} : { intent }),
        hosts: sortHosts(hosts).map((host) => draftHost(host, observed, antivirus, isTaken)),
      };
    })
    .sort(compareGroups);
  return { ...(companyId !== null && isInt64(companyId) ? { companyId } : {}), groups };
}

function draftHost(
  host: ObservedHost,
  observed: Observed,
  antivirus: boolean,
  isTaken: (folded: string) => boolean,
): HostDraft {
  const why = whyUnclaimable(host, observed, isTaken);
  return {
    id: host.id,
    current: host.name,
    ...(why === undefined ? { name: host.name as string } : { unclaimed: why }),
    antivirus: antivirus && host.antivirus?.installed === true,
  };
}

/** By name if exactly one group has it and a file can contain it, else by id. */
export function createIntents(observed: Observed): (id: GroupId) => GroupIntent | undefined {
  const byName = Map.groupBy(observed.groups, (group) => group.name);
  const isUniqueName = ({ name }: Group) =>
    name !== null &&
    byName.get(name)?.length === 1 &&
    name.trim() !== '' &&
    name.isWellFormed() &&
    name.length <= longestGroupName;
  return (id) => {
    if (id === ungroupedId) return { kind: 'ungrouped' };
    const group = observed.groupById(id);
    if (group === undefined) return undefined;
    return isUniqueName(group) ? { kind: 'named', name: group.name as string } : { kind: 'id', id };
  };
}

const longestGroupName = 10_000;

function sortHosts(hosts: readonly ObservedHost[]): readonly ObservedHost[] {
  return hosts
    .map((host) => ({ host, folded: host.name === null ? null : foldName(host.name) }))
    .sort(
      (a, b) =>
        compareNames(a.folded, b.folded) ||
        compareNames(a.host.name, b.host.name) ||
        compareInt64(a.host.id, b.host.id),
    )
    .map(({ host }) => host);
}

/** Named groups first, then those without a name, then hosts without a group. */
function compareGroups(a: GroupDraft, b: GroupDraft): number {
  const rank = ({ groupId, name }: GroupDraft) => (groupId === ungroupedId ? 2 : name === null ? 1 : 0);
  const fold = ({ name }: GroupDraft) => (name === null ? null : foldName(name));
  return (
    rank(a) - rank(b) ||
    compareNames(fold(a), fold(b)) ||
    compareNames(a.name, b.name) ||
    compareInt64(a.groupId, b.groupId)
  );
}

/** By code units, so that every machine sorts the same way; null last. */
function compareNames(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}
