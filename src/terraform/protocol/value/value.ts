/** The types of Terraform's type system that the provider uses, as plain values. */
export type Type = LeafType | ListType | SetType | MapType | ObjectType;

export type LeafType = 'string' | 'bool' | 'number';

/** Validation of the configuration refuses null elements. */
export interface ListType {
  readonly list: Type;
}

export interface SetType {
  readonly set: Type;
}

export interface MapType {
  readonly map: Type;
}

export interface ObjectType {
  readonly object: Readonly<Record<string, Type>>;
}

/** Terraform's JSON for a type, in UTF-8: `"string"`, `["map","number"]`, `["object",{"a":"bool"}]`. */
export function typeBytes(type: Type): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(treeOfType(type)));
}

function treeOfType(type: Type): unknown {
  if (typeof type === 'string') return type;
  if ('list' in type) return ['list', treeOfType(type.list)];
  if ('set' in type) return ['set', treeOfType(type.set)];
  if ('map' in type) return ['map', treeOfType(type.map)];
  return [
    'object',
    Object.fromEntries(Object.entries(type.object).map(([name, each]) => [name, treeOfType(each)])),
  ];
}

/** A value that will be known after apply. */
export class Unknown {
  /** What Terraform promises about it, in Terraform's own encoding: it is passed on as it came. */
  readonly promises: Uint8Array | null;

  constructor(promises: Uint8Array | null) {
    this.promises = promises;
  }
}

const plain = new Unknown(null);

export function unknownValue(): Unknown {
  return plain;
}

/** An unknown value that is certainly not null: a map of MessagePack with `false` for the key 1. */
export const unknownNotNull = new Unknown(Uint8Array.of(0x81, 0x01, 0xc2));

export function isUnknown(value: unknown): value is Unknown {
  return value instanceof Unknown;
}

/** Neither null nor unknown. */
export function isPresent<T>(value: T): value is Exclude<T, null | undefined | Unknown> {
  return value !== null && value !== undefined && !isUnknown(value);
}

/** The value, or null if it is unknown. */
export function knownOrNull<T>(value: T): Exclude<T, Unknown> | null {
  return isUnknown(value) ? null : (value as Exclude<T, Unknown>);
}

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
