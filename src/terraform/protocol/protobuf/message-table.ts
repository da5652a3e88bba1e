/**
 * Messages as a table: each field's number, kind (a scalar or the name of another message) and, if it is not single,
 * its label. `optional` fields do not distinguish unset from zero; the members of a oneof are written as optional.
 */
export type MessageTable = Readonly<Record<string, Readonly<Record<string, MessageField>>>>;

export type MessageField = readonly [number: number, kind: string, label?: 'repeated' | 'map' | 'optional'];

export interface Scalars {
  readonly string: string;
  readonly bytes: Uint8Array;
  readonly bool: boolean;
  readonly int64: bigint;
  /** Also of enums. */
  readonly int32: number;
}

type Single<T extends MessageTable, Kind, Read extends boolean> = Kind extends keyof Scalars
  ? Scalars[Kind]
  : Kind extends keyof T
    ? Read extends true
      ? DecodedMessage<T, Kind>
      : MessageInput<T, Kind>
    : never;

type MemberOf<T extends MessageTable, F, Read extends boolean> = F extends readonly [
  number,
  infer Kind,
  'repeated',
]
  ? readonly Single<T, Kind, Read>[]
  : F extends readonly [number, infer Kind, 'map']
    ? Readonly<Record<string, Single<T, Kind, Read>>>
    : F extends readonly [number, infer Kind, 'optional']
      ? Single<T, Kind, Read> | undefined
      : F extends readonly [number, infer Kind]
        ? Kind extends keyof Scalars
          ? Scalars[Kind]
          : Single<T, Kind, Read> | undefined
        : never;

/** A decoded message. Every field exists; single messages and optional fields may be undefined. */
export type DecodedMessage<T extends MessageTable, Name extends keyof T> = {
  readonly [Key in keyof T[Name]]: MemberOf<T, T[Name][Key], true>;
};

/** A message to encode: missing members have their zero value. */
export type MessageInput<T extends MessageTable, Name extends keyof T> = {
  readonly [Key in keyof T[Name]]?: MemberOf<T, T[Name][Key], false> | undefined;
};
