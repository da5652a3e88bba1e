import { exactInteger } from '../../lib/exact-json.ts';
import type { GroupWish } from '../../model/group.ts';
import type { FleetDraft, GroupDraft, HostDraft } from './fleet-draft.ts';

/** A desired state for `JSON.stringify`: YAML readers take the text too. Ids are integers, and exact. */
export function toJsonState({ companyId, groups }: FleetDraft): object {
  return {
    version: 1,
    ...(companyId === undefined ? {} : { account: { companyId: exactInteger(companyId) } }),
    hosts: groups.flatMap((group) => group.hosts.map((host) => toJsonEntry(host, group))),
  };
}

function toJsonEntry({ id, name, antivirus }: HostDraft, { wish }: GroupDraft): object {
  return {
    id: exactInteger(id),
    ...(name === undefined ? {} : { name }),
    ...(wish === undefined ? {} : { group: toJsonGroup(wish) }),
    ...(antivirus ? { antivirus: 'installed' } : {}),
  };
}

function toJsonGroup(wish: GroupWish): unknown {
  switch (wish.kind) {
    case 'named':
      return wish.name;
    case 'id':
      return { id: exactInteger(wish.id) };
    case 'ungrouped':
      return null;
  }
}
