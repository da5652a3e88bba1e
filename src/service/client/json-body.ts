import { isUtf8 } from 'node:buffer';
import { parseExactJson } from '../../core/lib/exact-json.ts';

const byteOrderMark = [0xef, 0xbb, 0xbf];
const guard = Array.from(")]}',", (character) => character.charCodeAt(0));

/**
 * A body as JSON with exact integers. A leading `)]}',` is removed (spec section 4, custom fields). Undefined if it is
 * not JSON in UTF-8, because a name with replaced characters would be a different name.
 */
export function parseJsonBody(body: Uint8Array): { readonly value: unknown } | undefined {
  const bytes = jsonOf(body);
  if (!isUtf8(bytes)) return undefined;
  try {
    return { value: parseExactJson(bytes) };
  } catch {
    return undefined;
  }
}

/** A body without the prefix that may precede its JSON. */
export function jsonOf(body: Uint8Array): Uint8Array {
  return without(without(body, byteOrderMark), guard);
}

function without(bytes: Uint8Array, prefix: readonly number[]): Uint8Array {
  return prefix.every((byte, index) => bytes[index] === byte) ? bytes.subarray(prefix.length) : bytes;
}
