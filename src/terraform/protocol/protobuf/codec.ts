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

/** A field as the codec uses it, looked up once. */
interface CompiledField {
  readonly key: string;
  readonly number: number;
  readonly kind: string;
  readonly label: Field[2];
  /** Undefined for a field that is a message. */
  readonly scalar: ScalarCodec | undefined;
  readonly wireType: WireType;
}

interface CompiledMessage {
  readonly fields: readonly CompiledField[];
  readonly byNumber: ReadonlyMap<number, CompiledField>;
}

/** The key of an entry of a map. */
const keyField = { kind: 'string', scalar: scalars.string, wireType: WireType.LengthDelimited } as const;

function compiled(fields: Fields): CompiledMessage {
  const all = Object.entries(fields).map(([key, [number, kind, label]]) => {
    const scalar = scalarOf(kind);
    return { key, number, kind, label, scalar, wireType: scalar?.wireType ?? WireType.LengthDelimited };
  });
  return { fields: all, byNumber: new Map(all.map((field) => [field.number, field])) };
}

export function codecOf<T extends MessageTable>(table: T): Codec<T> {
  const messages = new Map(Object.entries(table).map(([name, fields]) => [name, compiled(fields)]));
  const messageOf = (name: string) => messages.get(name) as CompiledMessage;

  function write(writer: BinaryWriter, name: string, message: Members): BinaryWriter {
    for (const field of messageOf(name).fields) {
      const value = message[field.key];
      if (value !== undefined) writeField(writer, field, value);
    }
    return writer;
  }

  function writeField(writer: BinaryWriter, field: CompiledField, value: unknown): void {
    if (field.label === 'repeated') {
      for (const each of value as readonly unknown[]) writeSingle(writer, field, each);
    } else if (field.label === 'map') {
      for (const [key, each] of Object.entries(value as Members)) {
        writer.tag(field.number, WireType.LengthDelimited).fork();
        writer.tag(1, WireType.LengthDelimited).string(key);
        writeSingle(writer, { ...field, number: 2 }, each);
        writer.join();
      }
    } else if (field.label === 'optional' || !isZero(field, value)) writeSingle(writer, field, value);
  }

  function writeSingle(
    writer: BinaryWriter,
    { number, kind, scalar, wireType }: CompiledField,
    value: unknown,
  ): void {
    writer.tag(number, wireType);
    if (scalar !== undefined) scalar.write(writer, value as never);
    else write(writer.fork(), kind, value as Members).join();
  }

  function decode(name: string, bytes: Uint8Array): Members {
    const { fields, byNumber } = messageOf(name);
    const message: Record<string, unknown> = {};
    for (const { key, label, scalar } of fields) {
      if (label === 'repeated') message[key] = [];
      else if (label === 'map') message[key] = Object.create(null);
      else message[key] = label === 'optional' ? undefined : scalar?.zero;
    }
    const reader = readerOf(bytes);
    while (reader.pos < reader.len) {
      const [number, type] = reader.tag();
      const field = byNumber.get(number);
      if (field === undefined) {
        reader.skip(type, number);
        continue;
      }
      const { key, label } = field;
      if (label === 'repeated') readRepeated(reader, type, field, message[key] as unknown[]);
      else if (label === 'map') readEntry(reader, type, field, message[key] as Record<string, unknown>);
      else message[key] = readSingle(reader, type, field);
    }
    return message;
  }

  function readSingle(
    reader: BinaryReader,
    type: WireType,
    { kind, scalar, wireType }: Pick<CompiledField, 'kind' | 'scalar' | 'wireType'>,
  ): unknown {
    expectType(type, wireType);
    return scalar === undefined ? decode(kind, reader.bytes()) : scalar.read(reader);
  }

  /** Numbers may be packed into one field. */
  function readRepeated(reader: BinaryReader, type: WireType, field: CompiledField, values: unknown[]): void {
    const { scalar } = field;
    if (type !== WireType.LengthDelimited || scalar?.wireType !== WireType.Varint) {
      values.push(readSingle(reader, type, field));
      return;
    }
    const packed = readerOf(reader.bytes());
    while (packed.pos < packed.len) values.push(scalar.read(packed));
  }

  function readEntry(
    reader: BinaryReader,
    type: WireType,
    field: CompiledField,
    entries: Record<string, unknown>,
  ): void {
    expectType(type, WireType.LengthDelimited);
    const entry = readerOf(reader.bytes());
    const { kind, scalar } = field;
    let key = '';
    let value: unknown = scalar === undefined ? decode(kind, new Uint8Array()) : scalar.zero;
    while (entry.pos < entry.len) {
      const [number, entryType] = entry.tag();
      if (number === 1) key = readSingle(entry, entryType, keyField) as string;
      else if (number === 2) value = readSingle(entry, entryType, field);
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

function isZero({ scalar }: CompiledField, value: unknown): boolean {
  return value instanceof Uint8Array ? value.length === 0 : value === scalar?.zero;
}

/** The library does not compare the wire type of a field with what the caller reads. */
function expectType(type: WireType, expected: WireType): void {
  if (type !== expected) throw new Error(`a field has the wire type ${type} instead of ${expected}`);
}
