import type { EncodedValue, ScriptPlace } from '../sources/script-output.ts';

const maxDepth = 100;
const depthOfItems = 2;
/** More than a million entries with ten values each. */
const maxValues = 20_000_000;

/** Encodes a JavaScript value as the text that YAML would have for it, with exact integers. */
export function encodeValue(value: unknown): EncodedValue {
  let values = 0;
  const open = new Set<object>();
  return encode(value, 0);

  function encode(each: unknown, depth: number): EncodedValue {
    values += 1;
    if (values > maxValues)
      throw new RangeError(`the fleet has more than ${maxValues.toLocaleString('en')} values`);
    switch (typeof each) {
      case 'string':
        return each;
      case 'bigint':
      case 'boolean':
        return { plain: String(each) };
      case 'number':
        return encodeNumber(each);
      case 'undefined':
        return { refused: 'undefined', hint: 'remove it, or write null' };
      case 'function':
        return { refused: 'a function', hint: 'call it' };
      case 'symbol':
        return { refused: 'a symbol' };
      case 'object':
        return each === null ? { plain: 'null' } : encodeObject(each, depth);
    }
  }

  function encodeObject(each: object, depth: number): EncodedValue {
    if (each instanceof Date) {
      return Number.isNaN(each.getTime()) ? { refused: 'an invalid date' } : each.toISOString();
    }
    if (open.has(each)) return { refused: 'a value that contains itself' };
    if (depth === maxDepth) return { refused: `a value on the ${maxDepth}th level` };
    if (!Array.isArray(each) && !isPlain(each)) return refuseObject(each);
    open.add(each);
    const encoded = Array.isArray(each)
      ? { items: Array.from(each, (item: unknown) => encode(item, depth + 1)) }
      : encodeMembers(each, depth);
    open.delete(each);
    return encoded;
  }

  /** Items of `hosts` and `rules` can name their origin in `source`. */
  function encodeMembers(each: object, depth: number): EncodedValue {
    const at = depth === depthOfItems ? placeOf((each as { readonly source?: unknown }).source) : undefined;
    const members: (readonly [string, EncodedValue])[] = [];
    for (const [key, member] of Object.entries(each)) {
      if (member === undefined) continue;
      if (key !== 'source' || depth !== depthOfItems) members.push([key, encode(member, depth + 1)]);
      else if (at === undefined) members.push([key, noPlace]);
    }
    return { members, ...(at === undefined ? {} : { at }) };
  }
}

const noPlace: EncodedValue = {
  refused: 'an invalid source',
  hint: 'write source: { file: "sheet.csv", line: 7 }; lines count from 1',
};

function encodeNumber(value: number): EncodedValue {
  if (Number.isSafeInteger(value)) return { plain: String(value === 0 ? 0 : value) };
  if (!Number.isFinite(value)) return { refused: String(value) };
  if (!Number.isInteger(value)) return { plain: String(value) };
  return {
    refused: `a number that JavaScript has rounded (${value})`,
    hint: 'beyond 2^53, write a bigint, such as 9007199254740993n, or a text',
  };
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function refuseObject(value: object): EncodedValue {
  if (value instanceof Promise) return { refused: 'a promise', hint: 'await it' };
  if (Symbol.iterator in value) {
    return { refused: `an instance of ${classOf(value)}`, hint: 'make it a list: [...values]' };
  }
  return { refused: `an instance of ${classOf(value)}`, hint: 'write a plain object: { … }' };
}

function classOf(value: object): string {
  const name: unknown = (value.constructor as { readonly name?: unknown } | undefined)?.name;
  return typeof name === 'string' && name !== '' ? name.slice(0, 60) : 'a class';
}

function placeOf(source: unknown): ScriptPlace | undefined {
  if (typeof source !== 'object' || source === null) return undefined;
  const { file, line, col } = source as Readonly<Record<string, unknown>>;
  if (typeof file !== 'string' || file === '' || !isCount(line)) return undefined;
  if (col === undefined) return { file, line };
  return isCount(col) ? { file, line, col } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
