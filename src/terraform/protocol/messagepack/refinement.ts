import { type Bound, type Refinement, Unknown, unknownValue } from '../value/unknown.ts';
import { numericOf, treeOfNumeric } from './number.ts';
import {
  decodeText,
  ExtData,
  isTreeMap,
  MessagePackError,
  type MessagePackTree,
  readMessagePackTree,
  type WritableTree,
  writeTree,
} from './tree.ts';

const plainCode = 0;
const refinedCode = 12;
const nullable = 1;
const prefix = 2;
const lowerBound = 3;
const upperBound = 4;
const minLength = 5;
const maxLength = 6;

/** Every extension is an unknown value; only one code contains details. */
export function unknownOf({ type: code, data }: ExtData): Unknown {
  const body = typeof data === 'function' ? data(0) : data;
  if (code !== refinedCode || body.length === 0) return unknownValue();
  const parts = readMessagePackTree(body);
  if (!isTreeMap(parts)) throw new MessagePackError('a refinement that is not a map');
  const refinement: { -readonly [Key in keyof Refinement]: Refinement[Key] } = {};
  for (const [key, value] of Object.entries(parts)) {
    switch (Number(key)) {
      case nullable:
        refinement.nullable = value === true;
        break;
      case prefix:
        if (value instanceof Uint8Array) refinement.prefix = decodeText(value);
        break;
      case lowerBound:
        refinement.lowerBound = boundOf(value);
        break;
      case upperBound:
        refinement.upperBound = boundOf(value);
        break;
      case minLength:
        refinement.minLength = Number(value);
        break;
      case maxLength:
        refinement.maxLength = Number(value);
        break;
      default:
        break;
    }
  }
  return new Unknown(refinement);
}

export function treeOfUnknown({ refinement }: Unknown): ExtData {
  const all: readonly (readonly [number, WritableTree | undefined])[] = [
    [nullable, refinement.nullable],
    [prefix, refinement.prefix],
    [lowerBound, refinement.lowerBound && treeOfBound(refinement.lowerBound)],
    [upperBound, refinement.upperBound && treeOfBound(refinement.upperBound)],
    [minLength, refinement.minLength],
    [maxLength, refinement.maxLength],
  ];
  const parts = all.flatMap(([key, tree]) => (tree === undefined ? [] : [{ key, tree }]));
  if (parts.length === 0) return new ExtData(plainCode, new Uint8Array(1));
  const bytes = parts.map(({ key, tree }) => Buffer.concat([writeTree(key), writeTree(tree)]));
  return new ExtData(refinedCode, Buffer.concat([shortMapHead(parts.length), ...bytes]));
}

/** The library writes all map keys as texts, but these keys are integers. */
function shortMapHead(length: number): Uint8Array {
  return Uint8Array.of(0x80 | length);
}

function treeOfBound({ value, inclusive }: Bound): WritableTree {
  return [treeOfNumeric(value), inclusive];
}

function boundOf(tree: MessagePackTree): Bound {
  if (!Array.isArray(tree)) throw new MessagePackError('a bound that is not a pair');
  const [value, inclusive] = tree as readonly MessagePackTree[];
  return { value: numericOf(value ?? null), inclusive: inclusive === true };
}
