import type { Acks } from '../../../plan/plan.ts';
import { ok, type Result } from '../../../problem/result.ts';
import { applyFleet } from '../../fleet/apply-fleet.ts';
import type { FleetText } from '../../fleet/fleet-inputs.ts';
import { type FleetPlan, type PlanFleetOptions, planFleet } from '../../fleet/plan-fleet.ts';
import type { Call } from '../../protocol/provider/call.ts';
import { type Diagnostic, errorDiagnostic, hasErrors } from '../../protocol/provider/diagnostic.ts';
import type { ConfigOf, KnownConfigOf, PlannedOf, StateOf } from '../../protocol/schema/values-of.ts';
import { isPresent, isUnknown, knownOrNull, unknownValue } from '../../protocol/value/unknown.ts';
import { isWhollyKnown } from '../../protocol/value/value.ts';
import { kit, type Rampart, type Service, withService } from '../service.ts';
import { fleetDiagnostics } from './fleet-diagnostics.ts';
import { fleetSchema } from './fleet-schema.ts';
import { valuesOf } from './fleet-values.ts';

type FleetConfig = ConfigOf<typeof fleetSchema>;
type FleetState = StateOf<typeof fleetSchema>;

const ackKinds: ReadonlySet<string> = new Set(['rename', 'move', 'antivirus', 'delete']);

export const fleetResource = kit.resource({
  schema: fleetSchema,
  validate: ({ acks }) => ackFaults(acks),
  plan: async ({ config, prior, planned }, { client, signal }) => {
    if (!client.service.ok || !isWhollyKnown(config)) return { planned: { ...planned, ...notKnownYet } };
    const service = client.service.value;
    const made = await planFleet(textOf(config), optionsFor(service, config, signal));
    if (!made.ok) return { diagnostics: fleetDiagnostics(made.problems) };
    const diagnostics = fleetDiagnostics(made.value.problems);
    if (hasErrors(diagnostics) || (prior !== null && made.value.empty)) return { diagnostics };
    return {
      diagnostics,
      planned: {
        ...planned,
        id: idOf(service),
        ...valuesOf(made.value),
        applied_at: unknownValue({ nullable: false }),
      },
    };
  },
  create: (change, call) => carryOut(change, call),
  update: (change, call) => carryOut(change, call),
  read: ({ state }) => ({ state: state as FleetState }),
  delete: () => ({}),
});

/** What the plan could not tell is told by the apply. */
const notKnownYet = {
  counts: unknownValue({ nullable: false }),
  calls: unknownValue({ nullable: false }),
  changes: unknownValue({ nullable: false }),
  checksum: unknownValue({ nullable: false }),
  applied_at: unknownValue({ nullable: false }),
};

interface FleetApply {
  readonly planned: PlannedOf<typeof fleetSchema>;
  readonly config: KnownConfigOf<typeof fleetSchema>;
}

interface FleetApplied {
  readonly state?: FleetState;
  readonly diagnostics?: readonly Diagnostic[];
}

/** An apply without an unknown time only takes note of arguments: its plan had no change of any host. */
function carryOut({ planned, config }: FleetApply, call: Call<Rampart>): Promise<FleetApplied> {
  return withService(call, async (service) => {
    const done = isUnknown(planned.applied_at)
      ? await run(service, { planned, config }, call.signal)
      : ok(null);
    if (!done.ok) return { diagnostics: fleetDiagnostics(done.problems) };
    const diagnostics = fleetDiagnostics(done.problems);
    if (hasErrors(diagnostics)) return { diagnostics };
    const at = new Date(service.session.clock.now()).toISOString();
    const ours = done.value === null ? {} : { ...valuesOf(done.value), applied_at: at };
    const known = Object.fromEntries(Object.entries(planned).filter(([, value]) => !isUnknown(value)));
    return { diagnostics, state: { id: idOf(service), ...ours, ...known } as FleetState };
  });
}

async function run(
  service: Service,
  { planned, config }: FleetApply,
  signal: AbortSignal,
): Promise<Result<FleetPlan>> {
  const checksum = knownOrNull(planned.checksum);
  const ran = await applyFleet(textOf(config), {
    ...optionsFor(service, config, signal),
    ...(checksum === null ? {} : { checksum }),
  });
  return ran.ok ? ok(ran.value.planned, ran.value.problems) : ran;
}

function textOf({ content, file }: FleetConfig): FleetText {
  return { text: knownOrNull(content) ?? '', ...(isPresent(file) ? { file } : {}) };
}

function optionsFor(
  { session, stateDir }: Service,
  { acks, skip_blocked, delete_first, strict }: FleetConfig,
  signal: AbortSignal,
): PlanFleetOptions {
  return {
    session,
    signal,
    ...(stateDir === null ? {} : { stateDir }),
    ...(isPresent(acks) ? { acks: acks as Acks } : {}),
    skipBlocked: knownOrNull(skip_blocked) ?? false,
    deleteFirst: knownOrNull(delete_first) ?? false,
    strict: knownOrNull(strict) ?? false,
  };
}

function idOf({ session: { account } }: Service): string {
  return account.companyId ?? account.service;
}

function ackFaults(acks: FleetConfig['acks']): readonly Diagnostic[] {
  const unheard = Object.keys(isPresent(acks) ? acks : {}).filter((kind) => !ackKinds.has(kind));
  return unheard.map((kind) =>
    errorDiagnostic(`There is no change of the kind ${JSON.stringify(kind)}`, {
      detail: `Kinds are ${[...ackKinds].join(', ')}.`,
      path: ['acks', kind],
    }),
  );
}
