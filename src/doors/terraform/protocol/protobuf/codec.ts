import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { Field, Message, MessageInput, MessageTable, Scalars } from './message-table.ts';

export interface Codec<T extends MessageTable> {
  encode<Name extends keyof T>(name: Name, message: MessageInput<T, Name>): Uint8Array;
  /** Throws an Error if the bytes are not a message. Fields that the table does not know are skipped. */
  decode<Name extends keyof T>(name: Name, bytes: Uint8Array): Message<T, Name>;
}

type Members = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, Field>>;
type Scalar = keyof Scalars;

interface ScalarCodec {
  readonly wireType: WireType;
  readonly zero: unknown;
  write(writer: BinaryWriter, value: never): BinaryWriter;
  read(reader: BinaryReader): unknown;
}

const scalars: Readonly<Record<Scalar, ScalarCodec>> = {
  string: {
    wireType: WireType.LengthDelimited,
    zero: '',
    write: (writer, value) => writer.string(value),
    read: (reader) => reader.string(),
  },
  bytes: {
    wireType: WireType.LengthDelimited,
    zero: new Uint8Array(),
    write: (writer, value) => writer.bytes(value),
    read: (reader) => reader.bytes(),
  },
  bool: {
    wireType: WireType.Varint,
    zero: false,
    write: (writer, value) => writer.bool(value),
    read: (reader) => reader.bool(),
  },
  int64: {
    wireType: WireType.Varint,
    zero: 0n,
    write: (writer, value) => writer.int64(value),
    read: (reader) => BigInt(reader.int64()),
  },
  int32: {
    wireType: WireType.Varint,
    zero: 0,
    write: (writer, value) => writer.int32(value),
    read: (reader) => reader.int32(),
  },
};

const scalarOf = (kind: string): ScalarCodec | undefined =>
  Object.hasOwn(scalars, kind) ? scalars[kind as Scalar] : undefined;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Keeps a byte-order mark at the start of a text. */
const readerOf = (bytes: Uint8Array) => new BinaryReader(bytes, (text) => decoder.decode(text));

export function codecOf<T extends MessageTable>(table: T): Codec<T> {
  const fieldsOf = (name: string): Fields => table[name] as Fields;
  const byNumber = new Map(
    Object.entries(table).map(([name, fields]) => [
      name,
      new Map(Object.entries(fields).map(([key, field]) => [field[0], [key, field] as const])),
    ]),
  );

  function write(writer: BinaryWriter, name: string, message: Members): BinaryWriter {
    for (const [key, field] of Object.entries(fieldsOf(name))) {
      const value = message[key];
      if (value !== undefined) writeField(writer, field, value);
    }
    return writer;
  }

  function writeField(writer: BinaryWriter, [number, kind, label]: Field, value: unknown): void {
    if (label === 'repeated') {
      for (const each of value as readonly unknown[]) writeSingle(writer, number, kind, each);
    } else if (label === 'map') {
      for (const [key, each] of Object.entries(value as Members)) {
        writer.tag(number, WireType.LengthDelimited).fork();
        writer.tag(1, WireType.LengthDelimited).string(key);
        writeSingle(writer, 2, kind, each);
        writer.join();
      }
    } else if (label === 'optional' || !isZero(kind, value)) writeSingle(writer, number, kind, value);
  }

  function writeSingle(writer: BinaryWriter, number: number, kind: string, value: unknown): void {
    const scalar = scalarOf(kind);
    if (scalar !== undefined) scalar.write(writer.tag(number, scalar.wireType), value as never);
    else write(writer.tag(number, WireType.LengthDelimited).fork(), kind, value as Members).join();
  }

  function decode(name: string, bytes: Uint8Array): Members {
    const message: Record<string, unknown> = {};
    for (const [key, [, kind, label]] of Object.entries(fieldsOf(name))) {
      if (label === 'repeated') message[key] = [];
      else if (label === 'map') message[key] = Object.create(null);
      else message[key] = label === 'optional' ? undefined : scalarOf(kind)?.zero;
    }
    const reader = readerOf(bytes);
    while (reader.pos < reader.len) {
      const [number, type] = reader.tag();
      const found = byNumber.get(name)?.get(number);
      if (found === undefined) {
        reader.skip(type, number);
        continue;
      }
      const [key, [, kind, label]] = found;
      if (label === 'repeated') readRepeated(reader, type, kind, message[key] as unknown[]);
      else if (label === 'map') readEntry(reader, type, kind, message[key] as Record<string, unknown>);
      else message[key] = readSingle(reader, type, kind);
    }
    return message;
  }

  function readSingle(reader: BinaryReader, type: WireType, kind: string): unknown {
    const scalar = scalarOf(kind);
    expectType(type, scalar?.wireType ?? WireType.LengthDelimited);
    return scalar === undefined ? decode(kind, reader.bytes()) : scalar.read(reader);
  }

  /** Numbers may be packed into one field. */
  function readRepeated(reader: BinaryReader, type: WireType, kind: string, values: unknown[]): void {
    const scalar = scalarOf(kind);
    if (type !== WireType.LengthDelimited || scalar?.wireType !== WireType.Varint) {
      values.push(readSingle(reader, type, kind));
      return;
    }
    const packed = readerOf(reader.bytes());
    while (packed.pos < packed.len) values.push(scalar.read(packed));
  }

  function readEntry(
    reader: BinaryReader,
    type: WireType,
    kind: string,
    entries: Record<string, unknown>,
  ): void {
    expectType(type, WireType.LengthDelimited);
    const entry = readerOf(reader.bytes());
    const scalar = scalarOf(kind);
    let key = '';
    let value: unknown = scalar === undefined ? decode(kind, new Uint8Array()) : scalar.zero;
    while (entry.pos < entry.len) {
      const [number, entryType] = entry.tag();
      if (number === 1) key = readSingle(entry, entryType, 'string') as string;
      else if (number === 2) value = readSingle(entry, entryType, kind);
      else entry.skip(entryType, number);
    }
    entries[key] = value;
  }

  return {
    encode: (name, message) => write(new BinaryWriter(), name as string, message).finish(),
    decode: <Name extends keyof T>(name: Name, bytes: Uint8Array) =>
      decode(name as string, bytes) as Message<T, Name>,
  };
}

function isZero(kind: string, value: unknown): boolean {
  return value instanceof Uint8Array ? value.length === 0 : value === scalarOf(kind)?.zero;
}

/** The library does not compare the wire type of a field with what the caller reads. */
function expectType(type: WireType, expected: WireType): void {
  if (type !== expected) throw new Error(`a field has the wire type ${type} instead of ${expected}`);
}
