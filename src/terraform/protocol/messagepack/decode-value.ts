import {
  type LeafType,
  type RecordValue,
  recordOf,
  type Type,
  Unknown,
  unknownValue,
  type Value,
} from '../value/value.ts';
import {
  decodeText,
  ExtData,
  entriesOf,
  isTreeMap,
  MessagePackError,
  type MessagePackTree,
  readMessagePackTree,
  refinedCode,
} from './tree.ts';

/** Reads a value of a type. Empty input is null. Throws a MessagePackError. */
export function decodeValue(bytes: Uint8Array, type: Type): Value {
  return bytes.length === 0 ? null : valueOf(readMessagePackTree(bytes), type);
}

function valueOf(tree: MessagePackTree, type: Type): Value {
  if (tree === null) return null;
  if (tree instanceof ExtData) return unknownOf(tree);
  if (typeof type === 'string') return leafOf(tree, type);
  if ('list' in type) return elementsOf(tree).map((each) => valueOf(each, type.list));
  if ('set' in type) return elementsOf(tree).map((each) => valueOf(each, type.set));
  if ('map' in type) return recordIn(tree, () => type.map);
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

/** Every extension is an unknown value; only one code contains its refinements. */
function unknownOf({ type: code, data }: ExtData): Unknown {
  const body = typeof data === 'function' ? data(0) : data;
  return code === refinedCode && body.length > 0 ? new Unknown(Uint8Array.from(body)) : unknownValue();
}

function leafOf(tree: MessagePackTree, type: LeafType): Value {
  if (type === 'string' && tree instanceof Uint8Array) return decodeText(tree);
  if (type === 'bool' && typeof tree === 'boolean') return tree;
  if (type === 'number') return numberOf(tree);
  throw new MessagePackError(`expected the type ${type}`);
}

/**
 * Terraform sends integers of up to 64 bits as integers, values that a double holds exactly as floats, and all others
 * as text. Numbers that a double does not hold exactly are rounded, and refused where they are checked.
 */
function numberOf(tree: MessagePackTree): number {
  if (typeof tree === 'bigint') return Number(tree);
  const value = tree instanceof Uint8Array ? Number(decodeText(tree).trim() || Number.NaN) : tree;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new MessagePackError('expected a number');
}

function elementsOf(tree: MessagePackTree): readonly MessagePackTree[] {
  if (Array.isArray(tree)) return tree as readonly MessagePackTree[];
  throw new MessagePackError('expected a list');
}

function recordIn(tree: MessagePackTree, typeOfMember: (name: string) => Type): RecordValue {
  if (!isTreeMap(tree)) throw new MessagePackError('expected a map');
  return recordOf(entriesOf(tree).map(([name, each]) => [name, valueOf(each, typeOfMember(name))]));
}
