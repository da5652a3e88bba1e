import { decodeValue } from '../messagepack/decode-value.ts';
import { encodeMessagePack } from '../messagepack/encode-value.ts';
import type { Received, SentMessage } from '../messages/messages.ts';
import { completeValue } from '../rules/complete.ts';
import type { BlockBody } from '../schema/schema.ts';
import { typeOfBody } from '../schema/type-of-schema.ts';
import { formatJson, parseJson, type TerraformJson } from '../value/json.ts';
import type { RecordValue, Value } from '../value/value.ts';
import type { Type } from '../value/value-type.ts';
import { bytesOf, recordFrom } from './recent-records.ts';

const nothing = new Uint8Array();

/** Terraform always sends MessagePack; empty input is null. */
export function receivedValue(value: Received<'DynamicValue'> | undefined, type: Type): Value {
  return decodeValue(value?.msgpack ?? nothing, type);
}

/** A value of a whole block, which is a record or null. */
export function receivedRecord(
  value: Received<'DynamicValue'> | undefined,
  body: BlockBody,
): RecordValue | null {
  return recordFrom(
    value?.msgpack ?? nothing,
    typeOfBody(body),
    (bytes, type) => decodeValue(bytes, type) as RecordValue | null,
  );
}

/** The configuration of an optional block. Terraform sends null if the block is absent. */
export function receivedConfig(value: Received<'DynamicValue'> | undefined, body: BlockBody): RecordValue {
  return completeValue(body, receivedRecord(value, body) ?? {}) as RecordValue;
}

export function sentValue(value: Value, type: Type): SentMessage<'DynamicValue'> {
  return { msgpack: encodeMessagePack(value, type) };
}

export function sentRecord(value: RecordValue | null, body: BlockBody): SentMessage<'DynamicValue'> {
  const type = typeOfBody(body);
  return { msgpack: (value === null ? undefined : bytesOf(value, type)) ?? encodeMessagePack(value, type) };
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Private data as handlers see it; null if there is none. */
export function privateFrom(bytes: Uint8Array | undefined): unknown {
  return bytes === undefined || bytes.length === 0 ? null : parseJson(decoder.decode(bytes));
}

/** The handler's value, or else the previous one. */
export function privateTo(given: unknown, before: Uint8Array | undefined): Uint8Array {
  if (given === undefined) return before ?? new Uint8Array();
  return given === null ? new Uint8Array() : jsonBytes(given as TerraformJson);
}

export function rawJson(raw: Received<'RawState'> | undefined): TerraformJson | undefined {
  return raw === undefined || raw.json.length === 0 ? undefined : parseJson(decoder.decode(raw.json));
}

export function jsonBytes(json: TerraformJson): Uint8Array {
  return encoder.encode(formatJson(json));
}
