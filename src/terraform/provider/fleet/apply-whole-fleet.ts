import { ok, type Result } from '../../../core/problem/problem.ts';
import { applyFleet } from '../../fleet/apply-fleet.ts';
import { type InstallMemory, memoryOf } from '../../fleet/install-memory.ts';
import type { FleetPlan } from '../../fleet/plan-fleet.ts';
import { type Diagnostic, hasErrorDiagnostics, type ProviderCall } from '../../protocol/provider/call.ts';
import type { PlannedOf } from '../../protocol/schema/values-of.ts';
import { isUnknown, knownOrNull } from '../../protocol/value/value.ts';
import { type ProviderService, type Rampart, withService } from '../service.ts';
import { summarizeProblems, theRest } from '../summarize-problems.ts';
import { fleetDiagnostics } from './fleet-diagnostics.ts';
import { idOf, optionsFor, textOf } from './fleet-options.ts';
import type { fleetSchema } from './fleet-schema.ts';
import { type FleetResourceState, fleetMemoryFrom, valuesOf } from './fleet-values.ts';

interface FleetApply {
  readonly planned: PlannedOf<typeof fleetSchema>;
  readonly prior: FleetResourceState | null;
  readonly private: unknown;
}

interface FleetApplied {
  readonly state?: FleetResourceState;
  readonly private?: InstallMemory;
  readonly diagnostics?: readonly Diagnostic[];
}

/** An apply without an unknown time only records arguments: its plan did not change any host. */
export function applyWholeFleet(change: FleetApply, call: ProviderCall<Rampart>): Promise<FleetApplied> {
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
