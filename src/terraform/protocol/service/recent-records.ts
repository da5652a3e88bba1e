import type { RecordValue } from '../value/value.ts';
import type { Type } from '../value/value-type.ts';

/** Terraform works on ten resources at a time, and sends a few records of each. */
const kept = 64;
/** In bytes. Larger records are rare, and keeping them would need much memory. */
const longest = 16 * 1024;

interface Received {
  readonly type: Type;
  /** The bytes, one in each character. */
  readonly text: string;
}

/**
 * The records that came last, by their bytes. Terraform sends the same record of a resource in several calls, one soon
 * after another, and mostly gets the same record back: so it is decoded once, and not encoded at all.
 */
const recent = new Map<string, { readonly type: Type; readonly record: RecordValue }>();
const received = new WeakMap<RecordValue, Received>();

/** The record with these bytes, if it came recently, and otherwise as it is decoded. */
export function recordFrom(
  bytes: Uint8Array,
  type: Type,
  decode: (bytes: Uint8Array, type: Type) => RecordValue | null,
): RecordValue | null {
  if (bytes.length === 0 || bytes.length > longest) return decode(bytes, type);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const found = recent.get(text);
  if (found?.type === type) return found.record;
  const record = decode(bytes, type);
  if (record === null) return null;
  recent.set(text, { type, record });
  received.set(record, { type, text });
  if (recent.size > kept) recent.delete(recent.keys().next().value as string);
  return record;
}

/** The bytes with which a record came; undefined for any other. */
export function bytesOf(record: RecordValue, type: Type): Uint8Array | undefined {
  const found = received.get(record);
  return found?.type === type ? Buffer.from(found.text, 'latin1') : undefined;
}
