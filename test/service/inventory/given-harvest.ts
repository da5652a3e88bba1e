import { join } from 'node:path';
import { createVirtualClock, type VirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import type { HostId } from '../../../src/core/model/observed.ts';
import { createAdaptivePacer } from '../../../src/service/client/adaptive-pacer.ts';
import type { Client } from '../../../src/service/client/client.ts';
import { createClient } from '../../../src/service/client/create-client.ts';
import type { ResponseMessage } from '../../../src/service/contract/message.ts';
import {
  createEmulator,
  type Emulator,
  type EmulatorOptions,
} from '../../../src/service/emulator/emulator.ts';
import { fleetState, type HostParts } from '../../../src/service/emulator/fleet-state.ts';
import { realisticLimits } from '../../../src/service/emulator/realistic-limits.ts';
import { harvestInventory } from '../../../src/service/inventory/harvest.ts';
import type { KindHarvest } from '../../../src/service/inventory/harvest-kind.ts';
import type { HarvestOptions } from '../../../src/service/inventory/harvest-options.ts';
import type { InventoryCache } from '../../../src/service/inventory/inventory-cache.ts';
import { readCache, withCache } from '../../../src/service/inventory/with-cache.ts';
import { newFolder } from '../../given/folder.ts';

export const minute = 60_000;
export const day = 24 * 60 * minute;
export const cacheTime = Date.parse('2026-11-21T09:00:00Z');

/** Hosts with inventory, except for every `without`-th; large ids, so that rounding would be noticed. */
export function givenHosts(count: number, { without = Number.POSITIVE_INFINITY } = {}): readonly HostParts[] {
  return Array.from({ length: count }, (_, index) => {
    const id = (9_007_199_254_740_993n + BigInt(index)).toString();
    if ((index + 1) % without === 0) return { id, name: `PC-${index}` };
    const hardware = { serviceTag: `ST${index}`, hardwareInfo: { model: 'R740', manufacturer: 'Kestrel' } };
    return {
      id,
      name: `PC-${index}`,
      inventory: { hardware, system: { externalIp: `198.51.100.${index % 256}` } },
    };
  });
}

export interface ClientTroubles {
  /** The call of this number, from 0, never returns, as if its process had been killed. */
  readonly hangAt?: number;
  readonly isSent?: boolean;
  /** Each report has this number of empty pages before its own, like that of a service where it is not ready. */
  readonly emptyAtFirst?: number;
}

export interface Place {
  readonly clock: VirtualClock;
  readonly emulator: Emulator;
  readonly path: string;
  readonly hosts: readonly HostId[];
  client(options?: ClientTroubles): Client;
  harvest(options?: Partial<HarvestOptions>): Promise<readonly KindHarvest[]>;
  read<T>(read: (cache: InventoryCache) => T): T;
  /** Bodies of the requests for reports that were made. */
  reports(
    kind?: 'hardware' | 'system',
  ): readonly { readonly hosts: readonly string[]; readonly fields?: readonly string[] }[];
  /** Statuses of the calls to an action, in order. */
  statuses(action: string): readonly (number | null)[];
}

/** An emulated service under realistic limits, a cache in a separate folder, and one virtual clock for both. */
export function givenPlace(hosts: readonly HostParts[], options: Partial<EmulatorOptions> = {}): Place {
  const clock = createVirtualClock(cacheTime, { auto: true });
  const emulator = createEmulator({
    state: fleetState({ hosts }),
    clock,
    limits: realisticLimits,
    ...options,
  });
  const folder = newFolder();
  const path = join(folder, 'inventory.sqlite');
  const ids = hosts.map(({ id }) => id as HostId);
  const client: Place['client'] = ({ hangAt = -1, isSent = true, emptyAtFirst = 0 } = {}) => {
    let calls = 0;
    const empty = new Map<string, number>();
    return createClient({
      exchange: async (request, exchangeOptions) => {
        const token = /inventory\/\w+\/reports\/(.+)$/.exec(request.path)?.[1];
        const sent = empty.get(token ?? '') ?? 0;
        if (token !== undefined && sent < emptyAtFirst) {
          empty.set(token, sent + 1);
          return emptyPage(decodeURIComponent(token));
        }
        const isLast = calls++ === hangAt;
        const reply = isLast && !isSent ? undefined : await emulator.exchange(request, exchangeOptions);
        return isLast || reply === undefined ? new Promise(() => {}) : reply;
      },
      credentials: {
        kind: 'basic',
        companyId: emulator.credentials.companyId,
        psk: emulator.credentials.psk,
      },
      clock,
      random: () => 0.5,
      pacers: (_, onWait) => createAdaptivePacer({ clock, onWait }),
    });
  };
  return {
    clock,
    emulator,
    path,
    hosts: ids,
    client,
    async harvest(changes = {}) {
      const done = await withCache(path, (cache) =>
        harvestInventory({
          client: client(),
          clock,
          cache,
          hosts: ids,
          fields: { hardware: null },
          maxAgeMs: day,
          ...changes,
        }),
      );
      if (!done.ok) throw new Error(done.problems[0]?.message);
      return done.value;
    },
    read(query) {
      const cached = readCache(path, (cache) => ({ found: query(cache) }));
      if (!cached.ok || cached.value === undefined) throw new Error('no cache');
      return cached.value.found;
    },
    reports: (kind = 'hardware') =>
      emulator.requests
        .filter(({ action, status }) => status === 201 && action === creating[kind])
        .map(({ body }) => readBody(body ?? '')),
    statuses: (action) =>
      emulator.requests.filter((each) => each.action === action).map(({ status }) => status),
  };
}

function emptyPage(token: string): ResponseMessage {
  const body = JSON.stringify({ report: { token, expires: null }, hosts: {} });
  return { status: 200, headers: {}, body: new TextEncoder().encode(body) };
}

const creating = { hardware: 'createHardwareReport', system: 'createSystemReport' } as const;

/** Ids as the texts they are on the wire. */
function readBody(body: string) {
  const ids = /"hostIds":\[([^\]]*)\]/.exec(body)?.[1] ?? '';
  const fields = (JSON.parse(body) as { readonly fields?: readonly string[] }).fields;
  return { hosts: ids.split(','), ...(fields === undefined ? {} : { fields }) };
}
