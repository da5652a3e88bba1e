import { changeKinds } from '../../../core/model/policy.ts';
import { joined } from '../../fleet/plan-fleet.ts';
import { type Diagnostic, errorDiagnostic } from '../../protocol/provider/call.ts';
import { isPresent, type RecordValue } from '../../protocol/value/value.ts';
import { duringPlan, kit, planning, withService } from '../service.ts';
import { fleetSchema } from './fleet-schema.ts';
import { type FleetConfig, type FleetResourceState, fleetMemoryFrom } from './fleet-values.ts';

const ackKinds: ReadonlySet<string> = new Set(changeKinds);

export const fleetResource = kit.resource({
  schema: fleetSchema,
  identity: {
    attributes: {
      account: {
        type: 'string',
        required: true,
        description:
          'The company ID of the account, or the address of the service if the credentials do not include it.',
      },
    },
    of: ({ id }) => ({ account: id }),
  },
  async validate(config) {
    const faults = [...ackFaults(config.acks), ...groupFaults(config)];
    return [...faults, ...(await import('./validate-fleet.ts')).desiredFaults(config)];
  },
  forget: (stored) => ({ ...stored, changes: {} }),
  plan: (change, call) =>
    planning(call, async () => (await import('./plan-whole-fleet.ts')).planWholeFleet(change, call)),
  create: async (change, call) =>
    (await import('./plan-whole-fleet.ts')).applyWholeFleet({ ...change, prior: null }, call),
  update: async (change, call) => (await import('./plan-whole-fleet.ts')).applyWholeFleet(change, call),
  read: ({ state, private: stored }, call) =>
    duringPlan(call, async () =>
      (await import('./read-whole-fleet.ts')).readWholeFleet(
        { state: state as FleetResourceState, private: stored },
        call,
      ),
    ),
  delete({ private: stored }, { client: { service } }) {
    if (!service.ok) return {};
    service.value.remembered = joined(service.value.remembered, fleetMemoryFrom(stored));
    return {};
  },
  import: (target, call) =>
    withService(call, async (service) => {
      const account = target.by === 'id' ? target.id : String(target.identity['account'] ?? '');
      return (await import('./import-fleet.ts')).importFleet(service, account, call.signal);
    }),
});

function ackFaults(acks: FleetConfig['acks']): readonly Diagnostic[] {
  const unheard = Object.keys(isPresent(acks) ? acks : {}).filter((kind) => !ackKinds.has(kind));
  return unheard.map((kind) =>
    errorDiagnostic(`${JSON.stringify(kind)} is not a kind of change`, {
      detail: `Kinds are ${[...ackKinds].join(', ')}.`,
      path: ['acks', kind],
    }),
  );
}

/** A group has only one name. */
function groupFaults({ host, rule, group }: FleetConfig): readonly Diagnostic[] {
  return [
    ...pairFaults('host', host, ['group', 'group_id']),
    ...pairFaults('rule', rule, ['group', 'group_id']),
    ...pairFaults('group', group, ['name', 'id']),
    ...pairFaults('group', group, ['others_to', 'others_to_id']),
  ];
}

function pairFaults(
  block: string,
  items: unknown,
  [name, id]: readonly [string, string],
): readonly Diagnostic[] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: RecordValue, index) =>
    isPresent(item[name]) && isPresent(item[id])
      ? [errorDiagnostic(`Only one of ${name} and ${id} may be set`, { path: [block, index, id] })]
      : [],
  );
}
