import type { Cursor } from './cursor.ts';

const gap = '[ \\t\\n\\r]*';
const plainText = '[^"\\\\\\x00-\\x1f]*';
const escape = '\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})';
const string = `"${plainText}(?:${escape}${plainText})*"`;
const number = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][-+]?\\d+)?';
const member = new RegExp(
  `(${gap}"(${plainText})"${gap}:${gap})(${string}|${number}|true|false|null)(${gap}([,}]))`,
  'y',
);

/** One flat object as it is written. */
export interface JsonRecord {
  /** The values by their keys, in their order. */
  readonly values: ReadonlyMap<string, string>;
  /** What stands before each of the values, behind the opening brace and to the closing one: one more than values. */
  readonly between: readonly string[];
}

/** The object behind whose brace the cursor is. Undefined where it is not flat, has a key twice, or is no JSON. */
export function readRecord(cursor: Cursor): JsonRecord | undefined {
  const values = new Map<string, string>();
  const between: string[] = [];
  let before = '';
  member.lastIndex = cursor.at;
  for (;;) {
    const found = member.exec(cursor.text);
    if (found === null) return undefined;
    const [, start = '', key = '', value = '', end = '', last] = found;
    if (values.has(key)) return undefined;
    values.set(key, value);
    between.push(before + start);
    before = end;
    if (last === ',') continue;
    cursor.at = member.lastIndex;
    return { values, between: [...between, before] };
  }
}
