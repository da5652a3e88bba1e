import { inBatches } from './in-chunks.ts';
import { type JsonLayout, type JsonWriter, jsonWriter, lineBreaks } from './json-writer.ts';

/** The number of list items in one piece. */
const itemsInPiece = 100;

/**
 * The text that a `jsonWriter` makes, in pieces of at most about one member or a hundred list items: documents may be
 * longer than the longest string. A writer of the same layout may be given: it knows the keys of earlier documents.
 */
export function* jsonPieces(
  document: Readonly<Record<string, unknown>>,
  layout: JsonLayout = {},
  write: JsonWriter = jsonWriter(layout),
): Generator<string> {
  const { lines = false } = layout;
  const newLine = lineBreaks(lines);
  let separator = '{';
  for (const [key, value] of membersOf(document, layout)) {
    yield `${separator}${newLine(1)}${JSON.stringify(key)}${lines ? ': ' : ':'}`;
    separator = ',';
    if (!Array.isArray(value) || value.length === 0) yield write(value, 1);
    else {
      let before = '[';
      for (const items of inBatches(value, itemsInPiece)) {
        let piece = '';
        for (const item of items) {
          piece += before + newLine(2) + write(item, 2);
          before = ',';
        }
        yield piece;
      }
      yield `${newLine(1)}]`;
    }
  }
  yield separator === ',' ? `${newLine(0)}}` : '{}';
}

function membersOf(
  document: Readonly<Record<string, unknown>>,
  { spell = (key) => key, sorted = false }: JsonLayout,
): readonly (readonly [string, unknown])[] {
  const members = Object.entries(document)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [spell(key), value] as const);
  return sorted ? members.sort(([a], [b]) => (a < b ? -1 : 1)) : members;
}
