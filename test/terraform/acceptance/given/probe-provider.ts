import { errorDiagnostic, warningDiagnostic } from '../../../../src/terraform/protocol/provider/call.ts';
import { type Provider, providerKit } from '../../../../src/terraform/protocol/provider/provider.ts';
import { defineFunction } from '../../../../src/terraform/protocol/provider/provider-function.ts';
import { keepPrior } from '../../../../src/terraform/protocol/schema/plan-modifier.ts';
import { defineSchema } from '../../../../src/terraform/protocol/schema/schema.ts';
import type { StateOf } from '../../../../src/terraform/protocol/schema/values-of.ts';
import { isUnknown } from '../../../../src/terraform/protocol/value/value.ts';

const thingSchema = defineSchema({
  description: 'A thing with an attribute of every kind.',
  attributes: {
    id: { type: 'string', computed: true, nonNull: true, description: 'Its id.', plan: [keepPrior] },
    name: {
      type: 'string',
      required: true,
      description: 'Its name.',
    },
    counts: { type: { map: 'number' }, optional: true, description: 'Numbers by name.' },
    tags: { type: { set: 'string' }, optional: true, description: 'Tags.' },
    size: { type: 'number', optional: true, computed: true, default: 1, description: 'Its size.' },
    parts: {
      nested: 'list',
      computed: true,
      description: 'Its parts.',
      attributes: { label: { type: 'string', computed: true, description: 'A label.' } },
    },
  },
  blocks: {
    port: {
      nesting: 'list',
      description: 'A port.',
      attributes: { number: { type: 'number', required: true, description: 'Its number.' } },
    },
  },
});

type Thing = StateOf<typeof thingSchema>;

export interface Store {
  readonly things: Map<string, Thing>;
  /** Called when a thing named `slow` is created. */
  onSlow(): void;
}

const kit = providerKit<Store>();

const thing = kit.resource({
  schema: thingSchema,
  validate: ({ name, port }) => [
    ...(name === 'odd' ? [warningDiagnostic('An odd name', { path: ['name'] })] : []),
    ...(!isUnknown(port) && port.some(({ number }) => number === 13)
      ? [errorDiagnostic('A bad port', { path: ['port', 0, 'number'] })]
      : []),
  ],
  create: async ({ planned }, { client, signal }) => {
    if (planned.name === 'slow') {
      const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      client.onSlow();
      await stopped;
      return { diagnostics: [errorDiagnostic('Stopped in time')] };
    }
    const state = known(planned, `id-${planned.name}`);
    client.things.set(state.id, state);
    return { state };
  },
  read: ({ state }, { client }) => ({ state: client.things.get(state.id ?? '') ?? null }),
  update: ({ planned, prior }, { client }) => {
    const state = known(planned, prior.id);
    client.things.set(state.id, state);
    return { state };
  },
  delete: ({ state }, { client }) => {
    client.things.delete(state.id);
    return {};
  },
  import: (target, { client }) => {
    const id = target.by === 'id' ? target.id : '';
    return client.things.has(id)
      ? { state: { id } }
      : { diagnostics: [errorDiagnostic('No such thing', { detail: 'The id is `id-` and the name.' })] };
  },
});

type Planned = Parameters<Parameters<typeof kit.resource<typeof thingSchema>>[0]['create']>[0]['planned'];

function known(planned: Planned, id: string): Thing {
  return {
    ...planned,
    id,
    size: isUnknown(planned.size) ? null : planned.size,
    parts: [{ label: `part of ${id}` }],
  };
}

const token = kit.ephemeral({
  schema: defineSchema({
    description: 'A secret that is stored nowhere.',
    attributes: {
      of: { type: 'string', required: true, description: 'Whose.' },
      value: { type: 'string', computed: true, sensitive: true, nonNull: true, description: 'The secret.' },
    },
  }),
  open: ({ of }) => ({ state: { of, value: `secret-of-${of}` } }),
});

/** A provider that is all there is to try under the real Terraform; its things live in the given store. */
export function probeProvider(store: Store): Provider<Store> {
  return kit.provider({
    schema: defineSchema({ description: 'A probe.' }),
    configure: () => ({ client: store }),
    resources: { probe_thing: thing },
    ephemerals: { probe_token: token },
    functions: {
      shout: defineFunction({
        summary: 'Shouts',
        description: 'A text in capitals.',
        parameters: [{ name: 'text', type: 'string', description: 'The text.' }],
        returns: 'string',
        call: ([text]) =>
          text === '' ? { error: 'nothing to shout', argument: 0 } : { value: text.toUpperCase() },
      }),
    },
  });
}
