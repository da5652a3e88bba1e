import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeValue } from '../../../src/terraform/protocol/messagepack/decode-value.ts';
import { encodeMessagePack } from '../../../src/terraform/protocol/messagepack/encode-value.ts';
import { MessagePackError } from '../../../src/terraform/protocol/messagepack/tree.ts';
import { isSameValue } from '../../../src/terraform/protocol/value/same-value.ts';
import {
  type Type,
  Unknown,
  unknownNotNull,
  unknownValue,
  type Value,
} from '../../../src/terraform/protocol/value/value.ts';
import { arbitraryType, arbitraryValue } from './given/arbitrary-value.ts';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const hexOf = (value: Value, type: Type) => Buffer.from(encodeMessagePack(value, type)).toString('hex');
const text = (value: string) =>
  Buffer.concat([Buffer.from([0xa0 | value.length]), Buffer.from(value)]).toString('hex');

describe('golden vectors, both ways', () => {
  test.each<[string, Type, Value, string]>([
    ['null of any type', { list: 'bool' }, null, 'c0'],
    ['an unknown value', 'string', unknownValue(), 'd40000'],
    ['true', 'bool', true, 'c3'],
    ['a short text', 'string', 'zwölf', 'a67a77c3b66c66'],
    ['a text of 32 bytes', 'string', 'x'.repeat(32), `d920${'78'.repeat(32)}`],
    ['a text of 256 bytes', 'string', 'x'.repeat(256), `da0100${'78'.repeat(256)}`],
    ['a whole number, as text', 'number', 200, text('200')],
    ['the largest exact integer, as text', 'number', 2 ** 53 - 1, text('9007199254740991')],
    ['a fraction, as text', 'number', 0.1, text('0.1')],
    ['a list', { list: 'bool' }, [true, false], '92c3c2'],
    ['an empty map', { map: 'string' }, {}, '80'],
    ['an object with a null', { object: { a: 'bool', b: 'string' } }, { a: true, b: null }, '82a161c3a162c0'],
    ['not null', 'string', unknownNotNull, 'c7030c8101c2'],
    [
      'not null with a prefix, as Terraform sends it',
      'string',
      new Unknown(bytes('8201c202a47072652d')),
      'c7090c8201c202a47072652d',
    ],
    ['lengths', { list: 'bool' }, new Unknown(bytes('8205010603')), 'c7050c8205010603'],
  ])('%s', (_name, type, value, hex) => {
    expect(hexOf(value, type)).toBe(hex);
    expect(decodeValue(bytes(hex), type)).toEqual(value);
  });
});

describe('values that Terraform may send', () => {
  test.each<[string, Type, string, Value]>([
    ['no bytes at all: null', 'string', '', null],
    ['any other extension: unknown', 'string', 'd50900 01', unknownValue()],
    ['an empty extension: unknown', 'string', 'c70000', unknownValue()],
    ['zero', 'number', '00', 0],
    ['the least small negative', 'number', 'e0', -32],
    ['one byte', 'number', 'ccc8', 200],
    ['two bytes below zero', 'number', 'd1fc18', -1000],
    ['more than 32 bits', 'number', 'cf0000000200000000', 2 ** 33],
    ['beyond 2^53, rounded', 'number', 'cf0020000000000001', 9007199254740992],
    ['the least of 64 bits', 'number', 'd38000000000000000', -(2 ** 63)],
    ['a float', 'number', 'cb3ff8000000000000', 1.5],
    ['a float that is whole', 'number', 'cb4340000000000000', 2 ** 53],
    ['a whole number in a wide form', 'number', 'd30000000000000007', 7],
    ['a number with zeros at its end', 'number', text('1.50'), 1.5],
    ['a text of an older form', 'string', 'db0000000161', 'a'],
  ])('%s', (_name, type, hex, value) => {
    expect(decodeValue(bytes(hex), type)).toEqual(value);
  });

  test('a key of a map can be any text', () => {
    const value = decodeValue(bytes(`81a9${Buffer.from('__proto__').toString('hex')}a178`), {
      map: 'string',
    });
    expect(Object.entries(value as object)).toEqual([['__proto__', 'x']]);
  });
});

describe('an invalid value is refused', () => {
  test.each<[string, Type, string]>([
    ['a text where a bool belongs', 'bool', 'a178'],
    ['a member that the type does not have', { object: {} }, '81a161c3'],
    ['an object that lacks a member', { object: { a: 'bool' } }, '80'],
    ['bytes after the value', 'bool', 'c3c3'],
    ['the end in the middle', { list: 'bool' }, '93c3'],
    ['a code that is not used', 'bool', 'c1'],
    ['a list that claims four billion elements', { list: 'bool' }, 'ddffffffff'],
    ['a number that is none', 'number', text('zwölf'.slice(0, 2))],
    ['infinity', 'number', 'cb7ff0000000000000'],
    ['a text that is not UTF-8', 'string', 'a1ff'],
  ])('%s', (_name, type, hex) => {
    expect(() => decodeValue(bytes(hex), type)).toThrow(MessagePackError);
  });

  test('for any bytes, no other error is thrown', () => {
    fc.assert(
      fc.property(arbitraryType(), fc.uint8Array({ maxLength: 60 }), (type, hostile) => {
        try {
          decodeValue(hostile, type);
        } catch (error) {
          expect(error).toBeInstanceOf(MessagePackError);
        }
      }),
    );
  });
});

test('any value of any type survives encoding and decoding', () => {
  const typeAndValue = arbitraryType().chain((type) =>
    fc.tuple(fc.constant(type), arbitraryValue(type, { unknowns: true })),
  );
  fc.assert(
    fc.property(typeAndValue, ([type, value]) => {
      const back = decodeValue(encodeMessagePack(value, type), type);
      expect(back).toEqual(value);
      expect(isSameValue(type, back, value)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('encoded values are the same when they are encoded again', () => {
  const typeAndValue = arbitraryType().chain((type) => fc.tuple(fc.constant(type), arbitraryValue(type)));
  fc.assert(
    fc.property(typeAndValue, ([type, value]) => {
      const once = encodeMessagePack(value, type);
      expect(encodeMessagePack(decodeValue(once, type), type)).toEqual(once);
    }),
  );
});
