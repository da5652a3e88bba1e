import type { CallFailure } from '../client/call-failure.ts';
import type { Client } from '../client/client.ts';
import type { Clock } from '../lib/clock.ts';
import type { HostId } from '../model/host-id.ts';
import { type ListName, type ListRead, observe } from '../model/observed.ts';
import type { Problem } from '../problem/problem.ts';
import { failed, ok } from '../problem/result.ts';
import { fromAntivirusHost } from './antivirus-fact.ts';
import { checkIds } from './check-ids.ts';
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
      if (details?.ok === false) return failed(antivirusProblem(details.failure));
      if (details !== undefined) readAt('antivirus-details');

      const problems = [
        ...checkIds(idsOf(listed.value.hosts), 'host'),
        ...checkIds(idsOf(listed.value.groups), 'group'),
        ...checkIds(details?.value.hosts.map((host) => host.hostId) ?? [], 'host'),
      ];
      if (problems.length > 0) return failed(...problems);
      const facts = new Map(details?.value.hosts.map(fromAntivirusHost) ?? []);
      const hosts = listed.value.hosts.map((host) => fromListedHost(host, facts));
      const groups = listed.value.groups.map(fromListedGroup);
      return ok(observe({ takenAt: time(), lists, groups, hosts }));
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

/** The list before it was answered, so a 403 here is not about the credentials. */
function antivirusProblem({ problem }: CallFailure): Problem {
  if (problem.code !== 'forbidden') return problem;
  return {
    ...problem,
    code: 'not-allowed',
    hint: 'the hosts can be listed, the anti-virus can not: ask for the right to it',
  };
}
