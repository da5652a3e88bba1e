import { createVirtualClock } from '../../core/lib/virtual-clock.ts';
import { hostsOf, type Observed, ungroupedId } from '../../core/model/observed.ts';
import type { Pace, Rehearsal, RehearsedRun } from '../../core/plan/types/forecast.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import type { RunSummary } from '../../core/plan/types/run-summary.ts';
import { hostIdsOf } from '../../core/plan/types/step.ts';
import { ok, type Problem } from '../../core/problem/problem.ts';
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
  /** The pace of the emulator. If absent, a response takes 0.1 s and nothing is limited. */
  readonly pace?: Pace | undefined;
  /** Selects the calls that fail in the run with faults; the same seed gives the same faults. */
  readonly seed?: number;
  /** Aborted: both runs end at a safe point, and are not verified. */
  readonly stop?: AbortSignal;
}

export const unlimited: Pace = { rate: Number.POSITIVE_INFINITY, latency: 0.1 };

/** The outcome of one run of a rehearsal, step by step. */
export interface RehearsedSteps {
  readonly total: number;
  /** Steps whose hosts have the planned state, including those that needed no call. */
  readonly done: number;
  readonly failed: number;
  readonly inDoubt: number;
  /** Steps that did not begin. */
  readonly skipped: number;
}

/** The outcome of the steps that got a 409. */
export interface RehearsedConflicts {
  /** A read showed that the host had the name already. */
  readonly already: number;
  /** The call was sent again, and accepted. */
  readonly repeated: number;
  /** The step failed. */
  readonly failed: number;
}

/** One run of a rehearsal in detail. */
export interface DetailedRun extends RehearsedRun {
  readonly steps: RehearsedSteps;
  readonly resolved: RehearsedConflicts;
  /** Problems of the run and of its steps. */
  readonly problems: readonly Problem[];
}

/** Runs the plan in virtual time on an emulator with the observed fleet: once without and once with faults. */
export async function rehearse(
  plan: Plan,
  observed: Observed,
  options: RehearseOptions = {},
): Promise<Rehearsal> {
  const { withoutFaults, withFaults } = await rehearseInDetail(plan, observed, options);
  return { withoutFaults: figuresOf(withoutFaults), withFaults: figuresOf(withFaults) };
}

/** The same, with what became of each step. */
export async function rehearseInDetail(
  plan: Plan,
  observed: Observed,
  options: RehearseOptions = {},
): Promise<{ readonly withoutFaults: DetailedRun; readonly withFaults: DetailedRun }> {
  return {
    withoutFaults: await runOnEmulator(plan, observed, options, []),
    withFaults: await runOnEmulator(plan, observed, options, injectedFaults(options.seed ?? 1)),
  };
}

function figuresOf({ calls, conflicts, refusals, minutes, converged }: DetailedRun): RehearsedRun {
  return { calls, conflicts, refusals, minutes, converged };
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
): Promise<DetailedRun> {
  const start = Date.parse(observed.takenAt);
  const clock = createVirtualClock(start, { auto: true });
  const pace = options.pace ?? unlimited;
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
  const summary = await applyPlan({
    plan,
    observed,
    reader: createFleetReader(client, { clock }),
    writer: createFleetWriter(client),
    journal: forgetful,
    clock,
    stop: options.stop ?? new AbortController().signal,
    onEvent: () => {},
  });
  const writes = emulator.requests.filter(({ action }) => action !== null && writeActionNames.has(action));
  return {
    calls: writes.length,
    conflicts: writes.filter(({ status }) => status === 409).length,
    refusals: writes.filter(({ status }) => status === 429).length,
    minutes: Math.round((clock.now() - start) / 600) / 100,
    converged: summary.verified === true,
    steps: stepsOf(summary),
    resolved: resolvedIn(summary, writes),
    problems: [
      ...summary.problems,
      ...summary.steps.flatMap(({ problem }) => (problem === undefined ? [] : [problem])),
    ],
  };
}

function stepsOf({ steps }: RunSummary): RehearsedSteps {
  const count = (...outcomes: readonly string[]) =>
    steps.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    total: steps.length,
    done: count('done', 'already'),
    failed: count('failed'),
    inDoubt: count('unknown'),
    skipped: count('skipped', 'not-started'),
  };
}

/** Only renames can get a 409. */
function resolvedIn({ steps }: RunSummary, writes: Emulator['requests']): RehearsedConflicts {
  const statuses = new Map<string, (number | null)[]>();
  for (const { action, path, status } of writes) {
    const [, host] = /\/hosts\/([^/]+)\/description$/.exec(path) ?? [];
    if (action !== 'renameHost' || host === undefined) continue;
    const known = statuses.get(host) ?? [];
    statuses.set(host, [...known, status]);
  }
  const failed = new Set(
    steps
      .filter(({ outcome }) => outcome === 'failed' || outcome === 'unknown')
      .flatMap(({ step }) => hostIdsOf(step) as readonly string[]),
  );
  const resolved = { already: 0, repeated: 0, failed: 0 };
  for (const [host, answers] of statuses) {
    const conflict = answers.lastIndexOf(409);
    if (conflict < 0) continue;
    if (failed.has(host)) resolved.failed += 1;
    else if (answers.slice(conflict + 1).some((status) => status !== null && status < 300))
      resolved.repeated += 1;
    else resolved.already += 1;
  }
  return resolved;
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
  end: async () => ok(null),
};
