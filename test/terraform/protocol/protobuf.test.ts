import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageCodec } from '../../../src/terraform/protocol/messages/messages.ts';
import { codecOf } from '../../../src/terraform/protocol/protobuf/codec.ts';
import type { MessageTable } from '../../../src/terraform/protocol/protobuf/message-table.ts';
import { plainMessage } from './given/plain-message.ts';

const table = {
  Everything: {
    text: [1, 'string'],
    raw: [2, 'bytes'],
    flag: [3, 'bool'],
    long: [4, 'int64'],
    short: [5, 'int32'],
    maybe: [6, 'int64', 'optional'],
    many: [7, 'string', 'repeated'],
    numbers: [16, 'int64', 'repeated'],
    named: [17, 'string', 'map'],
    inner: [18, 'Everything'],
    inners: [19, 'Everything', 'repeated'],
    byName: [200, 'Everything', 'map'],
  },
} as const satisfies MessageTable;
const codec = codecOf(table);

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

describe('golden vectors', () => {
  test.each<[string, Parameters<typeof codec.encode<'Everything'>>[1], string]>([
    ['nothing', {}, ''],
    ['zeros are not written', { text: '', flag: false, long: 0n, short: 0, raw: new Uint8Array() }, ''],
    ['a text', { text: 'testing' }, '0a0774657374696e67'],
    ['150, as in the books', { long: 150n }, '209601'],
    ['beyond 2^53', { long: 9007199254740993n }, '208180808080808010'],
    ['-1 takes ten bytes', { long: -1n }, '20ffffffffffffffffff01'],
    ['an enum below zero', { short: -2 }, '28feffffffffffffffff01'],
    ['an optional zero is written', { maybe: 0n }, '3000'],
    ['an empty element is written', { many: ['', 'a'] }, '3a003a0161'],
    ['numbers share one field, and a field above 15 has two bytes', { numbers: [0n, 1n] }, '8201020001'],
    ['an entry of a map', { named: { a: 'b' } }, '8a01060a0161120162'],
    ['an empty value of a map is written', { named: { a: '' } }, '8a01050a01611200'],
    ['an empty message is written', { inner: {} }, '920100'],
    ['an empty message in a map is written', { byName: { k: {} } }, 'c20c050a016b1200'],
  ])('%s', (_name, message, hex) => {
    expect(hexOf(codec.encode('Everything', message))).toBe(hex);
    expect(codec.decode('Everything', bytes(hex))).toMatchObject(message);
  });
});

test('every field is there when it is read', () => {
  expect(plainMessage(codec.decode('Everything', bytes('')))).toEqual({
    text: '',
    raw: new Uint8Array(),
    flag: false,
    long: 0n,
    short: 0,
    maybe: undefined,
    many: [],
    numbers: [],
    named: {},
    inner: undefined,
    inners: [],
    byName: {},
  });
});

test('numbers that do not share one field are read', () => {
  expect(codec.decode('Everything', bytes('800101' + '80019601')).numbers).toEqual([1n, 150n]);
});

test('fields that the table does not know are skipped, whatever their wire type', () => {
  const strangers = 'f80701' + 'f9070102030405060708' + 'fa0703616263' + 'fd0701020304';
  expect(codec.decode('Everything', bytes(`${strangers}0a0161`)).text).toBe('a');
});

test('an argument number of zero is not lost, and diagnostics have their odd number', () => {
  expect(hexOf(messageCodec.encode('FunctionError', { text: 'x', functionArgument: 0n }))).toBe('0a01781000');
  const sent = messageCodec.encode('ValidateProviderConfig.Response', { diagnostics: [{ severity: 1 }] });
  expect(hexOf(sent)).toBe('12020801');
  const path = { steps: [{ attributeName: 'a' }, { elementKeyInt: 0n }, { elementKeyString: '' }] };
  expect(hexOf(messageCodec.encode('AttributePath', path))).toBe('0a030a01610a0218000a021200');
});

const refusal =
  /premature EOF|invalid varint|illegal tag|cant skip wire type|invalid end group|recursion|a field has the wire type|not valid for encoding utf-8/;

describe('an invalid message is refused', () => {
  test.each([
    ['the end in a number', '20ff'],
    ['the end in a text', '0a05616263'],
    ['a number without an end', `20${'ff'.repeat(12)}`],
    ['a group, which nobody uses', '0b'],
    ['a number where a text belongs', '0801'],
    ['a text where a number belongs', '220161'],
  ])('%s', (_name, hex) => {
    expect(() => codec.decode('Everything', bytes(hex))).toThrow(refusal);
  });

  test('whatever the bytes, no other error is thrown', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (hostile) => {
        try {
          codec.decode('Everything', hostile);
        } catch (error) {
          expect(String(error)).toMatch(refusal);
        }
      }),
    );
  });
});

test('any message survives encoding and decoding', () => {
  const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const message = (depth: number): fc.Arbitrary<unknown> =>
    fc.record({
      text: fc.string({ unit: 'grapheme' }),
      raw: fc.uint8Array({ maxLength: 300 }),
      flag: fc.boolean(),
      long,
      short: fc.integer(),
      maybe: fc.option(long, { nil: undefined }),
      many: fc.array(fc.string(), { maxLength: 3 }),
      numbers: fc.array(long, { maxLength: 3 }),
      named: fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
      inner: depth === 0 ? fc.constant(undefined) : fc.option(message(depth - 1), { nil: undefined }),
      inners: depth === 0 ? fc.constant([]) : fc.array(message(depth - 1), { maxLength: 2 }),
      byName: depth === 0 ? fc.constant({}) : fc.dictionary(fc.string(), message(depth - 1), { maxKeys: 2 }),
    });
  fc.assert(
    fc.property(message(2), (sent) => {
      const given = sent as Parameters<typeof codec.encode<'Everything'>>[1];
      expect(plainMessage(codec.decode('Everything', codec.encode('Everything', given)))).toEqual(sent);
    }),
  );
});
