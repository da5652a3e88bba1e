import { describe, expect, test } from 'vitest';
import { encodeMessagePack } from '../../../src/terraform/protocol/messagepack/encode-value.ts';
import type { Received, SentMessage } from '../../../src/terraform/protocol/messages/messages.ts';
import { type Schema, typeOfBody } from '../../../src/terraform/protocol/schema/schema.ts';
import { receivedRecord } from '../../../src/terraform/protocol/service/handler.ts';
import { type RecordValue, unknownValue, type Value } from '../../../src/terraform/protocol/value/value.ts';
import type { CoreClient } from './given/grpc-client.ts';
import { served } from './given/served.ts';
import { shelfProvider } from './given/shelf-provider.ts';

const provider = shelfProvider();
const bookSchema = provider.resources?.['shelf_book']?.schema as Schema;
const listSchema = provider.lists?.['shelf_book']?.schema as Schema;
const dustSchema = provider.actions?.['shelf_dust']?.schema as Schema;
const typeName = 'shelf_book';
const actionType = 'shelf_dust';

const valueOf = (record: RecordValue | null, schema: Schema): SentMessage<'DynamicValue'> => ({
  msgpack: encodeMessagePack(record, typeOfBody(schema)),
});
const listed = (members: Readonly<Record<string, Value>> = {}) =>
  valueOf({ title: null, amount: null, ...members }, listSchema);
const dusting = (books: Value) => valueOf({ books }, dustSchema);
const summaries = (diagnostics: readonly Received<'Diagnostic'>[]) =>
  diagnostics.map(({ summary }) => summary);

async function configured(log: string[] = []): Promise<CoreClient> {
  const client = (await served(shelfProvider(log))).connect();
  const config = valueOf({ label: 'A' }, provider.schema);
  await client.call('ConfigureProvider', { terraformVersion: '1.14.0', config });
  return client;
}

describe('a list resource', () => {
  test('is in the schema and in the metadata, beside the resource of the same name', async () => {
    const client = (await served(shelfProvider())).connect();
    const schemas = await client.call('GetProviderSchema');
    expect(Object.keys(schemas.listResourceSchemas)).toEqual([typeName]);
    expect(schemas.diagnostics).toEqual([]);
    expect((await client.call('GetMetadata')).listResources).toEqual([{ name: typeName }]);
  });

  test('streams an identity and a display name for each object, and no state unless it is requested', async () => {
    const client = await configured();
    const events = await client.events('ListResource', { typeName, config: listed() });
    expect(events.map(({ displayName }) => displayName)).toEqual(['Book 1', 'Book 2', 'Book 3']);
    expect(events.every(({ resourceObject }) => resourceObject === undefined)).toBe(true);
    const imported = await client.call('ImportResourceState', { typeName, identity: events[1]?.identity });
    expect(receivedRecord(imported.importedResources[0]?.state, bookSchema)?.['id']).toBe('A-2');
  });

  test('streams the whole state if it is requested', async () => {
    const client = await configured();
    const request = { typeName, config: listed({ title: 'B' }), includeResourceObject: true };
    const [event] = await client.events('ListResource', request);
    expect(receivedRecord(event?.resourceObject, bookSchema)).toMatchObject({ id: 'A-1', title: 'B' });
  });

  test('without a config block has no arguments', async () => {
    const client = await configured();
    const config = valueOf(null, listSchema);
    const { diagnostics } = await client.call('ValidateListResourceConfig', { typeName, config });
    expect(diagnostics).toEqual([]);
    expect(await client.events('ListResource', { typeName, config })).toHaveLength(3);
    expect(await client.events('ListResource', { typeName })).toHaveLength(3);
  });

  test('ends at the limit, and reads no object beyond it', async () => {
    const log: string[] = [];
    const client = await configured(log);
    const config = listed({ amount: 1_000_000 });
    const events = await client.events('ListResource', { typeName, config, limit: 2n });
    expect(events).toHaveLength(2);
    expect(log.length).toBeLessThanOrEqual(3);
  });

  test('ends when the caller cancels the stream, without reading the rest', async () => {
    const log: string[] = [];
    const client = await configured(log);
    const request = { typeName, config: listed({ amount: 1_000_000 }) };
    const events = await client.events('ListResource', request, (_event, cancel) => cancel());
    expect(events).toHaveLength(1);
    const books = await client.events('ListResource', { typeName, config: listed() });
    expect(books).toHaveLength(3);
    expect(log.length).toBeLessThan(100_000);
  });

  test('reports warnings before the objects, and errors instead of them', async () => {
    const client = await configured();
    const list = async (title: string) => {
      const events = await client.events('ListResource', { typeName, config: listed({ title }) });
      return events.map(({ displayName, diagnostic }) => displayName || summaries(diagnostic).join());
    };
    expect(await list('old')).toEqual(['The shelf is old', 'Book 1', 'Book 2', 'Book 3']);
    expect(await list('lost')).toEqual(['The shelf is empty']);
    expect(await list('bomb')).toEqual(['Listing shelf_book failed unexpectedly']);
    expect(await list('loose')).toEqual(['Invalid result of shelf_book']);
  });

  test('validates its configuration', async () => {
    const client = await configured();
    const validate = async (title: Value) =>
      summaries(
        (await client.call('ValidateListResourceConfig', { typeName, config: listed({ title }) }))
          .diagnostics,
      );
    expect(await validate('forbidden')).toEqual(['No such book']);
    expect(await validate(unknownValue())).toEqual([]);
  });

  test('that the provider does not have, or that comes before the configuration, is an error', async () => {
    const client = (await served(shelfProvider())).connect();
    const list = async (name: string) => {
      const [event] = await client.events('ListResource', { typeName: name, config: listed() });
      return summaries(event?.diagnostic ?? []);
    };
    expect(await list('shelf_cat')).toEqual(['The provider has no list resource shelf_cat']);
    expect(await list(typeName)).toEqual(['The provider is not configured']);
  });
});

describe('an action', () => {
  test('is in the schema and in the metadata', async () => {
    const client = (await served(shelfProvider())).connect();
    const { actionSchemas } = await client.call('GetProviderSchema');
    expect(actionSchemas[actionType]?.schema?.block?.attributes.map(({ name }) => name)).toEqual(['books']);
    expect((await client.call('GetMetadata')).actions).toEqual([{ name: actionType }]);
  });

  test('is validated, and planned with unknown values', async () => {
    const client = await configured();
    const plan = async (books: Value) =>
      client.call('PlanAction', { actionType, config: dusting(books), clientCapabilities: {} });
    const validated = await client.call('ValidateActionConfig', { actionType, config: dusting(13) });
    expect(summaries(validated.diagnostics)).toEqual(['Unlucky']);
    expect(summaries((await plan(101)).diagnostics)).toEqual(['Too many']);
    expect(await plan(1)).toEqual({ diagnostics: [], deferred: undefined });
    expect((await plan(unknownValue())).diagnostics).toEqual([]);
  });

  test('streams its progress in order, then exactly one result', async () => {
    const client = await configured();
    const events = await client.events('InvokeAction', { actionType, config: dusting(3) });
    expect(events.map(({ progress }) => progress?.message)).toEqual([
      'Dusted 1 of 3',
      'Dusted 2 of 3',
      'Dusted 3 of 3',
      undefined,
    ]);
    expect(events.at(-1)?.completed).toEqual({ diagnostics: [] });
  });

  test('reports warnings and unexpected failures in its result', async () => {
    const client = await configured();
    const invoke = async (books: number) => {
      const events = await client.events('InvokeAction', { actionType, config: dusting(books) });
      return summaries(events.at(-1)?.completed?.diagnostics ?? []);
    };
    expect(await invoke(0)).toEqual(['Nothing to dust']);
    expect(await invoke(7)).toEqual(['Running shelf_dust failed unexpectedly']);
  });

  test('is stopped by StopProvider and by a cancelled stream', async () => {
    const log: string[] = [];
    const client = await configured(log);
    const request = { actionType, config: dusting(2) };
    const cancelled = await client.events('InvokeAction', request, (_event, cancel) => cancel());
    expect(cancelled).toHaveLength(1);
    await expect.poll(() => log).toEqual(['stopped dusting']);
    const stopped = await client.events('InvokeAction', request, ({ progress }) => {
      if (progress?.message === 'Dusted 2 of 2') void client.call('StopProvider');
    });
    expect(summaries(stopped.at(-1)?.completed?.diagnostics ?? [])).toEqual(['Interrupted']);
  });

  test('that the provider does not have, or that comes before the configuration, is an error of the result', async () => {
    const client = (await served(shelfProvider())).connect();
    const invoke = async (name: string) => {
      const [event] = await client.events('InvokeAction', { actionType: name, config: dusting(1) });
      return summaries(event?.completed?.diagnostics ?? []);
    };
    expect(await invoke('shelf_burn')).toEqual(['The provider has no action shelf_burn']);
    expect(await invoke(actionType)).toEqual(['The provider is not configured']);
    const planned = await client.call('PlanAction', { actionType: 'shelf_burn' });
    expect(summaries(planned.diagnostics)).toEqual(['The provider has no action shelf_burn']);
  });
});

describe('generated configuration', () => {
  const generate = async (state: RecordValue | null, name = typeName) => {
    const client = (await served(shelfProvider())).connect();
    const response = await client.call('GenerateResourceConfig', {
      typeName: name,
      state: valueOf(state, bookSchema),
    });
    return {
      config: receivedRecord(response.config, bookSchema),
      errors: summaries(response.diagnostics),
    };
  };
  const state = { id: 'A-1', title: 'A', binding: 'linen', pages: 7, revision: 1 };

  test('has no computed values, no defaults and nothing that the schema refuses', async () => {
    const kept = { title: 'A', pages: 7, id: null, revision: null };
    expect((await generate(state)).config).toEqual({ ...kept, binding: 'linen' });
    expect((await generate({ ...state, binding: 'paper' })).config).toEqual({ ...kept, binding: null });
    expect((await generate({ ...state, binding: 'gold' })).config).toEqual({ ...kept, binding: null });
  });

  test('is empty without a state, and an error for a type that does not exist', async () => {
    expect(await generate(null)).toEqual({ config: null, errors: [] });
    expect((await generate(null, 'shelf_cat')).errors).toEqual([
      'The provider has no resource type shelf_cat',
    ]);
  });
});

describe('a stream', () => {
  test('returns a status for invalid bytes instead of crashing', async () => {
    const client = await configured();
    await expect(
      client.raw('/tfplugin6.Provider/ListResource', Buffer.from('ff', 'hex')),
    ).rejects.toMatchObject({ code: 13 });
    expect((await client.call('GetMetadata')).resources).toHaveLength(1);
  });
});
