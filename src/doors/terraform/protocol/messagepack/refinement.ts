import { type Bound, type Refinement, Unknown, unknownValue } from '../value/unknown.ts';
import { numericOfToken, writeNumeric } from './number.ts';
import { MessagePackError, Reader, type Token } from './reader.ts';
import { Writer } from './writer.ts';

const plainCode = 0;
const refinedCode = 12;
const nullable = 1;
const prefix = 2;
const lowerBound = 3;
const upperBound = 4;
const minLength = 5;
const maxLength = 6;

/** Every extension is an unknown value; only one code says more. */
export function unknownOfExtension(code: number, body: Uint8Array): Unknown {
  if (code !== refinedCode || body.length === 0) return unknownValue();
  const reader = new Reader(body);
  const head = reader.next();
  if (head.kind !== 'map') throw new MessagePackError('a refinement that is no map');
  const refinement: { -readonly [Key in keyof Refinement]: Refinement[Key] } = {};
  for (let left = head.length; left > 0; left -= 1) {
    const key = reader.next();
    const value = readTree(reader);
    switch (key.kind === 'integer' ? Number(key.value) : 0) {
      case nullable:
        refinement.nullable = value === true;
        break;
      case prefix:
        if (typeof value === 'string') refinement.prefix = value;
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

export function writeUnknown(writer: Writer, { refinement }: Unknown): void {
  const body = new Writer();
  const parts: (readonly [number, () => void])[] = [];
  const { nullable: mayBeNull } = refinement;
  if (mayBeNull !== undefined) parts.push([nullable, () => body.bool(mayBeNull)]);
  if (refinement.prefix !== undefined) parts.push([prefix, () => body.text(refinement.prefix ?? '')]);
  for (const [key, bound] of [
    [lowerBound, refinement.lowerBound],
    [upperBound, refinement.upperBound],
  ] as const) {
    if (bound !== undefined) parts.push([key, () => writeBound(body, bound)]);
  }
  for (const [key, length] of [
    [minLength, refinement.minLength],
    [maxLength, refinement.maxLength],
  ] as const) {
    if (length !== undefined) parts.push([key, () => body.integer(BigInt(length))]);
  }
  if (parts.length === 0) {
    writer.extension(plainCode, new Uint8Array(1));
    return;
  }
  body.map(parts.length);
  for (const [key, write] of parts) {
    body.integer(BigInt(key));
    write();
  }
  writer.extension(refinedCode, body.finish());
}

function writeBound(writer: Writer, { value, inclusive }: Bound): void {
  writer.array(2);
  writeNumeric(writer, value);
  writer.bool(inclusive);
}

type Tree = Token | boolean | string | bigint | readonly Tree[];

/** What stands under a key; of keys that are not known here it is only skipped. */
function readTree(reader: Reader, depth = 0): Tree {
  const token = reader.next();
  if (depth > 8) throw new MessagePackError('a refinement that is too deep');
  switch (token.kind) {
    case 'bool':
    case 'text':
    case 'integer':
      return token.value;
    case 'array':
      return Array.from({ length: token.length }, () => readTree(reader, depth + 1));
    case 'map':
      return Array.from({ length: token.length * 2 }, () => readTree(reader, depth + 1));
    default:
      return token;
  }
}

function boundOf(tree: Tree): Bound {
  if (!Array.isArray(tree)) throw new MessagePackError('a bound that is no pair');
  const [value, inclusive] = tree as readonly Tree[];
  const token: Token =
    typeof value === 'bigint'
      ? { kind: 'integer', value }
      : typeof value === 'string'
        ? { kind: 'text', value }
        : (value as Token);
  return { value: numericOfToken(token), inclusive: inclusive === true };
}
