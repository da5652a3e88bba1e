import { createVirtualClock, type VirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { createAdaptivePacer } from '../../../src/service/client/adaptive-pacer.ts';
import { createClient } from '../../../src/service/client/create-client.ts';
import type { Exchange } from '../../../src/service/contract/message.ts';
import { createEmulator, type Emulator, type RateLimits } from '../../../src/service/emulator/emulator.ts';
import { type FaultPlan, type FaultRule, faultsOf } from '../../../src/service/emulator/fault.ts';
import { fleetState, type HostParts } from '../../../src/service/emulator/fleet-state.ts';
import type { Switches } from '../../../src/service/emulator/switches.ts';
import { createFleetReader } from '../../../src/service/wire/create-fleet-reader.ts';
import { createFleetWriter } from '../../../src/service/wire/create-fleet-writer.ts';
import { type Coordinator, createCoordinator } from '../../../src/terraform/fleet/coordinator.ts';
import { createFleetSession, type FleetSession } from '../../../src/terraform/fleet/fleet-session.ts';
import type { PlannedRename } from '../../../src/terraform/fleet/plan-record.ts';
import { at } from '../../given/fleet.ts';

const account = { companyId: '1234567890', service: 'https://remote.example.com' };

export interface FleetWorldOptions {
  readonly hosts: readonly HostParts[];
  readonly groups?: Readonly<Record<string, string>>;
  readonly categories?: Parameters<typeof fleetState>[0]['categories'];
  readonly switches?: Partial<Switches>;
  readonly limits?: RateLimits;
  readonly faults?: readonly FaultRule[];
  readonly latencyMs?: number;
  readonly maxWaitMs?: number;
  readonly maxAgeMs?: number;
  /** The renames of the plan that is being applied, by host id; nothing is known about it when absent. */
  readonly planned?: Readonly<Record<string, PlannedRename>>;
}

/** One provider process: what `configure` makes, on a service that may outlive it. */
export interface ProviderProcess {
  readonly session: FleetSession;
  readonly coordinator: Coordinator;
}

export interface FleetWorld extends ProviderProcess {
  readonly clock: VirtualClock;
  readonly emulator: Emulator;
  /** A separate process, which may use another connection to the service. */
  start(through?: (exchange: Exchange) => Exchange): ProviderProcess;
  setFaults(faults: readonly FaultRule[]): void;
  /** How often each action was called. */
  calls(): Readonly<Record<string, number>>;
  /** The names by host id. */
  names(): Readonly<Record<string, string | null>>;
}

export function fleetWorld(options: FleetWorldOptions): FleetWorld {
  const clock = createVirtualClock(Date.parse(at), { auto: true });
  const latencyMs = options.latencyMs ?? 20;
  let faults = options.faults ?? [];
  const plan: FaultPlan = (call) => [{ kind: 'latency', ms: latencyMs }, ...faultsOf(faults, call)];
  const emulator = createEmulator({
    state: fleetState({
      groups: Object.entries(options.groups ?? {}).map(([id, name]) => ({ id, name })),
      categories: options.categories ?? [],
      hosts: options.hosts,
    }),
    clock,
    faults: plan,
    switches: options.switches ?? {},
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const start = (through: (exchange: Exchange) => Exchange = (exchange) => exchange): ProviderProcess => {
    const { companyId, psk } = emulator.credentials;
    const client = createClient({
      exchange: through(emulator.exchange),
      credentials: { kind: 'basic', companyId, psk },
      clock,
      pacers: () => createAdaptivePacer({ clock, initialRate: 1000 }),
      random: () => 0.5,
    });
    const session = createFleetSession({
      account,
      client,
      reader: createFleetReader(client, { clock }),
      writer: createFleetWriter(client),
      clock,
      ...(options.maxAgeMs === undefined ? {} : { maxAgeMs: options.maxAgeMs }),
    });
    const coordinator = createCoordinator({
      session,
      maxWaitMs: options.maxWaitMs ?? 30_000,
      ...(options.planned === undefined ? {} : { plannedRename: (host) => options.planned?.[host] }),
    });
    return { session, coordinator };
  };
  return {
    ...start(),
    clock,
    emulator,
    start,
    setFaults(next) {
      faults = next;
    },
    calls: () => countBy(emulator.requests.map(({ action }) => action ?? 'none')),
    names: () => Object.fromEntries(emulator.state().hosts.map(({ id, name }) => [id, name])),
  };
}

function countBy(words: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

/** Hosts 1 to n, called h1 to hn. */
export function numbered(count: number): readonly HostParts[] {
  return Array.from({ length: count }, (_, index) => ({ id: String(index + 1), name: `h${index + 1}` }));
}

/** Terraform's schedule for independent changes: a fixed number at once, the next as soon as one returns. */
export async function inParallel<T>(
  parallelism: number,
  operations: readonly (() => Promise<T>)[],
): Promise<readonly T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < operations.length; index = next++) {
      results[index] = await (operations[index] as () => Promise<T>)();
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelism, operations.length) }, worker));
  return results;
}
