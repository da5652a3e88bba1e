import { isUnknown, type Unknown } from './unknown.ts';

/**
 * A value of any type: texts, booleans and numbers as themselves; lists and sets as arrays; maps and objects as
 * records; null as null; unknown values as `Unknown`.
 */
export type Value =
  | null
  | string
  | boolean
  | number
  | Unknown
  | readonly Value[]
  | { readonly [name: string]: Value };

export type RecordValue = { readonly [name: string]: Value };

/** A record without a prototype, so that a key such as `__proto__` is a key like any other. */
export function recordOf(entries: Iterable<readonly [string, Value]>): RecordValue {
  const record: Record<string, Value> = Object.create(null);
  for (const [name, value] of entries) record[name] = value;
  return record;
}

export function isRecord(value: unknown): value is RecordValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** Is no part of it unknown? */
export function isWhollyKnown(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (isUnknown(value)) return false;
  if (Array.isArray(value)) return value.every(isWhollyKnown);
  return !isRecord(value) || Object.values(value).every(isWhollyKnown);
}
