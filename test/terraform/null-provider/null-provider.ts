import { randomBytes } from 'node:crypto';
import { providerKit } from '../../../src/terraform/protocol/provider/provider.ts';
import { keepPrior, requiresReplaceIf } from '../../../src/terraform/protocol/schema/plan-modifier.ts';
import { defineSchema } from '../../../src/terraform/protocol/schema/schema.ts';

const kit = providerKit<null>();

const nullResource = kit.resource({
  schema: defineSchema({
    description: 'A resource that does nothing.',
    attributes: {
      id: {
        type: 'string',
        computed: true,
        nonNull: true,
        description: 'A random number, made at creation.',
        plan: [keepPrior],
      },
      triggers: {
        type: { map: 'string' },
        optional: true,
        description: 'Values whose change replaces the resource.',
        plan: [requiresReplaceIf('always', () => true)],
      },
    },
  }),
  create: ({ planned }) => ({ state: { ...planned, id: randomId() } }),
  read: ({ state }) => ({ state: { ...state, id: state.id ?? '' } }),
  update: ({ prior }) => ({ state: prior }),
  delete: () => ({}),
  import: (target) => ({ state: { id: target.by === 'id' ? target.id : '' } }),
});

const nullDataSource = kit.dataSource({
  schema: defineSchema({
    description: 'A data source that gives back what it is given.',
    attributes: {
      id: { type: 'string', computed: true, nonNull: true, description: 'A random number.' },
      inputs: { type: { map: 'string' }, optional: true, description: 'Values to give back.' },
      outputs: { type: { map: 'string' }, computed: true, description: 'The inputs again.' },
      has_computed_default: {
        type: 'string',
        optional: true,
        computed: true,
        description: 'Given back; random where it is not set.',
      },
      random: { type: 'string', computed: true, nonNull: true, description: 'A random number.' },
    },
  }),
  read: (config) => ({
    state: {
      ...config,
      id: 'static',
      outputs: config.inputs,
      has_computed_default: config.has_computed_default ?? 'default',
      random: randomId(),
    },
  }),
});

/** A stand-in for `hashicorp/null`, with the same schema and behavior. */
export const nullProvider = kit.provider({
  schema: defineSchema({ description: 'Resources that do nothing.' }),
  configure: () => ({ client: null }),
  resources: { null_resource: nullResource },
  dataSources: { null_data_source: nullDataSource },
});

function randomId(): string {
  return BigInt.asUintN(63, randomBytes(8).readBigUInt64BE()).toString();
}
