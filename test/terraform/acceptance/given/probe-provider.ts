import {
  errorDiagnostic,
  warningDiagnostic,
} from '../../../../src/terraform/protocol/provider/diagnostic.ts';
import { type Provider, providerKit } from '../../../../src/terraform/protocol/provider/provider.ts';
import { defineFunction } from '../../../../src/terraform/protocol/provider/provider-function.ts';
import { keepPrior } from '../../../../src/terraform/protocol/schema/plan-modifier.ts';
import { defineSchema } from '../../../../src/terraform/protocol/schema/schema.ts';
import type { StateOf } from '../../../../src/terraform/protocol/schema/values-of.ts';
import { isUnknown } from '../../../../src/terraform/protocol/value/unknown.ts';

const thingSchema = defineSchema({
  description: 'A thing with an attribute of every kind.',
  attributes: {
    id: { type: 'string', computed: true, nonNull: true, description: 'Its id.', plan: [keepPrior] },
    name: {
      type: 'string',
      required: true,
      description: 'Its name.',
    },
    big: { type: 'int64', optional: true, description: 'A 64-bit integer.' },
    exact: { type: { list: 'numeric' }, optional: true, description: 'Numbers of any size.' },
    any: { type: 'dynamic', optional: true, description: 'Anything.' },
    tags: { type: { set: 'string' }, optional: true, description: 'Tags.' },
    size: { type: 'number', optional: true, computed: true, default: 1, description: 'Its size.' },
    password: { type: 'string', optional: true, writeOnly: true, sensitive: true, description: 'A secret.' },
    password_version: { type: 'number', optional: true, description: 'Which secret.' },
    parts: {
      nested: 'list',
      optional: true,
      description: 'Its parts.',
      attributes: {
        label: { type: 'string', required: true, description: 'A label.' },
        serial: {
          type: 'string',
          computed: true,
          nonNull: true,
          description: 'A number.',
          plan: [keepPrior],
        },
      },
    },
  },
  blocks: {
    port: {
      nesting: 'set',
      description: 'A port.',
      attributes: { number: { type: 'int64', required: true, description: 'Its number.' } },
    },
  },
});

type Thing = StateOf<typeof thingSchema>;

export interface Store {
  readonly things: Map<string, Thing>;
  /** Every secret that was seen. */
  readonly passwords: string[];
  /** Called when a thing named `slow` is to be made. */
  onSlow(): void;
}

const kit = providerKit<Store>();

const thing = kit.resource({
  schema: thingSchema,
  validate: ({ name, parts }) => [
    ...(name === 'odd' ? [warningDiagnostic('An odd name', { path: ['name'] })] : []),
    ...(Array.isArray(parts) && parts.some((each) => !isUnknown(each) && each.label === 'bad')
      ? [errorDiagnostic('A bad part', { path: ['parts', 0, 'label'] })]
      : []),
  ],
  create: async ({ planned, writeOnly }, { client, signal }) => {
    if (planned.name === 'slow') {
      const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      client.onSlow();
      await stopped;
      return { diagnostics: [errorDiagnostic('Stopped in time')] };
    }
    if (writeOnly.password !== null) client.passwords.push(writeOnly.password);
    const state = known(planned, `id-${planned.name}`);
    client.things.set(state.id, state);
    return { state };
  },
  read: ({ state }, { client }) => ({ state: client.things.get(state.id ?? '') ?? null }),
  update: ({ planned, prior, writeOnly }, { client }) => {
    if (writeOnly.password !== null) client.passwords.push(writeOnly.password);
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
  move: [{ type: 'terraform_data', convert: () => ({ state: { id: 'id-moved' } }) }],
});

type Planned = Parameters<Parameters<typeof kit.resource<typeof thingSchema>>[0]['create']>[0]['planned'];

function known(planned: Planned, id: string): Thing {
  return {
    ...planned,
    id,
    size: isUnknown(planned.size) ? null : planned.size,
    parts:
      planned.parts?.map((part, index) => ({
        label: part.label,
        serial: isUnknown(part.serial) || part.serial === null ? `${id}/${index}` : part.serial,
      })) ?? null,
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
  open: ({ of }) => ({ result: { of, value: `secret-of-${of}` } }),
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
