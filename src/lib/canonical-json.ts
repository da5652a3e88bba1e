/** JSON with sorted keys, no blanks and no `undefined`: equal values give equal bytes. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** The same of an object whose keys are words, in pieces: one for each item of its lists. */
export function* canonicalPieces(
  object: Readonly<Record<string, unknown>>,
  toItem: (item: unknown) => unknown = (item) => item,
): Generator<string> {
  let separator = '{';
  for (const key of Object.keys(object).sort()) {
    const value = object[key];
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(key)}:`;
    separator = ',';
    if (Array.isArray(value) && value.length > 0) {
      let before = '[';
      for (const item of value as readonly unknown[]) {
        yield before + canonicalJson(toItem(item));
        before = ',';
      }
      yield ']';
    } else yield canonicalJson(value);
  }
  yield separator === ',' ? '}' : '{}';
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const object = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.keys(object)
      .filter((key) => object[key] !== undefined)
      .sort()
      .map((key) => [key, sorted(object[key])]),
  );
}
