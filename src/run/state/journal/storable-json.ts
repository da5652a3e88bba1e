/**
 * JSON that PostgreSQL can store as jsonb: it has no text with a NUL or with half of a surrogate pair, so each becomes
 * U+FFFD.
 */
export function storableJson(json: string): string {
  // JSON.stringify escapes a surrogate only if it is half of a pair.
  return json.includes('\\u') ? json.replaceAll(unstorable, '$1\ufffd') : json;
}

/** The escape must not be the second half of an escaped backslash. */
const unstorable = /((?<!\\)(?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi;
