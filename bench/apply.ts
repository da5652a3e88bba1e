/**
 * Whole reorganizations in virtual time: the real planner, client, pacer and apply engine on the emulator, whose 429
 * responses specify the wait in whole seconds in one case, and not in the other. Calls are shown as a ratio to the
 * minimum, the time as a ratio to the shortest that the limit allows: renames ÷ rate.
 */

import { createVirtualClock } from '../src/core/lib/virtual-clock.ts';
import type { Desired } from '../src/core/model/desired.ts';
import { type Entry, entryTable } from '../src/core/model/entry.ts';
import {
  type GroupId,
  type HostId,
  type Observed,
  observe,
  ungroupedId,
} from '../src/core/model/observed.ts';
import { defaultLimits, noPolicy } from '../src/core/model/policy.ts';
import { makePlan } from '../src/core/plan/make-plan.ts';
import type { Pace } from '../src/core/plan/types/forecast.ts';
import type { Plan } from '../src/core/plan/types/plan.ts';
import { ok } from '../src/core/problem/problem.ts';
import { applyPlan } from '../src/run/apply/apply-plan.ts';
import { createAdaptivePacer } from '../src/service/client/adaptive-pacer.ts';
import { createClient } from '../src/service/client/create-client.ts';
import { createEmulator } from '../src/service/emulator/emulator.ts';
import { fleetState } from '../src/service/emulator/fleet-state.ts';
import type { RateLimit } from '../src/service/emulator/limiter.ts';
import { createRandom } from '../src/service/emulator/random.ts';
import { createFleetReader } from '../src/service/wire/create-fleet-reader.ts';
import { createFleetWriter } from '../src/service/wire/create-fleet-writer.ts';
import { isQuick } from './measure/quick.ts';
import { openReport } from './report/report.ts';

const sizes = isQuick ? [100, 1_000] : [100, 1_000, 10_000];
const paces: readonly Pace[] = [
  { rate: 50, latency: 0.1 },
  { rate: 50, latency: 0.4 },
];
const start = Date.parse('2026-01-01T00:00:00Z');
const group = { id: '10' as GroupId, name: 'Berlin' };

const columns = [
  'hosts',
  'rate',
  'latency',
  'wait in 429',
  'calls',
  '÷ minimum',
  'refused',
  'seconds',
  'forecast',
  '÷ calls/rate',
];
const report = openReport(
  'Whole runs in virtual time',
  'A random permutation of all names, with a third of the hosts moved and one in a hundred deleted. Calls are shown as a ratio to the minimum, time as a ratio to renames ÷ rate',
);
const print = report.table(columns);
for (const size of sizes) {
  for (const pace of paces) {
    const observed = fleetOf(size);
    const desired = permuted(observed);
    for (const retryDelay of [true, false]) {
      const plan = makePlan({
        desired,
        observed,
        account: { companyId: '1', service: 'bench' },
        now: new Date(start).toISOString(),
        pace,
      });
      const { writes, renames, refused, seconds, converged } = await run(plan, observed, {
        ...pace,
        retryDelay,
      });
      print([
        String(size),
        `${pace.rate}/s`,
        `${pace.latency} s`,
        retryDelay ? 'seconds' : 'nothing',
        String(writes),
        (writes / plan.calls.minimum).toFixed(3),
        `${((100 * refused) / writes).toFixed(1)} %`,
        seconds.toFixed(1),
        String(plan.forecast?.seconds),
        `${(seconds / (renames / pace.rate)).toFixed(2)}${converged ? '' : ' (not converged)'}`,
      ]);
    }
  }
}

function fleetOf(size: number): Observed {
  return observe({
    takenAt: new Date(start).toISOString(),
    lists: [],
    groups: [{ id: ungroupedId, name: null }, group],
    hosts: Array.from({ length: size }, (_, index) => ({
      id: String(9007199254740993n + BigInt(index)) as HostId,
      name: `host-${index}`,
      groupId: ungroupedId,
      online: true,
    })),
  });
}

/** Some hosts to be deleted own names that other hosts need, so they get temporary names first. */
function permuted(observed: Observed): Desired {
  const random = createRandom(1);
  const names = Array.from({ length: observed.count }, (_, index) => index);
  for (let index = names.length - 1; index > 0; index -= 1) {
    const other = random.below(index + 1);
    [names[index], names[other]] = [names[other] as number, names[index] as number];
  }
  const entries = names.map((name, index): Entry => {
    const { id } = observed.at(index);
    if (index % 100 === 50) return { index, id, previously: [], antivirus: false, ensure: 'absent' };
    const intent = index % 3 === 0 ? { group: { kind: 'id', id: group.id } as const } : {};
    return {
      index,
      id,
      name: `host-${name}`,
      previously: [],
      antivirus: false,
      ensure: 'present',
      ...intent,
    };
  });
  const positionOf = (index: number) => ({ file: 'fleet.yaml', line: index + 1, col: 1 });
  return {
    files: ['fleet.yaml'],
    limits: defaultLimits,
    limitPlaces: {},
    ...entryTable(entries),
    placeOf: positionOf,
    positionOf,
    rules: [],
    placeOfRule: () => ({ file: 'fleet.yaml', line: 1, col: 1 }),
    policy: noPolicy,
    knownDrift: [],
  };
}

interface Service extends Pace {
  /** A wait in 429 how long to wait. */
  readonly retryDelay: boolean;
}

async function run(plan: Plan, observed: Observed, { rate, latency, retryDelay }: Service) {
  const clock = createVirtualClock(start, { auto: true });
  const limit: RateLimit = { kind: 'token-bucket', perSecond: rate, burst: Math.round(rate / 5) };
  const emulator = createEmulator({
    state: fleetState({
      groups: [group],
      hosts: Array.from({ length: observed.count }, (_, index) => {
        const { id, name } = observed.at(index);
        return { id, name };
      }),
    }),
    clock,
    switches: { retryDelay },
    limits: { renameHost: limit, moveHosts: limit, deleteHosts: limit },
    faults: [{ effect: { kind: 'latency', ms: latency * 1000 } }],
  });
  const { companyId, psk } = emulator.credentials;
  const client = createClient({
    exchange: emulator.exchange,
    credentials: { kind: 'basic', companyId, psk },
    clock,
    pacers: () => createAdaptivePacer({ clock }),
    random: () => 0.5,
  });
  const account = await applyPlan({
    plan,
    observed,
    reader: createFleetReader(client, { clock }),
    writer: createFleetWriter(client),
    journal: {
      runId: 'bench',
      begin: async () => ok(null),
      outcome: async () => {},
      end: async () => ok(null),
    },
    clock,
    stop: new AbortController().signal,
    onEvent: () => {},
  });
  const writes = emulator.requests.filter(({ method }) => method !== 'GET');
  return {
    writes: writes.length,
    renames: plan.calls.byAction.rename,
    refused: writes.filter(({ status }) => status === 429).length,
    seconds: (clock.now() - start) / 1000,
    converged: account.converged === true,
  };
}
