import type { Desired } from '../core/model/desired.ts';
import type { Entry } from '../core/model/entry.ts';
import { type GroupIntent, ungroupedId } from '../core/model/group.ts';
import type { HostId } from '../core/model/host-id.ts';
import type { IHostGroup } from './host-group-ref.ts';

/** An entry that a separate resource can express. */
export interface SeparateHost {
  readonly hostId: HostId;
  readonly name?: string;
  readonly group?: IHostGroup;
  readonly antivirus: boolean;
}

/** The entries of a desired state for which `whyOnlyWhole` has found nothing. */
export function separateHosts(desired: Desired): readonly SeparateHost[] {
  return entriesOf(desired).map(({ id, name, group, antivirus }) => ({
    hostId: id as HostId,
    ...(name === undefined ? {} : { name }),
    ...(group === undefined ? {} : { group: referenceOf(group) }),
    antivirus,
  }));
}

/** The parts of a desired state that a resource for each host can't express. */
export function whyOnlyWhole(desired: Desired): readonly string[] {
  const { rules, policy, knownDrift, limitPlaces = {}, companyId, identity } = desired;
  const entries = entriesOf(desired);
  const guards = [...policy.protect, ...policy.changes, ...policy.windows, ...policy.freezes];
  const has: Readonly<Record<string, boolean>> = {
    'entries without an id': entries.some(({ id }) => id === undefined),
    'absent hosts (ensure)': entries.some(({ ensure }) => ensure === 'absent'),
    'current names (current)': entries.some(({ current }) => current !== undefined),
    'protected hosts (protect)': entries.some(({ protect }) => protect !== undefined),
    'ignored attributes (ignore)': entries.some(({ ignore }) => ignore !== undefined),
    'keys of hosts (identity)': identity !== undefined,
    rules: rules.length > 0,
    'a policy': guards.length > 0 || Object.keys(limitPlaces).length > 0,
    'settings for whole groups (groups)': policy.groups.length > 0,
    'a setting for unmanaged hosts (unmanaged)': policy.unmanaged !== undefined,
    'known drift (knownDrift)': knownDrift.length > 0,
    'an account (account), which the provider sets': companyId !== undefined,
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
