import type { Field, Message, MessageInput, MessageTable } from './message-table.ts';
import { readFields, WireReader } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

export interface Codec<T extends MessageTable> {
  encode<Name extends keyof T>(name: Name, message: MessageInput<T, Name>): Uint8Array;
  /** Throws a ProtobufError. Fields that the table does not know are skipped. */
  decode<Name extends keyof T>(name: Name, bytes: Uint8Array): Message<T, Name>;
}

type Members = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, Field>>;

const scalars: ReadonlySet<string> = new Set(['string', 'bytes', 'bool', 'int64', 'int32']);

export function codecOf<T extends MessageTable>(table: T): Codec<T> {
  const fieldsOf = (name: string): Fields => table[name] as Fields;
  const byNumber = new Map<string, ReadonlyMap<number, readonly [string, Field]>>();

  const numbersOf = (name: string) => {
    const found = byNumber.get(name);
    if (found !== undefined) return found;
    const made = new Map(
      Object.entries(fieldsOf(name)).map(([key, field]) => [field[0], [key, field] as const]),
    );
    byNumber.set(name, made);
    return made;
  };

  function encode(name: string, message: Members): Uint8Array {
    const writer = new WireWriter();
    for (const [key, field] of Object.entries(fieldsOf(name))) {
      const value = message[key];
      if (value !== undefined) writeField(writer, field, value);
    }
    return writer.finish();
  }

  function writeField(writer: WireWriter, [number, kind, label]: Field, value: unknown): void {
    const write = (each: unknown, always: boolean): void => {
      if (scalars.has(kind)) writer.scalar(number, kind, each, always);
      else writer.bytes(number, encode(kind, each as Members));
    };
    if (label === 'repeated') for (const each of value as readonly unknown[]) write(each, true);
    else if (label === 'map') {
      for (const [key, each] of Object.entries(value as Members)) {
        const entry = new WireWriter();
        entry.scalar(1, 'string', key, true);
        writeField(entry, [2, kind, 'optional'], each);
        writer.bytes(number, entry.finish());
      }
    } else write(value, label === 'optional');
  }

  function decode(name: string, bytes: Uint8Array): Members {
    const message: Record<string, unknown> = {};
    for (const [key, [, kind, label]] of Object.entries(fieldsOf(name))) {
      if (label === 'repeated') message[key] = [];
      else if (label === 'map') message[key] = Object.create(null);
      else message[key] = label === 'optional' || !scalars.has(kind) ? undefined : zeroOf(kind);
    }
    const fields = numbersOf(name);
    for (const { number, reader } of readFields(bytes)) {
      const found = fields.get(number);
      if (found === undefined) continue;
      const [key, [, kind, label]] = found;
      if (label === 'repeated') (message[key] as unknown[]).push(...readRepeated(reader, kind));
      else if (label === 'map') {
        const [entryKey, value] = readEntry(reader.bytes(), kind);
        (message[key] as Record<string, unknown>)[entryKey] = value;
      } else message[key] = readSingle(reader, kind);
    }
    return message;
  }

  function readSingle(reader: WireReader, kind: string): unknown {
    return scalars.has(kind) ? reader.scalar(kind) : decode(kind, reader.bytes());
  }

  /** Numbers may be packed into one field. */
  function readRepeated(reader: WireReader, kind: string): readonly unknown[] {
    if (!reader.isPacked(kind)) return [readSingle(reader, kind)];
    const packed = new WireReader(reader.bytes(), 'varint');
    const values: unknown[] = [];
    while (!packed.isAtEnd) values.push(packed.scalar(kind));
    return values;
  }

  function readEntry(bytes: Uint8Array, kind: string): readonly [string, unknown] {
    let key = '';
    let value: unknown = scalars.has(kind) ? zeroOf(kind) : decode(kind, new Uint8Array());
    for (const { number, reader } of readFields(bytes)) {
      if (number === 1) key = reader.scalar('string') as string;
      else if (number === 2) value = readSingle(reader, kind);
    }
    return [key, value];
  }

  return {
    encode: (name, message) => encode(name as string, message),
    decode: <Name extends keyof T>(name: Name, bytes: Uint8Array) =>
      decode(name as string, bytes) as Message<T, Name>,
  };
}

function zeroOf(kind: string): unknown {
  switch (kind) {
    case 'string':
      return '';
    case 'bytes':
      return new Uint8Array();
    case 'bool':
      return false;
    case 'int64':
      return 0n;
    default:
      return 0;
  }
}
