import { createVirtualClock, type VirtualClock } from '../../src/core/lib/virtual-clock.ts';
import { type InstallRecall, nothingRecalled } from '../../src/core/model/install-request.ts';
import type { Observed } from '../../src/core/model/observed.ts';
import { makePlan } from '../../src/core/plan/make-plan.ts';
import type { Plan } from '../../src/core/plan/types/plan.ts';
import type { Exchange } from '../../src/service/contract/message.ts';
import type { Edit } from '../../src/service/emulator/edit.ts';
import { createEmulator, type Emulator, type RateLimits } from '../../src/service/emulator/emulator.ts';
import { type FaultRule, faultsOf } from '../../src/service/emulator/fault.ts';
import { type FleetState, fleetState } from '../../src/service/emulator/fleet-state.ts';
import { givenGroups } from '../given/arbitrary-fleet.ts';
import { givenDesired, noLimits } from '../given/desired.ts';
import { at, type GivenHost } from '../given/fleet.ts';
import { readWrite, type View, type WriteCall } from './call-log.ts';
import type { DatabaseShelf } from './database-shelf.ts';
import { createJournalShelf, type JournalShelf } from './journal-shelf.ts';
import { type Ended, type RunOptions, runOnce } from './one-run.ts';
import type { SmallFleet } from './small-fleets.ts';

/** Someone else, who makes these edits just before a run's call of this number (from 0) is carried out. */
export interface Human {
  readonly before: number;
  readonly edits: readonly Edit[];
}

export interface WorldOptions {
  readonly faults?: readonly FaultRule[];
  readonly limits?: RateLimits;
  /** From a call to its arrival, in milliseconds; 20 when absent. */
  readonly latencyMs?: number;
  /** Holds the journals instead of memory; such a world has no forks. */
  readonly database?: DatabaseShelf;
}

/** The service with one fleet, the state folder, and a record of all requests to the service. */
export interface World {
  readonly fleet: SmallFleet;
  readonly initial: FleetState;
  readonly clock: VirtualClock;
  readonly shelf: JournalShelf;
  readonly emulator: Emulator;
  readonly writes: readonly WriteCall[];
  /** By the number of the run; undefined if it had none. */
  readonly plans: readonly (Plan | undefined)[];
  /** What someone else has done, as far as the console let them. */
  readonly edits: readonly Edit[];
  /** How often each host's install was taken on. */
  installs(): ReadonlyMap<string, number>;
  run(options?: RunOptions & { readonly human?: Human }): Promise<Ended>;
  /** Another run during which the process dies may leave calls in flight: they arrive now. */
  drain(): Promise<void>;
  /** Some list may be outdated. */
  readonly listsMayBeStale: boolean;
  setFaults(faults: readonly FaultRule[]): void;
  planOn(observed: Observed, installs?: InstallRecall): Plan;
  /** A copy of the world, to try another future; nothing may be in flight. */
  fork(): World;
}

export const account = { companyId: '1234567890', service: 'https://remote.example.com' };

interface Past {
  readonly initial: FleetState;
  readonly state: FleetState;
  readonly now: number;
  readonly shelf: JournalShelf | null;
  readonly writes: readonly WriteCall[];
  readonly plans: readonly (Plan | undefined)[];
  readonly edits: readonly Edit[];
  readonly installs: ReadonlyMap<string, number>;
}

export function createWorld(fleet: SmallFleet, options: WorldOptions = {}): World {
  const state = fleetState({
    groups: Object.entries(givenGroups).map(([id, name]) => ({ id, name })),
    hosts: fleet.hosts.map(toHostParts),
  });
  const nothing = { shelf: null, writes: [], plans: [], edits: [], installs: new Map() };
  return worldAfter({ initial: state, state, now: Date.parse(at), ...nothing }, fleet, options);
}

export function toHostParts({ id, name, group, online, antivirus }: GivenHost) {
  return {
    id: String(id),
    name,
    groupId: String(group ?? -1),
    online: online ?? true,
    antivirus: { installed: antivirus === 'installed', supported: antivirus !== 'unsupported' },
  };
}

function worldAfter(past: Past, fleet: SmallFleet, options: WorldOptions): World {
  const clock = createVirtualClock(past.now, {
    auto: true,
    ...(options.database === undefined ? {} : { settle: options.database.settle }),
  });
  const shelf = past.shelf?.fork(clock) ?? createJournalShelf(account, clock);
  const writes = [...past.writes];
  const plans = [...past.plans];
  const edits = [...past.edits];
  const latencyMs = options.latencyMs ?? 20;
  const onTheirWay = new Map<number, WriteCall>();
  let faults = options.faults ?? [];
  let human: Human | undefined;

  const emulator = createEmulator({
    state: past.state,
    clock,
    switches: { ...fleet.switches },
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    faults: (call) => [{ kind: 'latency', ms: latencyMs }, ...faultsOf(faults, call)],
    hooks: {
      beforeEach({ index }) {
        if (index === human?.before)
          for (const edit of human.edits) if (emulator.edit(edit)) edits.push(edit);
        const write = onTheirWay.get(index);
        if (write === undefined) return;
        const hosts = new Map(emulator.state().hosts.map((host) => [host.id, host]));
        write.truth = new Map(write.hosts.map((id) => [id, hosts.get(id)]));
      },
      afterEach({ index }, status) {
        const write = onTheirWay.get(index);
        if (write !== undefined) write.status = status;
      },
    },
  });
  const { companyId, psk } = emulator.credentials;
  const desired = givenDesired(fleet.entries, noLimits);

  function recorded(run: number, view: () => View): Exchange {
    return (request, exchangeOptions) => {
      const index = emulator.requests.length;
      const reply = emulator.exchange(request, exchangeOptions);
      const arrived = emulator.requests[index];
      const write = arrived === undefined ? undefined : readWrite(arrived);
      if (write !== undefined) {
        const call: WriteCall = { run, ...write, view: view(), truth: null, status: null };
        writes.push(call);
        onTheirWay.set(index, call);
      }
      return reply;
    };
  }

  const installs = () =>
    new Map(
      past.state.hosts.map(({ id }) => [id, (past.installs.get(id) ?? 0) + (emulator.installs.get(id) ?? 0)]),
    );
  const world: World = {
    fleet,
    initial: past.initial,
    clock,
    shelf,
    emulator,
    writes,
    plans,
    edits,
    installs,
    async run({ human: someone, ...runOptions } = {}) {
      const run = plans.push(undefined) - 1;
      const from = emulator.requests.length;
      human = someone === undefined ? undefined : { ...someone, before: from + someone.before };
      let view: View = new Map();
      return runOnce(
        {
          exchange: recorded(run, () => view),
          clock,
          companyId,
          psk,
          shelf: options.database?.shelf(account, clock) ?? shelf,
          readsAntivirus: fleet.entries.some((entry) => entry.antivirus === true),
          planOn: world.planOn,
          onView: (seen) => {
            view = withKnownGroups(seen, view);
          },
          onPlan: (plan) => {
            plans[run] = plan;
          },
        },
        runOptions,
      );
    },
    listsMayBeStale: faults.some(({ effect }) => [effect].flat().some(({ kind }) => kind === 'stale-list')),
    drain: () => clock.sleep(60_000),
    setFaults(rules) {
      faults = rules;
    },
    planOn: (observed, installs = nothingRecalled) =>
      makePlan({
        desired,
        observed,
        account,
        now: new Date(clock.now()).toISOString(),
        installs,
        ...(fleet.batchSize === undefined ? {} : { batchSize: fleet.batchSize }),
      }),
    fork: () =>
      worldAfter(
        {
          initial: past.initial,
          state: emulator.state(),
          now: clock.now(),
          shelf,
          writes,
          plans,
          edits,
          installs: installs(),
        },
        fleet,
        { ...options, faults },
      ),
  };
  return world;
}

/** The list of names shows no groups: their values from an earlier read are still valid. */
function withKnownGroups(seen: View, before: View): View {
  return new Map(
    [...seen].map(([id, shown]) => {
      const groupId = shown.groupId ?? before.get(id)?.groupId;
      return [id, { name: shown.name, ...(groupId === undefined ? {} : { groupId }) }];
    }),
  );
}
