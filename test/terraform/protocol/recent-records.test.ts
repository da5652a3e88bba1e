import { expect, test } from 'vitest';
import { decodeValue } from '../../../src/terraform/protocol/messagepack/decode-value.ts';
import { encodeMessagePack } from '../../../src/terraform/protocol/messagepack/encode-value.ts';
import { bytesOf, recordFrom } from '../../../src/terraform/protocol/service/recent-records.ts';
import type { RecordValue } from '../../../src/terraform/protocol/value/value.ts';
import type { ObjectType, Type } from '../../../src/terraform/protocol/value/value-type.ts';

const typeOf = (): ObjectType => ({ object: { name: 'string' } });
const decode = (bytes: Uint8Array, type: Type) => decodeValue(bytes, type) as RecordValue | null;
const bytesFor = (name: string, type: Type) => encodeMessagePack({ name }, type);

test('a record that comes twice is decoded once', () => {
  const type = typeOf();
  const bytes = bytesFor('Zoë', type);
  const first = recordFrom(bytes, type, decode);
  expect(first).toEqual({ name: 'Zoë' });
  expect(recordFrom(bytes.slice(), type, decode)).toBe(first);
});

test('the same bytes are decoded anew for another type', () => {
  const [type, other] = [typeOf(), typeOf()];
  const bytes = bytesFor('H1', type);
  const first = recordFrom(bytes, type, decode);
  const second = recordFrom(bytes, other, decode);
  expect(second).toEqual(first);
  expect(second).not.toBe(first);
});

test('a record that came in a message goes back with the same bytes, and no other does', () => {
  const type = typeOf();
  const bytes = bytesFor('\u{1F600} H2', type);
  const record = recordFrom(bytes, type, decode) as RecordValue;
  expect(bytesOf(record, type)).toEqual(Buffer.from(bytes));
  expect(bytesOf({ ...record }, type)).toBeUndefined();
  expect(bytesOf(record, typeOf())).toBeUndefined();
});

test('bytes that are kept do not change with the message that they came in', () => {
  const type = typeOf();
  const message = bytesFor('H3', type);
  const sent = message.slice();
  const record = recordFrom(message, type, decode) as RecordValue;
  message.fill(0);
  expect(bytesOf(record, type)).toEqual(Buffer.from(sent));
});

test('of many records the first ones are decoded again', () => {
  const type = typeOf();
  const first = recordFrom(bytesFor('first', type), type, decode);
  for (let index = 0; index < 63; index += 1) recordFrom(bytesFor(`other ${index}`, type), type, decode);
  expect(recordFrom(bytesFor('first', type), type, decode)).toBe(first);
  recordFrom(bytesFor('one more', type), type, decode);
  expect(recordFrom(bytesFor('first', type), type, decode)).not.toBe(first);
});

test('large records and null are not kept', () => {
  const type = typeOf();
  const large = bytesFor('x'.repeat(16 * 1024), type);
  expect(recordFrom(large, type, decode)).not.toBe(recordFrom(large, type, decode));
  expect(recordFrom(new Uint8Array(), type, decode)).toBeNull();
  expect(recordFrom(encodeMessagePack(null, type), type, decode)).toBeNull();
});

test('bytes that are no record are refused each time', () => {
  const type = typeOf();
  const wrong = encodeMessagePack({ other: 'H4' }, { object: { other: 'string' } });
  expect(() => recordFrom(wrong, type, decode)).toThrow('other');
  expect(() => recordFrom(wrong, type, decode)).toThrow('other');
});
