import { isUnknown } from '../value/unknown.ts';
import { Dynamic, type RecordValue, recordOf, type Value } from '../value/value.ts';
import { type LeafType, type Type, typeFromJson } from '../value/value-type.ts';
import { numericOf } from './number.ts';
import { unknownOf } from './refinement.ts';
import {
  decodeText,
  ExtData,
  entriesOf,
  isTreeMap,
  MessagePackError,
  type MessagePackTree,
  readMessagePackTree,
} from './tree.ts';

/** Reads a value of a type. Empty input is null. Throws a MessagePackError. */
export function decodeValue(bytes: Uint8Array, type: Type): Value {
  return bytes.length === 0 ? null : valueOf(readMessagePackTree(bytes), type);
}

function valueOf(tree: MessagePackTree, type: Type): Value {
  if (tree === null) return null;
  if (tree instanceof ExtData) return unknownOf(tree);
  if (typeof type === 'string') return type === 'dynamic' ? dynamicOf(tree) : leafOf(tree, type);
  if ('list' in type) return elementsOf(tree).map((each) => valueOf(each, type.list));
  if ('set' in type) return elementsOf(tree).map((each) => valueOf(each, type.set));
  if ('map' in type) return recordIn(tree, () => type.map);
  if ('tuple' in type) {
    const elements = elementsOf(tree);
    if (elements.length !== type.tuple.length) throw new MessagePackError('a tuple of the wrong length');
    return elements.map((each, index) => valueOf(each, type.tuple[index] as Type));
  }
  const members = type.object;
  const record = recordIn(tree, (name) => {
    if (!Object.hasOwn(members, name)) throw new MessagePackError(`a member ${name} that is not in the type`);
    return members[name] as Type;
  });
  for (const name of Object.keys(members)) {
    if (!(name in record)) throw new MessagePackError(`no member ${name}`);
  }
  return record;
}

function leafOf(tree: MessagePackTree, type: Exclude<LeafType, 'dynamic'>): Value {
  if (type === 'string' && tree instanceof Uint8Array) return decodeText(tree);
  if (type === 'bool' && typeof tree === 'boolean') return tree;
  if (type === 'string' || type === 'bool') throw new MessagePackError(`expected the type ${type}`);
  const value = numericOf(tree);
  return type === 'int64' && typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}

function elementsOf(tree: MessagePackTree): readonly MessagePackTree[] {
  if (Array.isArray(tree)) return tree as readonly MessagePackTree[];
  throw new MessagePackError('expected a list');
}

function recordIn(tree: MessagePackTree, typeOfMember: (name: string) => Type): RecordValue {
  if (!isTreeMap(tree)) throw new MessagePackError('expected a map');
  return recordOf(entriesOf(tree).map(([name, each]) => [name, valueOf(each, typeOfMember(name))]));
}

function dynamicOf(tree: MessagePackTree): Value {
  const [json, value, ...others] = elementsOf(tree);
  if (!(json instanceof Uint8Array) || value === undefined || others.length > 0)
    throw new MessagePackError('a dynamic value without its type');
  const type = typeOf(decodeText(json));
  const read = valueOf(value, type);
  return isUnknown(read) && type === 'dynamic' ? read : new Dynamic(type, read);
}

function typeOf(json: string): Type {
  try {
    return typeFromJson(json);
  } catch {
    throw new MessagePackError('an invalid type');
  }
}
