import { isUnknown } from '../value/unknown.ts';
import { Dynamic, type RecordValue, recordOf, type Value } from '../value/value.ts';
import { type LeafType, type Type, typeFromJson } from '../value/value-type.ts';
import { numericOfToken } from './number.ts';
import { MessagePackError, Reader, type Token } from './reader.ts';
import { unknownOfExtension } from './refinement.ts';

const decoder = new TextDecoder();

/** Reads a value of a type. No bytes at all are null. Throws a MessagePackError. */
export function decodeValue(bytes: Uint8Array, type: Type): Value {
  if (bytes.length === 0) return null;
  const reader = new Reader(bytes);
  const value = read(reader, type);
  if (!reader.isAtEnd) throw new MessagePackError('bytes after the value');
  return value;
}

function read(reader: Reader, type: Type): Value {
  return readFrom(reader, reader.next(), type);
}

function readFrom(reader: Reader, token: Token, type: Type): Value {
  if (token.kind === 'null') return null;
  if (token.kind === 'extension') return unknownOfExtension(token.code, token.body);
  if (typeof type === 'string') return type === 'dynamic' ? readDynamic(reader, token) : leafOf(token, type);
  if ('list' in type) return readElements(reader, token, () => type.list);
  if ('set' in type) return readElements(reader, token, () => type.set);
  if ('map' in type) return readRecord(reader, token, () => type.map);
  if ('tuple' in type) {
    if (token.kind !== 'array' || token.length !== type.tuple.length)
      throw new MessagePackError('a tuple of another length');
    return readElements(reader, token, (index) => type.tuple[index] as Type);
  }
  const members = type.object;
  const record = readRecord(reader, token, (name) => {
    if (!Object.hasOwn(members, name))
      throw new MessagePackError(`a member ${name} that the type does not have`);
    return members[name] as Type;
  });
  for (const name of Object.keys(members)) {
    if (!(name in record)) throw new MessagePackError(`no member ${name}`);
  }
  return record;
}

function leafOf(token: Token, type: Exclude<LeafType, 'dynamic'>): Value {
  if (type === 'string' || type === 'bool') {
    if (token.kind === (type === 'string' ? 'text' : 'bool'))
      return (token as { value: string | boolean }).value;
    throw new MessagePackError(`a ${token.kind} where a ${type} belongs`);
  }
  const value = numericOfToken(token);
  return type === 'int64' && typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}

function readElements(reader: Reader, token: Token, typeAt: (index: number) => Type): readonly Value[] {
  if (token.kind !== 'array') throw new MessagePackError(`a ${token.kind} where a list belongs`);
  const elements: Value[] = [];
  for (let index = 0; index < token.length; index += 1) elements.push(read(reader, typeAt(index)));
  return elements;
}

function readRecord(reader: Reader, token: Token, typeOf: (name: string) => Type): RecordValue {
  if (token.kind !== 'map') throw new MessagePackError(`a ${token.kind} where a map belongs`);
  const entries: (readonly [string, Value])[] = [];
  for (let left = token.length; left > 0; left -= 1) {
    const name = reader.next();
    if (name.kind !== 'text') throw new MessagePackError(`a key that is a ${name.kind}`);
    entries.push([name.value, read(reader, typeOf(name.value))]);
  }
  return recordOf(entries);
}

function readDynamic(reader: Reader, token: Token): Value {
  if (token.kind !== 'array' || token.length !== 2)
    throw new MessagePackError('a dynamic value without its type');
  const json = reader.next();
  if (json.kind !== 'bytes' && json.kind !== 'text') throw new MessagePackError('a type that is no JSON');
  const type = typeOf(json.kind === 'text' ? json.value : decoder.decode(json.value));
  const value = read(reader, type);
  return isUnknown(value) && type === 'dynamic' ? value : new Dynamic(type, value);
}

function typeOf(json: string): Type {
  try {
    return typeFromJson(json);
  } catch {
    throw new MessagePackError('a type that is no type');
  }
}
