import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { zipSync } from 'fflate';
import { describe, expect, it, test } from 'vitest';
import { encodeValue } from '../../../src/terraform/protocol/messagepack/encode-value.ts';
import { readPlanFile } from '../../../src/terraform/protocol/plan-file/read-plan-file.ts';
import { resourceTypeIn } from '../../../src/terraform/protocol/plan-file/resource-type.ts';
import { unknownValue } from '../../../src/terraform/protocol/value/unknown.ts';
import { recordOf, type Value } from '../../../src/terraform/protocol/value/value.ts';

const type = { object: { name: 'string' } } as const;
const types = { a_host: type };
const provider = 'provider["registry.terraform.io/acme/a"].west';

const valueOf = (name: Value) => encodeValue({ name }, type);

/** A message of the plan: bytes or text with their field numbers, and numbers. */
function message(...fields: readonly (readonly [number, Uint8Array | string | number])[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const [number, value] of fields) {
    if (typeof value === 'number') writer.tag(number, WireType.Varint).int32(value);
    else
      writer
        .tag(number, WireType.LengthDelimited)
        .bytes(typeof value === 'string' ? new TextEncoder().encode(value) : value);
  }
  return writer.finish();
}

function changeOf(address: string, action: number, values: readonly Uint8Array[], deposed = '') {
  const change = message([1, action], ...values.map((value) => [2, message([1, value])] as const));
  return message([7, deposed], [8, provider], [9, change], [13, address]);
}

const planOf = (changes: readonly Uint8Array[], version = 3) =>
  zipSync({
    tfstate: new Uint8Array(3),
    tfplan: message([1, version], ...changes.map((change) => [3, change] as const), [14, '1.11.4']),
  });

describe('the file of a saved plan', () => {
  it('has the values of each resource that stays, and the provider block', () => {
    const [one, two] = [valueOf('one'), valueOf('two')];
    const bytes = planOf([
      changeOf('a_host.created["x.y"]', 1, [one]),
      changeOf('module.m["a_host.b"].a_host.updated[0]', 3, [one, two]),
      changeOf('a_host.replaced', 7, [one, two]),
      changeOf('a_host.same', 0, [one]),
      changeOf('a_host.unknown', 1, [valueOf(unknownValue())]),
    ]);
    const [first, second] = [recordOf([['name', 'one']]), recordOf([['name', 'two']])];
    const common = { type: 'a_host', provider };
    expect(readPlanFile(bytes, types)).toEqual([
      { ...common, before: null, after: first },
      { ...common, before: first, after: second },
      { ...common, before: first, after: second },
      { ...common, before: first, after: first },
      { ...common, before: null, after: recordOf([['name', unknownValue()]]) },
    ]);
  });

  it('leaves out other types, data sources, deletions and deposed objects', () => {
    const one = valueOf('one');
    const bytes = planOf([
      changeOf('another.created', 1, [Uint8Array.of(0xc1)]),
      changeOf('data.a_host.read', 1, [one]),
      changeOf('a_host.deleted', 5, [one]),
      changeOf('a_host.forgotten', 8, [one]),
      changeOf('a_host.deposed', 3, [one, one], 'abcd1234'),
    ]);
    expect(readPlanFile(bytes, types)).toEqual([]);
  });

  test.each([
    ['is no archive', new Uint8Array(100), /invalid zip/],
    ['contains no plan', zipSync({ tfstate: new Uint8Array(1) }), 'does not contain tfplan'],
    ['has another version', planOf([], 4), 'the unknown version 4'],
    ['has no values', planOf([changeOf('a_host.one', 3, [valueOf('one')])]), 'a_host.one has no values'],
    [
      'has a value of another type',
      planOf([changeOf('a_host.one', 1, [Uint8Array.of(0x80)])]),
      'no member name',
    ],
    ['is cut off', planOf([]).subarray(0, 40), /./],
  ])('is refused if it %s', (_how, bytes, message) => {
    expect(() => readPlanFile(bytes, types)).toThrow(message);
  });

  test('keys in an address may contain anything', () => {
    expect(resourceTypeIn('module.a["] . \\" a.b"].module.b[3].a_host.c["d.e[\\"f\\"]"]')).toBe('a_host');
    expect(resourceTypeIn('data.a_host.b')).toBeNull();
    expect(resourceTypeIn('')).toBeNull();
  });
});
