import type { Client } from '../client/client.ts';
import type { Clock } from '../lib/clock.ts';
import type { HostId } from '../model/host-id.ts';
import { type ListName, type ListRead, observe } from '../model/observed.ts';
import { failed, ok } from '../problem/result.ts';
import { fromAntivirusHost } from './antivirus-fact.ts';
import { checkLists } from './check-lists.ts';
import type { FleetReader } from './fleet.ts';
import { fromListedGroup, fromListedHost } from './listed-host.ts';

export interface ReaderOptions {
  readonly clock: Clock;
}

/** Reads the fleet from the list endpoints. A list that contradicts itself is a failure, as is one that is not whole. */
export function createFleetReader(client: Client, { clock }: ReaderOptions): FleetReader {
  const time = () => new Date(clock.now()).toISOString();
  return {
    async read({ antivirus, signal }) {
      const options = signal === undefined ? {} : { signal };
      const lists: ListRead[] = [];
      const readAt = (list: ListName) => lists.push({ list, at: time() });

      const listed = await client.call('listHostsWithGroups', {}, options);
      if (!listed.ok) return failed(listed.failure.problem);
      readAt('hosts-with-groups');
      const details = antivirus ? await client.call('listAntivirusDetails', {}, options) : undefined;
      if (details?.ok === false) return failed(details.failure.problem);
      if (details !== undefined) readAt('antivirus-details');

      const facts = new Map(details?.value.hosts.map(fromAntivirusHost) ?? []);
      const hosts = listed.value.hosts.map((host) => fromListedHost(host, facts));
      const groups = listed.value.groups.map(fromListedGroup);
      const problems = checkLists(hosts, groups);
      if (problems.length > 0) return failed(...problems);
      return ok(observe({ takenAt: time(), lists, groups, hosts }));
    },

    async readNames({ signal } = {}) {
      const listed = await client.call('listHosts', {}, signal === undefined ? {} : { signal });
      if (!listed.ok) return failed(listed.failure.problem);
      return ok(new Map(listed.value.hosts.map((host) => [host.id as HostId, host.description])));
    },
  };
}
