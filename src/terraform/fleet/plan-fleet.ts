import { defined } from '../../core/lib/defined.ts';
import type { InstallRecall, InstallRequest } from '../../core/model/install-request.ts';
import type { HostId, Observed } from '../../core/model/observed.ts';
import { readTemporaryName } from '../../core/model/temporary-name.ts';
import { planChecksum } from '../../core/plan/document/plan-document.ts';
import { atTime } from '../../core/plan/guards/time-problems.ts';
import { makePlan } from '../../core/plan/make-plan.ts';
import { isEmpty, type PendingInstall, type Plan, type Summary } from '../../core/plan/types/plan.ts';
import type { PlanInputs } from '../../core/plan/types/plan-inputs.ts';
import { ok, type Problem, type Result } from '../../core/problem/problem.ts';
import { expectMuchWork } from '../protocol/plugin/short-process.ts';
import { type DecidedHost, decidedHosts } from './decided-hosts.ts';
import { changesOf, type FleetChange } from './fleet-changes.ts';
import { type FleetText, type InputOptions, loadFleetText, readFleetInputs } from './fleet-inputs.ts';
import { recallFleet } from './run-record.ts';

/** The install requests that no read has shown, as the private state of a resource stores them. */
export interface InstallMemory {
  readonly installs?: readonly (InstallRequest & { readonly hostId: HostId })[];
}

/** The requests that a state folder or a database has, and those that the resource remembers. The later one counts. */
export function withRemembered(recall: InstallRecall, memory: InstallMemory, now: number): InstallRecall {
  const { installs = [] } = memory;
  const requests = new Map(recall.requests);
  for (const { hostId, refreshedAt, ...requested } of installs) {
    const ageMs = now - Date.parse(requested.requestedAt);
    const recorded = requests.get(hostId);
    // A time in the future comes from a wrong clock.
    if (ageMs < 0 || ageMs >= recall.windowMs) continue;
    const isRefreshed = refreshedAt !== undefined && Date.parse(refreshedAt) <= now;
    const request = isRefreshed ? { ...requested, refreshedAt } : requested;
    if (recorded === undefined || lastTime(recorded) < lastTime(request)) requests.set(hostId, request);
  }
  return { ...recall, requests };
}

function lastTime({ requestedAt, refreshedAt = requestedAt }: InstallRequest): number {
  return Date.parse(refreshedAt);
}

/** What several resources remember. */
export function joined(one: InstallMemory, other: InstallMemory): InstallMemory {
  const installs = [...(one.installs ?? []), ...(other.installs ?? [])];
  return installs.length === 0 ? {} : { installs };
}

/** The requests for one host. */
export function installsOf(host: HostId, { installs = [] }: InstallMemory): InstallMemory {
  const own = installs.filter(({ hostId }) => hostId === host);
  return own.length === 0 ? {} : { installs: own };
}

interface Ended {
  readonly pendingInstalls: readonly PendingInstall[];
  readonly applied: readonly Pick<FleetChange, 'kind' | 'hostId'>[];
}

/** What to remember after a run. */
export function memoryOf({ pendingInstalls, applied }: Ended, now: number): InstallMemory {
  const at = new Date(now).toISOString();
  const refreshed = new Set(applied.flatMap(({ kind, hostId }) => (kind === 'refresh' ? [hostId] : [])));
  const installs = pendingInstalls.map(({ hostId, state, requestedAt, refreshedAt }) => {
    const lastRefresh = refreshed.has(hostId) ? at : refreshedAt;
    return {
      hostId,
      state: state === 'in-progress' ? ('accepted' as const) : state,
      requestedAt,
      ...(lastRefresh === undefined ? {} : { refreshedAt: lastRefresh }),
    };
  });
  return installs.length === 0 ? {} : { installs };
}

export type PlanFleetOptions = InputOptions &
  Pick<PlanInputs, 'acks' | 'deleteFirst' | 'skipBlocked' | 'strict' | 'batchSize' | 'ticket'> & {
    /** The install requests that the resource remembers. */
    readonly remembered?: InstallMemory;
  };

/** The changes of a whole desired state, as plain data. */
export interface FleetPlan {
  readonly plan: Plan;
  /** The read that it was made on. */
  readonly observed: Observed;
  /** Numbers of hosts by kind of change. */
  readonly counts: Summary;
  /** Calls that will change the fleet. */
  readonly calls: number;
  readonly changes: readonly FleetChange[];
  /** Identifies an approval: the same steps on the same hosts have the same 64 hexadecimal digits. */
  readonly checksum: string;
  /** Warnings and notes too. */
  readonly problems: readonly Problem[];
  /** False if any problem is an error: then nothing can be applied. */
  readonly applicable: boolean;
  /** There is nothing to do. */
  readonly empty: boolean;
  /** The claims on each host, for finding other resources that manage it too. */
  readonly decided: () => readonly DecidedHost[];
  /** The same intents on a later read. */
  readonly replan: (observed: Observed) => Plan;
  /** The recorded install requests. */
  readonly installs: InstallRecall;
}

/** From this many hosts on, planning takes long enough for optimized code. */
const largeFleet = 5_000;

/**
 * Plans a whole desired state on the shared observation. It fails if the text has errors, if the account differs or if
 * a list can't be read. Problems of single hosts are among the plan's problems.
 */
export async function planFleet(source: FleetText, options: PlanFleetOptions): Promise<Result<FleetPlan>> {
  const desired = await loadFleetText(source, options);
  if (!desired.ok) return desired;
  const inputs = await readFleetInputs(desired.value, options);
  if (!inputs.ok) return inputs;
  if (inputs.value.observed.count >= largeFleet) expectMuchWork();
  const { account, clock, observation } = options.session;
  const recalled = await recallFleet({ ...options, account, clock });
  if (!recalled.ok) return recalled;
  const installs = withRemembered(recalled.value.installs, options.remembered ?? {}, clock.now());
  const { numbers, tables } = recalled.value;
  const inputsOn = (observed: Observed): PlanInputs => ({
    ...planningOptions(options),
    ...inputs.value,
    observed,
    account,
    now: new Date(clock.now()).toISOString(),
    installs,
    ...(numbers === undefined ? {} : { lastNumbers: numbers }),
    ...(tables === undefined ? {} : { lastTables: tables }),
  });
  const planOn = (observed: Observed): Plan => {
    const given = inputsOn(observed);
    return atTime(withoutOtherTemporaryNames(makePlan(given), observed, observation.atFirst), given.now);
  };
  const { observed } = inputs.value;
  const plan = planOn(observed);
  return ok({
    plan,
    observed,
    counts: plan.summary,
    calls: plan.calls.planned,
    changes: changesOf(plan, observed),
    checksum: planChecksum(plan),
    problems: [
      ...desired.problems,
      ...inputs.problems.filter(({ code }) => code !== 'unreadable-host'),
      ...plan.problems,
    ],
    applicable: plan.applicable,
    empty: isEmpty(plan),
    decided: () => decidedHosts(inputsOn(observed)),
    replan: planOn,
    installs,
  });
}

/** Another resource gave the host a temporary name since the first read, and will rename it again. */
function withoutOtherTemporaryNames(plan: Plan, observed: Observed, atFirst: Observed | undefined): Plan {
  const isOnItsWay = (id: HostId) => {
    const name = observed.byId(id)?.name ?? null;
    return readTemporaryName(name) !== undefined && atFirst?.byId(id)?.name !== name;
  };
  const isTheirs = ({ code, hostIds = [] }: Problem) =>
    (code === 'temporary-name-left' || code === 'lookalike-name') &&
    hostIds.length > 0 &&
    hostIds.every((id) => isOnItsWay(id as HostId));
  return { ...plan, problems: plan.problems.filter((each) => !isTheirs(each)) };
}

function planningOptions({ acks, deleteFirst, skipBlocked, strict, batchSize, ticket }: PlanFleetOptions) {
  return defined({ acks, deleteFirst, skipBlocked, strict, batchSize, ticket });
}
