import type { HostTable } from '../../core/columns/host-table.ts';
import type { AntivirusFact, Group, GroupId, HostId, ObservedHost } from '../../core/model/observed.ts';
import type { ResponseBody } from '../contract/api.ts';

type Listed = ResponseBody<'listHostsWithGroups'>;

/** Converts a listed host to the model. The contract has checked that both ids are 64-bit integers. */
export function fromListedHost(host: Listed['hosts'][number]): ObservedHost {
  const { hostName, hostStateChangeDate } = host;
  return {
    id: host.id as HostId,
    name: host.description,
    groupId: host.groupid as GroupId,
    online: host.isHostOnline,
    ...(typeof hostName === 'string' ? { hostName } : {}),
    ...(typeof hostStateChangeDate === 'string' ? { stateChangedAt: hostStateChangeDate } : {}),
  };
}

/** The same hosts, each with its anti-virus facts. */
export function withAntivirus(
  hosts: HostTable<ObservedHost>,
  facts: ReadonlyMap<HostId, AntivirusFact>,
): HostTable<ObservedHost> {
  return {
    ...hosts,
    at(index) {
      const host = hosts.at(index);
      const antivirus = facts.get(host.id);
      return antivirus === undefined ? host : { ...host, antivirus };
    },
  };
}

export function fromListedGroup(group: Listed['groups'][number]): Group {
  return { id: group.id as GroupId, name: group.name };
}
