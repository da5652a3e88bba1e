import { describe, expect, onTestFinished, test } from 'vitest';
import { encodeMessagePack } from '../../../src/terraform/protocol/messagepack/encode-value.ts';
import type { Received, SentMessage } from '../../../src/terraform/protocol/messages/messages.ts';
import { type Schema, typeOfBody } from '../../../src/terraform/protocol/schema/schema.ts';
import { receivedRecord } from '../../../src/terraform/protocol/service/handler.ts';
import {
  isUnknown,
  type RecordValue,
  unknownNotNull,
  unknownValue,
  type Value,
} from '../../../src/terraform/protocol/value/value.ts';
import { proposedNew } from './given/core.ts';
import type { CoreClient } from './given/grpc-client.ts';
import { served } from './given/served.ts';
import { shelfProvider } from './given/shelf-provider.ts';

const bookSchema = shelfProvider().resources?.['shelf_book']?.schema as Schema;
const ticketSchema = shelfProvider().ephemerals?.['shelf_ticket']?.schema as Schema;
const typeName = 'shelf_book';

const valueOf = (record: RecordValue | null, schema = bookSchema): SentMessage<'DynamicValue'> => ({
  msgpack: encodeMessagePack(record, typeOfBody(schema)),
});
const read = (value: Received<'DynamicValue'> | undefined, schema = bookSchema) =>
  receivedRecord(value, schema);
const bytes = (json: unknown) => new TextEncoder().encode(JSON.stringify(json));
const textOf = (given: Uint8Array | undefined) => new TextDecoder().decode(given);
const summaries = (response: { readonly diagnostics: readonly { readonly summary: string }[] }) =>
  response.diagnostics.map(({ summary }) => summary);

const config = (members: Readonly<Record<string, Value>>): RecordValue => ({
  id: null,
  binding: null,
  pages: null,
  revision: null,
  title: null,
  ...members,
});

async function configured(label = 'A', log: string[] = []): Promise<CoreClient> {
  const client = (await served(shelfProvider(log))).connect();
  await configure(client, label);
  return client;
}

async function configure(client: CoreClient, label: string): Promise<void> {
  const schema = shelfProvider().schema;
  const response = await client.call('ConfigureProvider', {
    terraformVersion: '1.12.0',
    config: valueOf({ label }, schema),
  });
  expect(response.diagnostics).toEqual([]);
}

async function plan(client: CoreClient, prior: RecordValue | null, given: RecordValue, more = {}) {
  return client.call('PlanResourceChange', {
    typeName,
    priorState: valueOf(prior),
    proposedNewState: valueOf(proposedNew(bookSchema, prior, given)),
    config: valueOf(given),
    ...more,
  });
}

async function apply(client: CoreClient, prior: RecordValue | null, given: RecordValue) {
  const planned = await plan(client, prior, given);
  expect(planned.diagnostics).toEqual([]);
  return client.call('ApplyResourceChange', {
    typeName,
    priorState: valueOf(prior),
    plannedState: planned.plannedState,
    plannedPrivate: planned.plannedPrivate,
    config: valueOf(given),
  });
}

const prior = { id: 'A-1', title: 'old', binding: 'paper', pages: null, revision: 1 };

describe('a provider', () => {
  test('lists schemas, functions, identities and capabilities', async () => {
    const client = (await served(shelfProvider())).connect();
    const schemas = await client.call('GetProviderSchema');
    expect(schemas.diagnostics).toEqual([]);
    expect(Object.keys(schemas.resourceSchemas)).toEqual(['shelf_book']);
    expect(schemas.resourceSchemas['shelf_book']?.version).toBe(0n);
    expect(schemas.functions['join']?.parameters[1]?.name).toBe('texts');
    expect(schemas.serverCapabilities).toEqual({
      planDestroy: true,
      getProviderSchemaOptional: true,
      moveResourceState: false,
      generateResourceConfig: true,
    });
    const { identitySchemas } = await client.call('GetResourceIdentitySchemas');
    expect(identitySchemas['shelf_book']?.identityAttributes[0]?.requiredForImport).toBe(true);
    expect((await client.call('GetMetadata')).ephemeralResources).toEqual([{ name: 'shelf_ticket' }]);
    expect(Object.keys((await client.call('GetFunctions')).functions)).toEqual(['join']);
  });

  test('without list resources and actions returns the code UNIMPLEMENTED for their methods', async () => {
    const { lists: _lists, actions: _actions, ...provider } = shelfProvider();
    const client = (await served(provider)).connect();
    for (const method of ['ValidateListResourceConfig', 'ListResource', 'PlanAction', 'InvokeAction'])
      await expect(client.raw(`/tfplugin6.Provider/${method}`, new Uint8Array())).rejects.toMatchObject({
        code: 12,
      });
    const schemas = await client.call('GetProviderSchema');
    expect([schemas.listResourceSchemas, schemas.actionSchemas]).toEqual([{}, {}]);
  });

  test('returns the code UNIMPLEMENTED for methods of later versions', async () => {
    const client = (await served(shelfProvider())).connect();
    for (const method of ['ValidateStateStoreConfig', 'GetStates', 'NeverHeardOf'])
      await expect(client.raw(`/tfplugin6.Provider/${method}`, new Uint8Array())).rejects.toMatchObject({
        code: 12,
      });
  });
});

describe('configuration is checked', () => {
  const validate = async (members: Readonly<Record<string, Value>>) => {
    const client = (await served(shelfProvider())).connect();
    return client.call('ValidateResourceConfig', {
      typeName,
      config: valueOf(config(members)),
    });
  };

  test('by the validators of the schema, which report the attribute without its value', async () => {
    const [found] = (await validate({ title: 'a', binding: 'secret-leather' })).diagnostics;
    expect(found?.detail).toBe('binding: must be one of "paper", "linen".');
    expect(found?.attribute?.steps[0]?.attributeName).toBe('binding');
  });

  test("by the resource's own check", async () => {
    expect(summaries(await validate({ title: 'forbidden' }))).toEqual(['No such book']);
  });

  test('without checking unknown values', async () => {
    expect((await validate({ title: unknownValue(), binding: unknownValue() })).diagnostics).toEqual([]);
  });
});

describe('a plan', () => {
  test('to create has defaults, and unknown computed values with their refinements', async () => {
    const planned = await plan(await configured(), null, config({ title: 'new' }));
    const state = read(planned.plannedState);
    expect(state).toMatchObject({ title: 'new', binding: 'paper' });
    expect(state?.['id']).toEqual(unknownNotNull);
    expect(isUnknown(state?.['revision'])).toBe(true);
  });

  test('to change keeps the values that may stay the same', async () => {
    const planned = await plan(await configured(), prior, config({ title: 'new' }));
    const state = read(planned.plannedState);
    expect(state).toMatchObject({ id: 'A-1', title: 'new' });
    expect(isUnknown(state?.['revision'])).toBe(true);
    expect(planned.requiresReplace).toEqual([]);
  });

  test('to change a fixed attribute is a replacement', async () => {
    const planned = await plan(await configured(), prior, config({ title: 'old', binding: 'linen' }));
    expect(planned.requiresReplace.map(({ steps }) => steps[0]?.attributeName)).toEqual(['binding']);
  });

  test('without a change is exactly the state', async () => {
    const planned = await plan(await configured(), prior, config({ title: 'old' }));
    expect(Buffer.from(planned.plannedState?.msgpack ?? [])).toEqual(
      Buffer.from(valueOf(prior).msgpack ?? []),
    );
  });

  test('that contradicts the schema is an error, and there is no plan', async () => {
    const planned = await plan(await configured(), null, config({ title: 'liar' }));
    expect(summaries(planned)).toEqual(['Invalid plan for shelf_book']);
    expect(planned.diagnostics[0]?.detail).toContain('pages: must be a number');
  });

  test("to delete has the resource's warning, if it has one", async () => {
    const client = await configured();
    const planned = await client.call('PlanResourceChange', {
      typeName,
      priorState: valueOf({ ...prior, title: 'kept' }),
      proposedNewState: valueOf(null),
      config: valueOf(null),
    });
    expect(summaries(planned)).toEqual(['It will be missed']);
    expect(read(planned.plannedState)).toBeNull();
  });
});

describe('applying', () => {
  test('creates a resource with its private data and identity', async () => {
    const log: string[] = [];
    const done = await apply(await configured('A', log), null, config({ title: 'new' }));
    expect(done.diagnostics).toEqual([]);
    expect(read(done.newState)).toMatchObject({ id: 'A-1', revision: 1 });
    expect(textOf(done.private)).toBe('{"etag":"e1"}');
    expect(Buffer.from(done.newIdentity?.identityData?.msgpack ?? []).toString('latin1')).toContain('A-1');
    expect(log).toEqual(['create new']);
  });

  test('updates a resource with its earlier private data', async () => {
    const log: string[] = [];
    const client = await configured('A', log);
    const given = config({ title: 'new' });
    const planned = await plan(client, prior, given, { priorPrivate: bytes({ etag: 'e1' }) });
    const done = await client.call('ApplyResourceChange', {
      typeName,
      priorState: valueOf(prior),
      plannedState: planned.plannedState,
      plannedPrivate: planned.plannedPrivate,
      config: valueOf(given),
    });
    expect(read(done.newState)).toMatchObject({ title: 'new', revision: 2 });
    expect(log).toEqual(['update {"etag":"e1"}']);
    expect(textOf(done.private)).toBe('{"etag":"e2"}');
  });

  test('passes on both an error and a state', async () => {
    const done = await apply(await configured(), null, config({ title: 'torn' }));
    expect(summaries(done)).toEqual(['A page is missing']);
    expect(read(done.newState)).toMatchObject({ id: 'A-1' });
  });

  test('reports a value that its schema refuses, and stores what was planned', async () => {
    const client = await configured();
    const done = await client.call('ApplyResourceChange', {
      typeName,
      priorState: valueOf(null),
      plannedState: valueOf({ ...prior, title: 'liar', id: unknownValue(), revision: unknownValue() }),
      config: valueOf(config({ title: 'liar' })),
    });
    expect(summaries(done)).toEqual(['Invalid state after: Creating shelf_book']);
    expect(done.diagnostics[0]?.detail).toContain('pages: must be a number');
    expect(read(done.newState)).toMatchObject({ id: null, title: 'liar', pages: null });
  });

  test('reports an exception as a diagnostic without a stack', async () => {
    const done = await apply(await configured(), null, config({ title: 'bomb' }));
    expect(summaries(done)).toEqual(['Creating shelf_book failed unexpectedly']);
    expect(done.diagnostics[0]?.detail).toMatch(/^bang\n/);
    expect(done.diagnostics[0]?.detail).not.toContain('at ');
  });

  test('deletes a resource, and reports a deletion that fails', async () => {
    const client = await configured();
    const remove = (state: RecordValue) =>
      client.call('ApplyResourceChange', {
        typeName,
        priorState: valueOf(state),
        plannedState: valueOf(null),
        config: valueOf(null),
      });
    expect(read((await remove(prior)).newState)).toBeNull();
    const stuck = await remove({ ...prior, title: 'stuck' });
    expect(summaries(stuck)).toEqual(['It does not move']);
    expect(read(stuck.newState)).toMatchObject({ title: 'stuck' });
  });

  test('is stopped by StopProvider while it runs', async () => {
    const log: string[] = [];
    const client = await configured('A', log);
    const slow = apply(client, null, config({ title: 'slow' }));
    await expect.poll(() => log).toContain('create slow');
    expect(await client.call('StopProvider')).toEqual({ error: '' });
    expect(summaries(await slow)).toEqual(['Interrupted']);
  });

  test('is stopped if Terraform cancels the call', async () => {
    const log: string[] = [];
    const client = await configured('A', log);
    const given = config({ title: 'slow' });
    const planned = await plan(client, null, given);
    const giveUp = new AbortController();
    const slow = client.call(
      'ApplyResourceChange',
      { typeName, priorState: valueOf(null), plannedState: planned.plannedState, config: valueOf(given) },
      giveUp.signal,
    );
    await expect.poll(() => log).toContain('create slow');
    giveUp.abort();
    await expect(slow).rejects.toMatchObject({ code: 1 });
  });
});

describe('reading', () => {
  const readBook = (client: CoreClient, state: RecordValue, kept = new Uint8Array()) =>
    client.call('ReadResource', { typeName, currentState: valueOf(state), private: kept });

  test('keeps private data, and returns the identity', async () => {
    const log: string[] = [];
    const now = await readBook(await configured('A', log), prior, bytes({ etag: 'e1' }));
    expect(read(now.newState)).toEqual(prior);
    expect(textOf(now.private)).toBe('{"etag":"e1"}');
    expect(now.newIdentity?.identityData).toBeDefined();
    expect(log).toEqual(['read {"etag":"e1"}']);
  });

  test('returns null for a deleted resource', async () => {
    const now = await readBook(await configured(), { ...prior, id: 'gone' });
    expect(read(now.newState)).toBeNull();
    expect(now.diagnostics).toEqual([]);
  });

  test('fails if the provider is not configured', async () => {
    const client = (await served(shelfProvider())).connect();
    expect(summaries(await readBook(client, prior))).toEqual(['The provider is not configured']);
  });

  test('fails for an unknown type', async () => {
    const client = await configured();
    const now = await client.call('ReadResource', { typeName: 'shelf_cat' });
    expect(summaries(now)).toEqual(['The provider has no resource type shelf_cat']);
  });
});

describe('an import', () => {
  test('works by id and by identity', async () => {
    const client = await configured();
    const byId = await client.call('ImportResourceState', { typeName, id: 'B-7' });
    expect(read(byId.importedResources[0]?.state)).toMatchObject({ id: 'B-7', title: null });
    const identity = { identityData: byId.importedResources[0]?.identity?.identityData };
    const byIdentity = await client.call('ImportResourceState', { typeName, identity });
    expect(read(byIdentity.importedResources[0]?.state)).toMatchObject({ id: 'B-7' });
    expect(byIdentity.importedResources[0]?.identity).toEqual(byId.importedResources[0]?.identity);
  });

  test('is refused for a missing resource', async () => {
    const none = await (await configured()).call('ImportResourceState', { typeName, id: '' });
    expect(summaries(none)).toEqual(['No number']);
    expect(none.importedResources).toEqual([]);
  });

  test('forgets values that describe only the apply that stored a state', async () => {
    const client = (await served(shelfProvider())).connect();
    const json = bytes({ id: '1', revision: 7 });
    const same = await client.call('UpgradeResourceState', { typeName, version: 0n, rawState: { json } });
    expect(textOf(same.upgradedState?.json)).toBe('{"id":"1","revision":0}');
  });

  test('refuses a newer state, the oldest form of state, and fields that the schema does not have', async () => {
    const client = (await served(shelfProvider())).connect();
    const upgrade = async (version: bigint, rawState: SentMessage<'RawState'>) =>
      summaries(await client.call('UpgradeResourceState', { typeName, version, rawState }));
    expect(await upgrade(1n, { json: bytes({}) })).toEqual([
      'The state of shelf_book was written by a newer version of the provider: install that',
    ]);
    expect(await upgrade(0n, { flatmap: { a: 'b' } })).toEqual([
      'The state of shelf_book has the format of Terraform 0.11 or older',
    ]);
    expect(await upgrade(0n, { json: bytes({ stranger: 1 }) })).toEqual(['Invalid state of shelf_book']);
  });

  test('reads a stored identity', async () => {
    const client = (await served(shelfProvider())).connect();
    const upgraded = await client.call('UpgradeResourceIdentity', {
      typeName,
      rawIdentity: { json: bytes({ number: 'B-7' }) },
    });
    const identity = Buffer.from(upgraded.upgradedIdentity?.identityData?.msgpack ?? []);
    expect(identity.toString('latin1')).toContain('B-7');
  });

  test('refuses the state of another type', async () => {
    const client = (await served(shelfProvider())).connect();
    const moved = await client.call('MoveResourceState', {
      sourceProviderAddress: 'terraform.io/builtin/terraform',
      sourceTypeName: 'terraform_data',
      targetTypeName: typeName,
    });
    expect(summaries(moved)).toEqual([
      "shelf_book can't take over the state of terraform_data of terraform.io/builtin/terraform",
    ]);
  });
});

describe('an ephemeral resource', () => {
  test('is opened, and neither renewed nor closed by the provider', async () => {
    const client = await configured();
    const kind = { typeName: 'shelf_ticket' };
    const opened = await client.call('OpenEphemeralResource', {
      ...kind,
      config: valueOf({ seat: 4, code: null }, ticketSchema),
    });
    expect(opened.diagnostics).toEqual([]);
    expect(read(opened.result, ticketSchema)).toEqual({ seat: 4, code: 'code-4' });
    expect(opened.renewAt).toBeUndefined();
    expect((await client.call('RenewEphemeralResource', kind)).diagnostics).toEqual([]);
    expect((await client.call('CloseEphemeralResource', kind)).diagnostics).toEqual([]);
  });
});

describe('a function', () => {
  const call = async (separator: string, texts: readonly string[]) => {
    const client = (await served(shelfProvider())).connect();
    return client.call('CallFunction', {
      name: 'join',
      arguments: [
        { msgpack: encodeMessagePack(separator, 'string') },
        { msgpack: encodeMessagePack(texts, { list: 'string' }) },
      ],
    });
  };

  test('returns its value', async () => {
    expect((await call('-', ['a', 'b'])).result?.msgpack).toEqual(
      Buffer.from(encodeMessagePack('a-b', 'string')),
    );
  });

  test('reports the index of the invalid argument', async () => {
    expect((await call('-', [])).error).toEqual({ text: 'nothing to join', functionArgument: 1n });
  });

  test('that does not exist is an error', async () => {
    const client = (await served(shelfProvider())).connect();
    expect((await client.call('CallFunction', { name: 'toString' })).error?.text).toContain('no function');
  });
});

describe('connections', () => {
  test('each have their own configuration, and lose it when they close', async () => {
    const log: string[] = [];
    const { connect } = await served(shelfProvider(log));
    const [a, b] = [connect(), connect()];
    await configure(a, 'A');
    await configure(b, 'B');
    expect(read((await apply(a, null, config({ title: 'x' }))).newState)?.['id']).toBe('A-1');
    expect(read((await apply(b, null, config({ title: 'x' }))).newState)?.['id']).toBe('B-1');
    a.close();
    await expect.poll(() => log).toContain('closed A');
    expect(log).not.toContain('closed B');
    expect(read((await apply(b, null, config({ title: 'x' }))).newState)?.['id']).toBe('B-1');
  });

  test('are not stopped when another connection is stopped', async () => {
    const log: string[] = [];
    const { connect } = await served(shelfProvider(log));
    const [a, b] = [connect(), connect()];
    await configure(a, 'A');
    await configure(b, 'B');
    await a.call('StopProvider');
    const slow = apply(b, null, config({ title: 'slow' }));
    await expect.poll(() => log).toContain('create slow');
    await b.call('StopProvider');
    expect(summaries(await slow)).toEqual(['Interrupted']);
  });

  test('pass a value of six megabytes in both directions', async () => {
    const title = 'x'.repeat(6 * 1024 * 1024);
    const now = await (await configured()).call('ReadResource', {
      typeName,
      currentState: valueOf({ ...prior, title }),
    });
    expect(read(now.newState)?.['title']).toBe(title);
  });

  test('respond to the calls of the plugin framework', async () => {
    const { connect, server } = await served(shelfProvider());
    const client = connect();
    expect(await client.raw('/grpc.health.v1.Health/Check', new Uint8Array())).toEqual(Buffer.from([8, 1]));
    expect(await client.stream('/grpc.health.v1.Health/Watch', 1)).toEqual([Buffer.from([8, 1])]);
    const stdio = client.openStream('/plugin.GRPCStdio/StreamStdio');
    await client.raw('/plugin.GRPCController/Shutdown', new Uint8Array());
    await server.close(1000);
    await stdio;
    onTestFinished(() => client.close());
  });

  test('return a status for invalid bytes instead of crashing', async () => {
    const client = await configured();
    await expect(
      client.raw('/tfplugin6.Provider/ReadResource', Buffer.from('ff', 'hex')),
    ).rejects.toMatchObject({
      code: 13,
    });
    expect((await client.call('GetMetadata')).resources).toHaveLength(1);
  });
});
