import { expect, test } from 'vitest';
import { decodeValue } from '../../../src/terraform/protocol/messagepack/decode-value.ts';
import { typeOfBody } from '../../../src/terraform/protocol/schema/schema.ts';
import { hostSchema } from '../../../src/terraform/provider/host/schema.ts';
import { printedJson } from '../acceptance/given/printed-json.ts';
import { rampartCore } from './given/rampart-core.ts';

const hosts = [
  { id: '9007199254740993', name: 'BER-1', groupId: '17' },
  { id: '2', name: '\u001b[2Jodd', online: false },
];

/** Types and values as JSON, all other bytes as hexadecimal digits. */
function readable(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint8Array) {
    const text = Buffer.from(value).toString('utf8');
    return /^(?:"|\[)/.test(text) ? JSON.parse(text) : Buffer.from(value).toString('hex');
  }
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined && each !== '' && each !== false)
      .map(([name, each]) => [name, readable(each)]),
  );
}

test('the messages for Terraform 1.12 and newer are as reviewed: to change them, run this test with -u, and read the difference', async () => {
  const core = await rampartCore({ groups: [{ id: '17', name: 'Servers' }], hosts });
  const { listResourceSchemas, actionSchemas, serverCapabilities } = await core.call('GetProviderSchema');
  const { identitySchemas } = await core.call('GetResourceIdentitySchemas');
  const typeName = 'rampart_host';
  const listed = await core.events('ListResource', {
    typeName,
    config: core.configOf(typeName, {}),
    includeResourceObject: true,
  });
  const generated = await core.call('GenerateResourceConfig', { typeName, state: listed[0]?.resourceObject });
  const actionType = 'rampart_antivirus_refresh';
  const invoked = await core.events('InvokeAction', {
    actionType,
    config: core.configOf(actionType, { host_ids: ['2', '9007199254740993'] }),
  });
  const hostOf = (bytes: Uint8Array | undefined) =>
    decodeValue(bytes ?? new Uint8Array(), typeOfBody(hostSchema));
  const messages = {
    serverCapabilities,
    identitySchemas,
    listResourceSchemas,
    actionSchemas,
    listed: listed.map(({ resourceObject, ...event }) => ({
      ...event,
      resourceObject: hostOf(resourceObject?.msgpack),
    })),
    generated: { ...generated, config: hostOf(generated.config?.msgpack) },
    invoked,
  };
  await expect(printedJson(readable(messages))).toMatchFileSnapshot('../../golden/terraform/messages.json');
});
