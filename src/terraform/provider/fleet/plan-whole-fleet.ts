import { sha256Hex } from '../../../core/lib/hash.ts';
import { ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import { applyFleet } from '../../fleet/apply-fleet.ts';
import type { DecidedHost } from '../../fleet/decided-hosts.ts';
import { type FleetPlan, type InstallMemory, memoryOf, planFleet } from '../../fleet/plan-fleet.ts';
import { hasErrorDiagnostics, type ProviderCall, warningDiagnostic } from '../../protocol/provider/call.ts';
import type { ApplyInput, ApplyReply, PlanInput, PlanReply } from '../../protocol/provider/resource.ts';
import { isUnknown, isWhollyKnown, knownOrNull, unknownNotNull } from '../../protocol/value/value.ts';
import { type ProviderService, type Rampart, withService } from '../service.ts';
import { summarizeProblems, theRest } from '../summarize-problems.ts';
import { fleetDiagnostics } from './fleet-diagnostics.ts';
import { idOf, optionsFor, spentAcks, textOf } from './fleet-options.ts';
import {
  type FleetConfig,
  type FleetResourceState,
  type FleetValues,
  fleetMemoryFrom,
  valuesOf,
} from './fleet-values.ts';
import { fleetChanged, nothingShown } from './shown-fleet.ts';

/** The pending changes as computed attributes. Without any, those of the latest apply are kept. */
export async function planWholeFleet(
  { config, prior, planned, private: stored, approved }: PlanInput<FleetValues>,
  { client, signal }: ProviderCall<Rampart>,
): Promise<PlanReply<FleetValues>> {
  if (!client.service.ok || !isWhollyKnown(config)) {
    return { planned: { ...planned, ...notKnownYet }, diagnostics: [changesNotShown] };
  }
  const service = client.service.value;
  // A tainted resource has no prior state, and Terraform does not pass what it remembers.
  const remembered = prior === null ? service.remembered : fleetMemoryFrom(stored);
  const options = optionsFor(service, config, { prior, remembered, signal });
  const made = await planFleet(textOf(config), { ...options, view: 'at-first' });
  if (!made.ok) return { diagnostics: fleetDiagnostics(made.problems, config) };
  const problems = [...claimHosts(made.value.decided(), service, { config, prior }), ...made.value.problems];
  const reported = summarizeProblems(problems, restOfPlan);
  const diagnostics = fleetDiagnostics(reported, config, spentAcks(config, prior));
  if (hasErrorDiagnostics(diagnostics)) return { diagnostics };
  const hasNoChanges = prior !== null && made.value.empty;
  const values = valuesOf(made.value);
  const { checksum, summary } = hasNoChanges ? nothingShown : values;
  const before = fleetMemoryFrom(approved).shown;
  const changed = before === undefined ? undefined : fleetChanged(before, { checksum, summary });
  if (changed !== undefined) return { diagnostics: fleetDiagnostics([changed], config) };
  if (hasNoChanges) return { diagnostics };
  return {
    diagnostics,
    private: { ...remembered, shown: { checksum, summary } },
    planned: {
      ...planned,
      id: idOf(service),
      ...values,
      applied_at: unknownNotNull,
    },
  };
}

const restOfPlan = '`rampart plan` with the same desired state lists all of them.';

/** The apply reports values that the plan did not know. */
const notKnownYet = {
  summary: unknownNotNull,
  counts: unknownNotNull,
  calls: unknownNotNull,
  changes: unknownNotNull,
  drift: unknownNotNull,
  checksum: unknownNotNull,
  applied_at: unknownNotNull,
};

const changesNotShown = warningDiagnostic('This plan does not show which hosts the apply changes', {
  detail:
    'The desired state, or the provider block, depends on values that are known after the apply. The apply checks limits and policies before it sends anything. To see the changes first, apply the resources that they depend on with -target, then plan again.',
});

const maxReported = 20;

/** Claims every host of a whole desired state, and reports those that another resource manages. */
function claimHosts(
  decided: readonly DecidedHost[],
  { claims, names, session }: ProviderService,
  { config, prior }: { readonly config: FleetConfig; readonly prior: FleetResourceState | null },
): readonly Problem[] {
  const resource = `rampart_fleet ${sha256Hex(JSON.stringify(config))}`;
  const by = { resource, isStored: prior !== null };
  const rivalries = decided.flatMap(({ hostId, name, group, isToGo }): readonly Problem[] => {
    if (isToGo || (name !== undefined && session.hostNow(hostId)?.name !== name)) names.releases(hostId);
    const called = isToGo ? 'its deletion' : name;
    const named = called === undefined ? undefined : claims.claim(hostId, 'name', { intended: called, by });
    const grouped = group === undefined ? undefined : claims.claim(hostId, 'group', { intended: group, by });
    const unique = isToGo || name === undefined ? undefined : claims.claimName(hostId, name, by);
    return [named, unique, grouped, ...claims.claimHost(hostId, isToGo)].filter((each) => each !== undefined);
  });
  const all = [...rivalries, ...claims.ofOtherBlocks()];
  const more = all.slice(maxReported);
  return more.length === 0 ? all : [...all.slice(0, maxReported), andMore(more)];
}

function andMore(rivalries: readonly Problem[]): Problem {
  const hostIds = [...new Set(rivalries.flatMap((each) => each.hostIds ?? []))];
  return problem('host-claimed-twice', `another resource manages ${hostIds.length} more of these hosts`, {
    hint: 'let only one resource manage them',
    hostIds,
  });
}

interface FleetApply extends ApplyInput<FleetValues> {
  readonly prior: FleetResourceState | null;
}

/** An apply without an unknown time only records arguments: its plan did not change any host. */
export function applyWholeFleet(
  change: FleetApply,
  call: ProviderCall<Rampart>,
): Promise<ApplyReply<FleetValues>> {
  const { planned, prior } = change;
  return withService(call, async (service) => {
    const done = isUnknown(planned.applied_at) ? await run(service, change, call.signal) : ok(null);
    const diagnostics = fleetDiagnostics(done.problems, planned);
    if (!done.ok) return { diagnostics };
    const remembered = done.value === null ? {} : { private: done.value.memory };
    const isPending = done.value?.memory.installs !== undefined;
    // An update keeps its state. A creation is stored only to remember its installs: Terraform taints it.
    if (hasErrorDiagnostics(diagnostics) && !(prior === null && isPending))
      return { ...remembered, diagnostics };
    const at = new Date(service.session.clock.now()).toISOString();
    const ours = done.value === null ? {} : { ...valuesOf(done.value.applied), applied_at: at };
    const known = Object.fromEntries(Object.entries(planned).filter(([, value]) => !isUnknown(value)));
    return {
      ...remembered,
      diagnostics,
      state: { id: idOf(service), ...ours, ...known } as FleetResourceState,
    };
  });
}

async function run(
  service: ProviderService,
  { planned, prior, private: stored }: FleetApply,
  signal: AbortSignal,
): Promise<Result<{ readonly applied: FleetPlan; readonly memory: InstallMemory }>> {
  const checksum = knownOrNull(planned.checksum);
  const ran = await applyFleet(textOf(planned), {
    ...optionsFor(service, planned, { prior, remembered: fleetMemoryFrom(stored), signal }),
    ...(checksum === null ? {} : { checksum }),
  });
  if (!ran.ok) return ran;
  const { planned: applied, problems, runId } = ran.value;
  const memory = memoryOf(ran.value, service.session.clock.now());
  return ok({ applied, memory }, summarizeProblems(problems, whereRestIs(runId)));
}

function whereRestIs(runId: string | null): string {
  return runId === null
    ? theRest
    : `\`rampart runs show ${runId}\` lists all of them, and the next plan shows what is left.`;
}
