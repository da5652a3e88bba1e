import { isNumeric } from '../value/numeric.ts';
import { isUnknown } from '../value/unknown.ts';
import { Dynamic, isRecord, type RecordValue, type Value } from '../value/value.ts';
import { jsonOfType, type LeafType, type Type } from '../value/value-type.ts';
import { writeNumeric } from './number.ts';
import { writeUnknown } from './refinement.ts';
import { Writer } from './writer.ts';

const encoder = new TextEncoder();

/**
 * Writes a value of a type. Missing members of objects are written as null, because Terraform requires every member.
 * Throws a TypeError if the value is not of the type: values from outside are checked before.
 */
export function encodeValue(value: Value, type: Type): Uint8Array {
  const writer = new Writer();
  write(writer, value, type);
  return writer.finish();
}

function write(writer: Writer, value: Value | undefined, type: Type): void {
  if (value === null || value === undefined) writer.null();
  else if (isUnknown(value)) writeUnknown(writer, value);
  else if (typeof type === 'string') writeLeaf(writer, value, type);
  else if ('list' in type) writeElements(writer, elementsOf(value), () => type.list);
  else if ('set' in type) writeElements(writer, elementsOf(value), () => type.set);
  else if ('tuple' in type)
    writeElements(writer, elementsOf(value), (index) => type.tuple[index] ?? 'dynamic');
  else if ('map' in type) writeMembers(writer, recordIn(value), Object.keys(recordIn(value)), () => type.map);
  else {
    const members = type.object;
    writeMembers(writer, recordIn(value), Object.keys(members), (name) => members[name] as Type);
  }
}

function writeLeaf(writer: Writer, value: Value, type: LeafType): void {
  if (type === 'dynamic' && value instanceof Dynamic) {
    writer.array(2);
    writer.bytes(encoder.encode(jsonOfType(value.type)));
    write(writer, value.value, value.type);
  } else if (type === 'string' && typeof value === 'string') writer.text(value);
  else if (type === 'bool' && typeof value === 'boolean') writer.bool(value);
  else if (type !== 'dynamic' && type !== 'string' && type !== 'bool' && isNumeric(value))
    writeNumeric(writer, value);
  else throw new TypeError(`a value that is no ${type}`);
}

function writeElements(writer: Writer, elements: readonly Value[], typeAt: (index: number) => Type): void {
  writer.array(elements.length);
  elements.forEach((each, index) => write(writer, each, typeAt(index)));
}

function writeMembers(
  writer: Writer,
  record: RecordValue,
  names: readonly string[],
  typeOf: (name: string) => Type,
): void {
  writer.map(names.length);
  for (const name of names) {
    writer.text(name);
    write(writer, Object.hasOwn(record, name) ? record[name] : null, typeOf(name));
  }
}

function elementsOf(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value;
  throw new TypeError('a value that is no list');
}

function recordIn(value: Value): RecordValue {
  if (isRecord(value)) return value;
  throw new TypeError('a value that is no record');
}
