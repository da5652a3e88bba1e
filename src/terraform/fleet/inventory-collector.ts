import { accountKey } from '../../core/model/account.ts';
import type { InventoryKind } from '../../core/model/facts.ts';
import type { HostId } from '../../core/model/observed.ts';
import { asWarning, failed, ok, type Result } from '../../core/problem/problem.ts';
import { withLocalCache } from '../../run/state/files/with-local-cache.ts';
import { processHolder } from '../../run/state/lease/process-holder.ts';
import { openSharedCache, type SharedCache } from '../../run/state/shared-inventory.ts';
import { harvestInventory } from '../../service/inventory/harvest.ts';
import type { HarvestEvent } from '../../service/inventory/harvest-event.ts';
import { hostInventory, type KnownInventory } from '../../service/inventory/host-inventory.ts';
import { joinFields, type StoredFields } from '../../service/inventory/stored-fields.ts';
import { createBatchWindow } from './batch-window.ts';
import type { FleetSession } from './fleet-session.ts';
import type { OpenState } from './run-record.ts';
import { untilCancelled } from './until-cancelled.ts';
import { whenAllAborted } from './when-all-aborted.ts';

export interface InventoryCollectorOptions {
  readonly session: FleetSession;
  /** The folder of the cache, shared with later runs and the command line. */
  readonly stateDir: string;
  /** The state that all machines share; fetched inventory is saved there too. */
  readonly shared?: OpenState;
  /** Requests share their reports if at most this many milliseconds pass between them; 200 if absent. */
  readonly settleMs?: number;
  /** The longest wait for a report, in milliseconds; five minutes if absent. */
  readonly maxWaitMs?: number;
}

export interface InventoryRequest {
  readonly kind: InventoryKind;
  readonly hosts: readonly HostId[];
  /** In the service's spelling; null: all fields. */
  readonly fields: StoredFields;
  /** Younger data is not requested again; in milliseconds. */
  readonly maxAgeMs: number;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: HarvestEvent) => void;
}

/**
 * The known inventory of each host. A host that was never requested is left out; a host without inventory has a null
 * record.
 */
export type Inventories = ReadonlyMap<HostId, KnownInventory>;

/**
 * Hardware and system inventory from reports. The service makes about one report per minute, so concurrent requests
 * share reports, and received data is kept.
 */
export interface InventoryCollector {
  read(request: InventoryRequest): Promise<Result<Inventories>>;
}

interface Asked {
  readonly request: InventoryRequest;
  readonly end: PromiseWithResolvers<Result<Inventories>>;
}

const defaultSettleMs = 200;

export function createInventoryCollector(options: InventoryCollectorOptions): InventoryCollector {
  const { clock } = options.session;
  const settleMs = options.settleMs ?? defaultSettleMs;
  const busy = new Map<InventoryKind, Promise<void>>();
  const window = createBatchWindow<Asked>({
    clock,
    settleMs,
    close(all) {
      for (const [kind, asked] of Map.groupBy(all, ({ request }) => request.kind)) {
        const before = busy.get(kind) ?? Promise.resolve();
        busy.set(
          kind,
          before.then(() => serve(kind, asked, options)),
        );
      }
    },
  });
  return {
    read(request) {
      const asked: Asked = { request, end: Promise.withResolvers() };
      window.add(asked);
      return untilCancelled(asked.end.promise, request.signal);
    },
  };
}

/** One harvest for all of them; each then gets its own hosts. */
async function serve(
  kind: InventoryKind,
  asked: readonly Asked[],
  options: InventoryCollectorOptions,
): Promise<void> {
  const { session, stateDir, maxWaitMs } = options;
  const { account, client, clock } = session;
  const requests = asked.map(({ request }) => request);
  const shared = await sharedCacheOf(options);
  if (!shared.ok) {
    for (const { end } of asked) end.resolve(shared);
    return;
  }
  const served = await withLocalCache(stateDir, accountKey(account), async (cache) => {
    if (shared.value?.known) cache.add(shared.value.known);
    const [harvest] = await harvestInventory({
      client,
      clock,
      cache,
      hosts: [...new Set(requests.flatMap(({ hosts }) => hosts))],
      fields: { [kind]: requests.map(({ fields }) => fields).reduce(joinFields) },
      maxAgeMs: Math.min(...requests.map(({ maxAgeMs }) => maxAgeMs)),
      stop: whenAllAborted(requests.map(({ signal }) => signal)),
      onEvent(event) {
        for (const { onEvent } of requests) onEvent?.(event);
      },
      holder: processHolder(new Date(session.clock.now()).toISOString()),
      ...(maxWaitMs === undefined ? {} : { maxWaitMs }),
    });
    const isNew = harvest !== undefined && harvest.fetched + harvest.absent > 0;
    const saved = isNew ? await shared.value?.save(cache) : undefined;
    const found = requests.map(
      ({ hosts }): Inventories =>
        new Map(
          hosts.flatMap((id) => {
            const known = hostInventory(cache, id).inventory[kind];
            return known === undefined ? [] : [[id, known]];
          }),
        ),
    );
    const problems = [...shared.problems, ...(harvest?.problems ?? []), ...(saved?.problems ?? [])];
    return { found, problems };
  });
  for (const [index, { end, request }] of asked.entries()) {
    if (!served.ok) {
      end.resolve(served);
      continue;
    }
    const { found, problems } = served.value;
    const own = found[index] as Inventories;
    const isComplete = request.hosts.every((id) => own.has(id));
    const reported = isComplete ? problems.map(asWarning) : problems;
    end.resolve(isComplete || problems.length === 0 ? ok(own, reported) : failed(...reported));
  }
}

async function sharedCacheOf({
  shared,
  session: { account },
}: InventoryCollectorOptions): Promise<Result<SharedCache | null>> {
  if (shared === undefined) return ok(null);
  const state = await shared();
  return state.ok ? openSharedCache(state.value, account) : state;
}
