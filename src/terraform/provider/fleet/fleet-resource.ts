import { type Diagnostic, errorDiagnostic } from '../../protocol/provider/diagnostic.ts';
import { isPresent } from '../../protocol/value/unknown.ts';
import { kit } from '../service.ts';
import { fleetSchema } from './fleet-schema.ts';
import type { FleetConfig, FleetState } from './fleet-values.ts';

const ackKinds: ReadonlySet<string> = new Set(['rename', 'move', 'antivirus', 'delete']);

export const fleetResource = kit.resource({
  schema: fleetSchema,
  validate: ({ acks }) => ackFaults(acks),
  plan: async (change, call) => (await import('./plan-whole-fleet.ts')).planWholeFleet(change, call),
  create: async (change, call) =>
    (await import('./apply-whole-fleet.ts')).applyWholeFleet({ ...change, prior: null }, call),
  update: async (change, call) => (await import('./apply-whole-fleet.ts')).applyWholeFleet(change, call),
  read: ({ state }) => ({ state: state as FleetState }),
  delete: () => ({}),
});

function ackFaults(acks: FleetConfig['acks']): readonly Diagnostic[] {
  const unheard = Object.keys(isPresent(acks) ? acks : {}).filter((kind) => !ackKinds.has(kind));
  return unheard.map((kind) =>
    errorDiagnostic(`There is no change of the kind ${JSON.stringify(kind)}`, {
      detail: `Kinds are ${[...ackKinds].join(', ')}.`,
      path: ['acks', kind],
    }),
  );
}
