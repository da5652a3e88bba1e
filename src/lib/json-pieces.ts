/** So many items of a list make one piece. */
const itemsInPiece = 500;

/**
 * What `JSON.stringify(document, null, 2)` gives, in pieces of which none is much longer than one member or some
 * hundred items of a list: documents may be longer than a text can be. `toItem` turns each item of the document's
 * lists into what is written, one at a time.
 */
export function* jsonPieces(
  document: Readonly<Record<string, unknown>>,
  toItem: (item: unknown) => unknown = (item) => item,
): Generator<string> {
  let separator = '{\n';
  for (const [key, value] of Object.entries(document)) {
    if (value === undefined) continue;
    yield `${separator}  ${JSON.stringify(key)}: `;
    separator = ',\n';
    if (Array.isArray(value) && value.length > 0) yield* listPieces(value, toItem);
    else yield indented(value, '  ');
  }
  yield separator === ',\n' ? '\n}' : '{}';
}

function* listPieces(items: readonly unknown[], toItem: (item: unknown) => unknown): Generator<string> {
  let separator = '[\n';
  for (const part of batches(items, itemsInPiece)) {
    yield separator + part.map((item) => `    ${indented(toItem(item), '    ')}`).join(',\n');
    separator = ',\n';
  }
  yield '\n  ]';
}

/** The text of a value that stands so deep; strings have no line breaks in JSON. */
function indented(value: unknown, indent: string): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`);
}

function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
