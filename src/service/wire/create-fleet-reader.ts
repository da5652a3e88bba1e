import type { Clock } from '../../core/lib/surroundings.ts';
import { type HostId, observeTable, unreadableHost, unreadableOf } from '../../core/model/observed.ts';
import { failed, ok } from '../../core/problem/problem.ts';
import type { Client } from '../client/client.ts';
import { checkHostIds, checkIds, checkUnreadable } from './check-ids.ts';
import type { FleetReader } from './fleet.ts';
import { fleetListReader } from './fleet-list-reader.ts';
import { withAntivirus } from './listed-host.ts';
import { readAntivirus } from './read-antivirus.ts';

export interface ReaderOptions {
  readonly clock: Clock;
}

/** Reads the fleet from the list endpoints. A list that contradicts itself or is incomplete is a failure. */
export function createFleetReader(client: Client, { clock }: ReaderOptions): FleetReader {
  const time = () => new Date(clock.now()).toISOString();
  return {
    async read({ antivirus, signal }) {
      const options = signal === undefined ? {} : { signal };
      const listed = await client.callFor('listHostsWithGroups', fleetListReader, options);
      if (!listed.ok) return failed(listed.failure.problem);
      const listedAt = time();
      const details = antivirus ? await readAntivirus(client, { clock, ...options }) : undefined;

      const { groups, hosts, unreadable = [] } = listed.value;
      const facts = details?.ok === true ? details.value.facts : undefined;
      const observed = observeTable(facts === undefined ? hosts : withAntivirus(hosts, facts), {
        takenAt: time(),
        lists: [
          { list: 'hosts-with-groups', at: listedAt },
          ...(details?.ok === true ? [details.value.read] : []),
        ],
        groups,
        ...unreadableOf({
          unreadable,
          unreadableAntivirus: details?.ok === true ? details.value.unreadable : [],
        }),
      });
      const problems = [
        ...checkHostIds(observed),
        ...checkUnreadable(unreadable, observed),
        ...checkIds(idsOf(groups), 'group'),
      ];
      if (details?.ok === false) return failed(...problems, ...details.problems);
      return problems.length > 0
        ? failed(...problems)
        : ok(observed, [...unreadable.map(unreadableHost), ...(details?.problems ?? [])]);
    },

    async readNames({ signal } = {}) {
      const listed = await client.call('listHosts', {}, signal === undefined ? {} : { signal });
      if (!listed.ok) return failed(listed.failure.problem);
      const problems = checkIds(idsOf(listed.value.hosts), 'host');
      if (problems.length > 0) return failed(...problems);
      return ok(new Map(listed.value.hosts.map((host) => [host.id as HostId, host.description])));
    },
  };
}

function idsOf(items: readonly { readonly id: string }[]): readonly string[] {
  return items.map(({ id }) => id);
}
