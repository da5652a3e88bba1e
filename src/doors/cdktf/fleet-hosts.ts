import type { Desired } from '../../core/model/desired.ts';
import type { Entry } from '../../core/model/entry.ts';
import { type GroupIntent, ungroupedId } from '../../core/model/group.ts';
import type { HostId } from '../../core/model/host-id.ts';
import type { IHostGroup } from './host-group-ref.ts';

/** An entry as a resource of its own can say it. */
export interface FleetHost {
  readonly hostId: HostId;
  readonly name?: string;
  readonly group?: IHostGroup;
  readonly antivirus: boolean;
}

/** The entries of a desired state for which `whyOnlyWhole` has found nothing. */
export function hostsOf(desired: Desired): readonly FleetHost[] {
  return entriesOf(desired).map(({ id, name, group, antivirus }) => ({
    hostId: id as HostId,
    ...(name === undefined ? {} : { name }),
    ...(group === undefined ? {} : { group: referenceOf(group) }),
    antivirus,
  }));
}

/** What a resource for each host can't say of a desired state. */
export function whyOnlyWhole(desired: Desired): readonly string[] {
  const { rules, policy, knownDrift, limitPlaces = {}, companyId } = desired;
  const entries = entriesOf(desired);
  const guards = [...policy.protect, ...policy.changes, ...policy.windows, ...policy.freezes];
  const has: Readonly<Record<string, boolean>> = {
    'entries without an id': entries.some(({ id }) => id === undefined),
    'that a host is to be absent': entries.some(({ ensure }) => ensure === 'absent'),
    'what the name must be now (current)': entries.some(({ current }) => current !== undefined),
    'what is protected (protect)': entries.some(({ protect }) => protect !== undefined),
    'what may differ (ignore)': entries.some(({ ignore }) => ignore !== undefined),
    rules: rules.length > 0,
    'a policy': guards.length > 0 || Object.keys(limitPlaces).length > 0,
    'what is said of whole groups (groups)': policy.groups.length > 0,
    'what becomes of unmanaged hosts (unmanaged)': policy.unmanaged !== undefined,
    'known drift (knownDrift)': knownDrift.length > 0,
    'which account it is for (account): the provider does': companyId !== undefined,
  };
  return Object.entries(has).flatMap(([words, holds]) => (holds ? [words] : []));
}

function entriesOf(desired: Desired): readonly Entry[] {
  return Array.from({ length: desired.count }, (_, index) => desired.at(index));
}

function referenceOf(group: GroupIntent): IHostGroup {
  switch (group.kind) {
    case 'named':
      return { groupName: group.name };
    case 'id':
      return { groupId: group.id };
    case 'ungrouped':
      return { groupId: ungroupedId };
  }
}
