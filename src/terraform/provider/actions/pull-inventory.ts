import { count } from '../../../core/lib/words.ts';
import { type InventoryKind, inventoryKinds } from '../../../core/model/facts.ts';
import { type HostId, hostsOf } from '../../../core/model/observed.ts';
import { problem } from '../../../core/problem/problem.ts';
import type { HarvestEvent } from '../../../service/inventory/harvest-event.ts';
import type { ActionCall, Reply } from '../../protocol/provider/call.ts';
import { type ProviderService, type Rampart, toDiagnostics } from '../service.ts';

interface Pull {
  /** Null: all. */
  readonly host_ids: readonly unknown[] | null;
  readonly kinds: readonly unknown[] | null;
  readonly fields: readonly string[] | null;
  readonly maxAgeMs: number;
}

/** Without a place, everything that is fetched would be lost. */
export function checkPlace({
  inventoryPlace: { stateDir, shared },
}: Pick<ProviderService, 'inventoryPlace'>): Reply {
  if (stateDir !== null || shared !== null) return {};
  return {
    diagnostics: toDiagnostics([
      problem('configuration', 'the provider has nowhere to store the inventory', {
        hint: 'set state_dir in the provider block, or add a state block',
      }),
    ]),
  };
}

export async function pullInventory(
  service: ProviderService,
  { host_ids, kinds, fields, maxAgeMs }: Pull,
  { signal, progress }: ActionCall<Rampart>,
): Promise<Reply> {
  const unkept = checkPlace(service);
  if (unkept.diagnostics !== undefined) return unkept;
  const { session, inventory } = service;
  const fleet = await session.observed({ signal });
  if (!fleet.ok) return { diagnostics: toDiagnostics(fleet.problems) };
  const hosts = (host_ids ?? hostsOf(fleet.value).map(({ id }) => id)) as readonly HostId[];
  const pulled = inventoryKinds.filter((kind) => kinds === null || kinds.includes(kind));
  const ends = await Promise.all(
    pulled.map(async (kind) => {
      const onEvent = (event: HarvestEvent) => {
        const message = messageOf(event);
        if (message !== undefined) progress(message);
      };
      const found = await inventory().read({ kind, hosts, fields, maxAgeMs, signal, onEvent });
      if (found.ok) progress(endOf(kind, found.value, hosts));
      return toDiagnostics(found.problems);
    }),
  );
  return { diagnostics: ends.flat() };
}

function endOf(
  kind: InventoryKind,
  found: ReadonlyMap<HostId, { readonly record: object | null }>,
  hosts: readonly HostId[],
) {
  const known = hosts.filter((id) => (found.get(id)?.record ?? null) !== null).length;
  return `Stored the ${kind} inventory of ${known} of ${count(hosts.length, 'host')}`;
}

function messageOf(event: HarvestEvent): string | undefined {
  switch (event.type) {
    case 'started':
      return `Fetching the ${event.kind} inventory of ${count(event.of, 'host')}; the inventory of ${count(event.fresh, 'host')} is recent enough`;
    case 'report':
      return `Requested a ${event.kind} report with ${count(event.hosts, 'host')}`;
    case 'page':
      return `${event.fetched + event.absent} of ${count(event.of, 'host')} answered for the ${event.kind} inventory`;
    case 'waiting':
      return `Waiting ${Math.ceil(event.ms / 1000)} s until the next ${event.kind} report is possible`;
    case 'refused':
      return `The service refuses a ${event.kind} report with host ${event.hostId}`;
    case 'resumed':
    case 'learned':
    case 'ended':
      return undefined;
  }
}
