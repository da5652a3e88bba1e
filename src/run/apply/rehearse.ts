import { createVirtualClock } from '../../core/lib/virtual-clock.ts';
import { ungroupedId } from '../../core/model/group.ts';
import { hostsOf, type Observed } from '../../core/model/observed.ts';
import type { Pace, Rehearsal, RehearsedRun } from '../../core/plan/types/forecast.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { ok } from '../../core/problem/result.ts';
import { createAdaptivePacer } from '../../service/client/adaptive-pacer.ts';
import { createClient } from '../../service/client/create-client.ts';
import type { Action } from '../../service/contract/api.ts';
import { createEmulator, type Emulator } from '../../service/emulator/emulator.ts';
import type { FaultRule } from '../../service/emulator/fault.ts';
import { type FleetState, fleetState } from '../../service/emulator/fleet-state.ts';
import type { RateLimit } from '../../service/emulator/limiter.ts';
import { createFleetReader } from '../../service/wire/create-fleet-reader.ts';
import { createFleetWriter } from '../../service/wire/create-fleet-writer.ts';
import type { Journal } from '../state/journal/journal.ts';
import { applyPlan } from './apply-plan.ts';

export interface RehearseOptions {
  /** The pace of the emulator. If absent, a reply takes 0.1 s and nothing is limited. */
  readonly pace?: Pace;
  /** Selects the calls that fail in the run with faults; the same seed gives the same faults. */
  readonly seed?: number;
}

/** Runs the plan in virtual time on an emulator with the observed fleet: once without and once with faults. */
export async function rehearse(
  plan: Plan,
  observed: Observed,
  options: RehearseOptions = {},
): Promise<Rehearsal> {
  return {
    withoutFaults: await runOnEmulator(plan, observed, options, []),
    withFaults: await runOnEmulator(plan, observed, options, injectedFaults(options.seed ?? 1)),
  };
}

/** About one call in ten: replies lost before and after the commit, service errors, rate limit refusals. */
function injectedFaults(seed: number): readonly FaultRule[] {
  return [
    { action: 'writes', probability: 0.03, seed, effect: { kind: 'drop', when: 'after' } },
    { action: 'writes', probability: 0.03, seed: seed + 1, effect: { kind: 'drop', when: 'before' } },
    { probability: 0.02, seed: seed + 2, effect: { kind: 'status', status: 500 } },
    { action: 'writes', probability: 0.02, seed: seed + 3, effect: { kind: 'rate-limit', retryDelay: 1 } },
  ];
}

async function runOnEmulator(
  plan: Plan,
  observed: Observed,
  options: RehearseOptions,
  faults: readonly FaultRule[],
): Promise<RehearsedRun> {
  const start = Date.parse(observed.takenAt);
  const clock = createVirtualClock(start, { auto: true });
  const pace = options.pace ?? { rate: Number.POSITIVE_INFINITY, latency: 0.1 };
  const latency: FaultRule = { effect: { kind: 'latency', ms: pace.latency * 1000 } };
  const emulator = createEmulator({
    state: toFleetState(observed),
    clock,
    faults: [latency, ...faults],
    ...(Number.isFinite(pace.rate) ? { limits: limitsAt(pace.rate) } : {}),
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
    journal: forgetful,
    clock,
    stop: new AbortController().signal,
    onEvent: () => {},
  });
  const writes = emulator.requests.filter(({ action }) => action !== null && writeActionNames.has(action));
  return {
    calls: writes.length,
    conflicts: writes.filter(({ status }) => status === 409).length,
    refusals: writes.filter(({ status }) => status === 429).length,
    minutes: Math.round((clock.now() - start) / 600) / 100,
    converged: account.verified === true,
  };
}

const writeActionNames: ReadonlySet<string> = new Set([
  'renameHost',
  'moveHosts',
  'deleteHosts',
  'installAntivirus',
] satisfies readonly Action[]);

function limitsAt(rate: number): Parameters<Emulator['setLimits']>[0] {
  const limit: RateLimit = {
    kind: 'token-bucket',
    perSecond: rate,
    burst: Math.max(1, Math.round(rate / 5)),
  };
  return { renameHost: limit, moveHosts: limit, deleteHosts: limit, installAntivirus: limit };
}

function toFleetState(observed: Observed): FleetState {
  return fleetState({
    groups: observed.groups.filter((group) => group.id !== ungroupedId),
    hosts: hostsOf(observed).map(({ id, name, groupId, online, antivirus }) => ({
      id,
      name,
      groupId,
      online,
      ...(antivirus === undefined ? {} : { antivirus }),
    })),
  });
}

/** A rehearsal leaves no records. */
const forgetful: Journal = {
  runId: 'rehearsal',
  begin: async () => ok(null),
  outcome: async () => {},
  end: async () => {},
};
