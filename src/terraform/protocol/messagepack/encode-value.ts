import {
  isRecord,
  isUnknown,
  type LeafType,
  type RecordValue,
  type Type,
  type Unknown,
  type Value,
} from '../value/value.ts';
import { ExtData, plainCode, refinedCode, type WritableTree, writeTree } from './tree.ts';

/**
 * Writes a value of a type. Numbers are written as text, as Terraform reads them from its state: numbers of another
 * precision would make a refresh that changes nothing end with exit code 2. Missing attributes of objects are written
 * as null, because Terraform requires every attribute. Throws a TypeError if the value is not of the type: values from
 * outside are checked before.
 */
export function encodeMessagePack(value: Value, type: Type): Uint8Array {
  return writeTree(treeOf(value, type));
}

function treeOf(value: Value | undefined, type: Type): WritableTree {
  if (value === null || value === undefined) return null;
  if (isUnknown(value)) return treeOfUnknown(value);
  if (typeof type === 'string') return treeOfLeaf(value, type);
  if ('list' in type) return elementsOf(value).map((each) => treeOf(each, type.list));
  if ('set' in type) return elementsOf(value).map((each) => treeOf(each, type.set));
  const record = recordIn(value);
  if ('map' in type) return treeOfMembers(record, Object.keys(record), () => type.map);
  return treeOfMembers(record, Object.keys(type.object), (name) => type.object[name] as Type);
}

function treeOfLeaf(value: Value, type: LeafType): WritableTree {
  if (type === 'string' && typeof value === 'string') return value.toWellFormed();
  if (type === 'bool' && typeof value === 'boolean') return value;
  if (type === 'number' && typeof value === 'number') return textOfNumber(value);
  throw new TypeError(`a value that does not have the type ${type}`);
}

/** Whole numbers without an exponent, which Terraform would not write itself. */
function textOfNumber(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

function treeOfUnknown({ promises }: Unknown): ExtData {
  return promises === null ? new ExtData(plainCode, new Uint8Array(1)) : new ExtData(refinedCode, promises);
}

function treeOfMembers(
  record: RecordValue,
  names: readonly string[],
  typeOf: (name: string) => Type,
): WritableTree {
  const tree: Record<string, WritableTree> = Object.create(null);
  for (const name of names) {
    tree[name.toWellFormed()] = treeOf(Object.hasOwn(record, name) ? record[name] : null, typeOf(name));
  }
  return tree;
}

function elementsOf(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value;
  throw new TypeError('a value that is not a list');
}

function recordIn(value: Value): RecordValue {
  if (isRecord(value)) return value;
  throw new TypeError('a value that is not a record');
}
