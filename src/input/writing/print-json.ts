import { exactInteger } from '../../core/lib/exact-json.ts';
import type { GroupIntent } from '../../core/model/observed.ts';
import type { FleetDraft, GroupDraft, HostDraft } from './fleet-draft.ts';

/** A desired state for `JSON.stringify`; YAML readers accept the text too. Ids are exact integers. */
export function toJsonState({ companyId, groups }: FleetDraft): object {
  return {
    version: 1,
    ...(companyId === undefined ? {} : { account: { companyId: exactInteger(companyId) } }),
    hosts: groups.flatMap((group) => group.hosts.map((host) => toJsonEntry(host, group))),
  };
}

function toJsonEntry({ id, name, antivirus }: HostDraft, { intent }: GroupDraft): object {
  return {
    id: exactInteger(id),
    ...(name === undefined ? {} : { name }),
    ...(intent === undefined ? {} : { group: toJsonGroup(intent) }),
    ...(antivirus ? { antivirus: 'installed' } : {}),
  };
}

function toJsonGroup(intent: GroupIntent): unknown {
  switch (intent.kind) {
    case 'named':
      return intent.name;
    case 'id':
      return { id: exactInteger(intent.id) };
    case 'ungrouped':
      return null;
  }
}
