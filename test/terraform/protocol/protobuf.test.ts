import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type MessageName,
  messageCodec,
  type SentMessage,
} from '../../../src/terraform/protocol/messages/messages.ts';
import { plainMessage } from './given/plain-message.ts';

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const golden = <Name extends MessageName>(
  what: string,
  name: Name,
  message: SentMessage<Name>,
  hex: string,
) => [what, name, message, hex] as const;

describe('golden vectors', () => {
  test.each([
    golden('nothing', 'Empty', {}, ''),
    golden('zeros are not written', 'Attribute', { name: '', required: false, type: new Uint8Array() }, ''),
    golden('a text', 'Named', { name: 'testing' }, '0a0774657374696e67'),
    golden('150, as in the books', 'Schema', { version: 150n }, '089601'),
    golden('beyond 2^53', 'Schema', { version: 9007199254740993n }, '088180808080808010'),
    golden('-1 takes ten bytes', 'Schema', { version: -1n }, '08ffffffffffffffffff01'),
    golden('an enum below zero', 'Deferred', { reason: -2 }, '08feffffffffffffffff01'),
    golden('an optional zero is written', 'FunctionError', { text: 'x', functionArgument: 0n }, '0a01781000'),
    golden(
      'an empty element is written',
      'AttributePath',
      { steps: [{}, { attributeName: 'a' }] },
      '0a000a030a0161',
    ),
    golden('an entry of a map', 'RawState', { flatmap: { a: 'b' } }, '12060a0161120162'),
    golden('an empty value of a map is written', 'RawState', { flatmap: { a: '' } }, '12050a01611200'),
    golden('an empty message is written', 'Schema', { block: {} }, '1200'),
    golden(
      'an empty message in a map is written',
      'GetFunctions.Response',
      { functions: { k: {} } },
      '0a050a016b1200',
    ),
    golden(
      'diagnostics with their odd number',
      'ValidateProviderConfig.Response',
      { diagnostics: [{ severity: 1 }] },
      '12020801',
    ),
    golden(
      'each kind of step in a path',
      'AttributePath',
      { steps: [{ attributeName: 'a' }, { elementKeyInt: 0n }, { elementKeyString: '' }] },
      '0a030a01610a0218000a021200',
    ),
  ])('%s', (_what, name, message, hex) => {
    expect(hexOf(messageCodec.encode(name, message))).toBe(hex);
    expect(messageCodec.decode(name, bytes(hex))).toMatchObject(message);
  });
});

test('every field is present when it is read', () => {
  const read = (name: MessageName) => plainMessage<object>(messageCodec.decode(name, bytes('')));
  expect(read('RawState')).toEqual({ json: new Uint8Array(), flatmap: {} });
  expect(read('AttributeStep')).toEqual({
    attributeName: undefined,
    elementKeyString: undefined,
    elementKeyInt: undefined,
  });
  expect(read('NestedBlock')).toEqual({
    typeName: '',
    block: undefined,
    nesting: 0,
    minItems: 0n,
    maxItems: 0n,
  });
  expect(read('Diagnostics')).toEqual({ diagnostics: [] });
  expect(read('Deferred')).toEqual({ reason: 0 });
  expect(read('ClientCapabilities')).toEqual({ deferralAllowed: false, writeOnlyAttributesAllowed: false });
});

test('unknown fields are skipped, whatever their wire type', () => {
  const strangers = 'f80701' + 'f9070102030405060708' + 'fa0703616263' + 'fd0701020304';
  expect(messageCodec.decode('Named', bytes(`${strangers}0a0161`)).name).toBe('a');
});

const refusal =
  /premature EOF|invalid varint|illegal tag|cant skip wire type|invalid end group|recursion|a field has the wire type|not valid for encoding utf-8/;

describe('an invalid message is refused', () => {
  test.each<[string, MessageName, string]>([
    ['the end in a number', 'Schema', '08ff'],
    ['the end in a text', 'Named', '0a05616263'],
    ['a number without an end', 'Schema', `08${'ff'.repeat(12)}`],
    ['a group, which nobody uses', 'Named', '0b'],
    ['a number where a text belongs', 'Named', '0801'],
    ['a text where a number belongs', 'Schema', '0a0161'],
  ])('%s', (_what, name, hex) => {
    expect(() => messageCodec.decode(name, bytes(hex))).toThrow(refusal);
  });

  test('for any bytes, no other error is thrown', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (hostile) => {
        try {
          messageCodec.decode('GetProviderSchema.Response', hostile);
        } catch (error) {
          expect(String(error)).toMatch(refusal);
        }
      }),
    );
  });
});

test('any message survives encoding and decoding', () => {
  const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const text = fc.string({ unit: 'grapheme' });
  const nested = <T>(depth: number, of: (depth: number) => fc.Arbitrary<T>) =>
    depth === 0 ? fc.constant(undefined) : fc.option(of(depth - 1), { nil: undefined });
  const block = (depth: number): fc.Arbitrary<SentMessage<'Block'>> =>
    fc.record({
      version: long,
      attributes: fc.array(attribute(depth), { maxLength: 2 }),
      blockTypes:
        depth === 0
          ? fc.constant([])
          : fc.array(
              fc.record({
                typeName: text,
                block: nested(depth, block),
                nesting: fc.integer(),
                minItems: long,
                maxItems: long,
              }),
              { maxLength: 2 },
            ),
      description: text,
      descriptionKind: fc.integer(),
      deprecated: fc.boolean(),
      deprecationMessage: text,
    });
  const attribute = (depth: number): fc.Arbitrary<SentMessage<'Attribute'>> =>
    fc.record({
      name: text,
      type: fc.uint8Array({ maxLength: 300 }),
      description: text,
      required: fc.boolean(),
      optional: fc.boolean(),
      computed: fc.boolean(),
      sensitive: fc.boolean(),
      descriptionKind: fc.integer(),
      deprecated: fc.boolean(),
      nestedType: nested(depth, (inner) =>
        fc.record({ attributes: fc.array(attribute(inner), { maxLength: 2 }), nesting: fc.integer() }),
      ),
      writeOnly: fc.boolean(),
      deprecationMessage: text,
    });
  const schemas = fc.dictionary(text, fc.record({ version: long, block: nested(2, block) }), { maxKeys: 2 });
  fc.assert(
    fc.property(schemas, fc.dictionary(text, text), (resourceSchemas, flatmap) => {
      const response = messageCodec.encode('GetProviderSchema.Response', { resourceSchemas });
      const read = messageCodec.decode('GetProviderSchema.Response', response);
      expect(plainMessage(read.resourceSchemas)).toEqual(resourceSchemas);
      const state = messageCodec.encode('RawState', { flatmap });
      expect(messageCodec.decode('RawState', state).flatmap).toEqual(flatmap);
    }),
  );
});
