import { errorDiagnostic, warningDiagnostic } from '../../../../src/terraform/protocol/provider/call.ts';
import { type Provider, providerKit } from '../../../../src/terraform/protocol/provider/provider.ts';
import { defineFunction } from '../../../../src/terraform/protocol/provider/provider-function.ts';
import { keepPrior, requiresReplaceIf } from '../../../../src/terraform/protocol/schema/plan-modifier.ts';
import { defineSchema, lengthBetween, oneOf } from '../../../../src/terraform/protocol/schema/schema.ts';
import type { StateOf } from '../../../../src/terraform/protocol/schema/values-of.ts';
import { isUnknown } from '../../../../src/terraform/protocol/value/value.ts';

/** The location of a connection's books, which `configure` creates. */
export interface Shelf {
  readonly label: string;
  readonly log: string[];
}

const kit = providerKit<Shelf>();

const bookSchema = defineSchema({
  description: 'A book on a shelf.',
  attributes: {
    id: { type: 'string', computed: true, nonNull: true, description: 'Its number.', plan: [keepPrior] },
    title: {
      type: 'string',
      required: true,
      description: 'Its title.',
      validate: [lengthBetween(1, 20)],
    },
    binding: {
      type: 'string',
      optional: true,
      computed: true,
      default: 'paper',
      description: 'How it is bound.',
      validate: [oneOf('paper', 'linen')],
      plan: [requiresReplaceIf('always', () => true)],
    },
    pages: { type: 'number', optional: true, description: 'How many pages it has.' },
    revision: { type: 'number', computed: true, description: 'How often it was changed.' },
  },
});

const book = kit.resource({
  schema: bookSchema,
  identity: {
    attributes: { number: { type: 'string', required: true, description: 'Its number.' } },
    of: (state) => ({ number: state.id }),
  },
  validate: (config) =>
    config.title === 'forbidden' ? [errorDiagnostic('No such book', { path: ['title'] })] : [],
  plan: ({ planned }) =>
    planned.title === 'liar' ? { planned: { ...planned, pages: 'many' as unknown as number } } : {},
  planDelete: ({ state }) =>
    state.title === 'kept' ? { diagnostics: [warningDiagnostic('It will be missed')] } : {},
  create: async ({ planned }, { client, signal }) => {
    client.log.push(`create ${planned.title}`);
    const state = { ...planned, id: `${client.label}-1`, binding: 'paper', revision: 1 };
    if (planned.title === 'torn') return { state, diagnostics: [errorDiagnostic('A page is missing')] };
    if (planned.title === 'liar') return { state: { ...state, pages: 'many' as unknown as number } };
    if (planned.title === 'bomb') throw new Error('bang');
    if (planned.title === 'slow') {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      return { diagnostics: [errorDiagnostic('Interrupted')] };
    }
    return { state, private: { etag: 'e1' } };
  },
  read: ({ state, private: kept }, { client }) => {
    client.log.push(`read ${JSON.stringify(kept)}`);
    if (state.id === 'gone') return { state: null };
    return {
      state: {
        ...state,
        id: state.id ?? '',
        title: state.title ?? 'found',
        binding: state.binding ?? 'paper',
        revision: 1,
      },
    };
  },
  update: ({ planned, prior, private: kept }, { client }) => {
    client.log.push(`update ${JSON.stringify(kept)}`);
    return {
      state: { ...planned, id: prior.id, binding: prior.binding, revision: (prior.revision ?? 0) + 1 },
      private: { etag: 'e2' },
    };
  },
  delete: ({ state }) =>
    state.title === 'stuck' ? { diagnostics: [errorDiagnostic('It does not move')] } : {},
  import: (target) => {
    const id = target.by === 'id' ? target.id : String(target.identity['number']);
    return id === '' ? { diagnostics: [errorDiagnostic('No number')] } : { state: { id } };
  },
  forget: (stored) => ({ ...stored, revision: 0 }),
});

const listSchema = defineSchema({
  description: 'The books on the shelf.',
  attributes: {
    title: { type: 'string', optional: true, description: 'Their title.' },
    amount: { type: 'number', optional: true, description: 'How many.' },
  },
});
type ListSchema = typeof listSchema;

const ticket = kit.ephemeral({
  schema: defineSchema({
    description: 'A ticket to the reading room.',
    attributes: {
      seat: { type: 'number', required: true, description: 'Which seat.' },
      code: { type: 'string', computed: true, nonNull: true, sensitive: true, description: 'To come in.' },
    },
  }),
  open: ({ seat }) => ({
    state: { seat, code: `code-${seat}` },
  }),
});

type Book = StateOf<typeof bookSchema>;

const books = kit.list<ListSchema, Book>({
  schema: listSchema,
  validate: ({ title }) =>
    title === 'forbidden' ? [errorDiagnostic('No such book', { path: ['title'] })] : [],
  list: ({ title, amount }, { client }) => {
    if (title === 'bomb') throw new Error('bang');
    if (title === 'lost') return { diagnostics: [errorDiagnostic('The shelf is empty')] };
    function* all() {
      for (let number = 1; number <= (amount ?? 3); number += 1) {
        client.log.push(`found ${number}`);
        const state = { id: `${client.label}-${number}`, title: title ?? 'A', revision: 1 };
        yield {
          displayName: `Book ${number}`,
          state: { ...state, binding: title === 'loose' ? 7 : 'paper', pages: null } as Book,
        };
      }
    }
    return {
      found: all(),
      ...(title === 'old' ? { diagnostics: [warningDiagnostic('The shelf is old')] } : {}),
    };
  },
});

const dust = kit.action({
  schema: defineSchema({
    description: 'Dusts books.',
    attributes: { books: { type: 'number', required: true, description: 'How many.' } },
  }),
  validate: ({ books: count }) => (count === 13 ? [errorDiagnostic('Unlucky', { path: ['books'] })] : []),
  plan: ({ books: count }) => ({
    diagnostics: !isUnknown(count) && count > 100 ? [errorDiagnostic('Too many')] : [],
  }),
  invoke: async ({ books: count }, { progress, signal, client }) => {
    if (count === 7) throw new Error('bang');
    for (let number = 1; number <= count; number += 1) progress(`Dusted ${number} of ${count}`);
    if (count === 2) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      client.log.push('stopped dusting');
      return { diagnostics: [errorDiagnostic('Interrupted')] };
    }
    return count === 0 ? { diagnostics: [warningDiagnostic('Nothing to dust')] } : {};
  },
});

/** A provider with everything that the protocol offers. */
export function shelfProvider(log: string[] = []): Provider<Shelf> {
  return kit.provider({
    schema: defineSchema({
      description: 'A shelf.',
      attributes: {
        label: { type: 'string', optional: true, description: 'What the numbers begin with.' },
      },
    }),
    configure: ({ label }) => ({ client: { label: isUnknown(label) ? 'unknown' : (label ?? 'none'), log } }),
    close: ({ label }) => {
      log.push(`closed ${label}`);
    },
    resources: { shelf_book: book },
    ephemerals: { shelf_ticket: ticket },
    lists: { shelf_book: books },
    actions: { shelf_dust: dust },
    functions: {
      join: defineFunction({
        summary: 'Joins texts',
        description: 'Joins texts with a separator.',
        parameters: [
          { name: 'separator', type: 'string', description: 'What stands between.' },
          { name: 'texts', type: { list: 'string' }, description: 'The texts.' },
        ],
        returns: 'string',
        call: ([separator, texts]) =>
          texts.length === 0 ? { error: 'nothing to join', argument: 1 } : { value: texts.join(separator) },
      }),
    },
  });
}
