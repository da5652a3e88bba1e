import { parseExactJsonText } from '../../core/lib/exact-json.ts';
import { isObject, memberAt } from '../../core/lib/json-object.ts';
import { keyFault } from '../../core/lib/key-fault.ts';
import { once } from '../../core/lib/once.ts';
import { quoted } from '../../core/lib/words.ts';
import type { TableRows } from '../../core/model/asset-table.ts';
import {
  type FilePosition,
  failed,
  ok,
  type Problem,
  problem,
  type Result,
} from '../../core/problem/problem.ts';
import type { SourceText } from '../sources/source-text.ts';
import { itemOffsets } from './item-offsets.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** How deep a column may be nested: `status_label.name`. */
const deepest = 4;

/** The rows of a JSON document: the list at `rowsAt`, or the whole document. */
export function readJsonRows(source: SourceText, rowsAt: string | undefined): Result<TableRows> {
  const { text } = source;
  const document = parsed(source, text, 0);
  if (!document.ok) return document;
  const path = rowsAt === undefined ? [] : rowsAt.split('.');
  const list = memberAt(document.value, path);
  if (!Array.isArray(list)) {
    const where = rowsAt === undefined ? 'the document' : quoted(rowsAt);
    return failed(
      fault(
        source,
        0,
        `${where} is not a list of rows`,
        'set "rowsAt" to the key of the list, such as data.items',
      ),
    );
  }
  const offsets = once(() => itemOffsets(text, path));
  return rowsOf(source, list, (row) => offsets()[row] ?? 0);
}

/** The rows of a file with one JSON object a line. */
export function readJsonLines(source: SourceText): Result<TableRows> {
  const { text } = source;
  const rows: unknown[] = [];
  const offsets: number[] = [];
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next;
    const line = text.slice(at, end);
    if (line.trim() !== '') {
      const row = parsed(source, line, at);
      if (!row.ok) return row;
      rows.push(row.value);
      offsets.push(at);
    }
    at = end + 1;
  }
  return rowsOf(source, rows, (row) => offsets[row] ?? 0);
}

function parsed(source: SourceText, text: string, offset: number): Result<unknown> {
  let value: unknown;
  try {
    value = parseExactJsonText(text);
  } catch {
    return failed(fault(source, offset, 'this is not JSON', 'the file may be incomplete: export it again'));
  }
  const found = keyFault(text);
  return found === undefined
    ? ok(value)
    : failed(fault(source, offset + found.offset, 'a key appears twice, or the rows are nested too deeply'));
}

function rowsOf(
  source: SourceText,
  list: readonly unknown[],
  offsetOf: (row: number) => number,
): Result<TableRows> {
  return objectRows(list, (row) => source.positionOf({ start: offsetOf(row), end: offsetOf(row) }));
}

/** Objects as the rows of a table. */
export function objectRows(
  list: readonly unknown[],
  positionOf: (row: number) => FilePosition,
): Result<TableRows> {
  const wrong = list.findIndex((row) => !isObject(row));
  if (wrong !== -1) {
    return failed(problem('table-unreadable', 'this row is not an object', { place: positionOf(wrong) }));
  }
  const rows = list as readonly JsonObject[];
  const columns = once(() => columnsOf(rows));
  return ok({
    get columns() {
      return columns();
    },
    count: rows.length,
    cellAt: (row, column) => cellText(valueAt(rows[row] as JsonObject, column)),
    positionOf,
  });
}

function columnsOf(rows: readonly JsonObject[]): readonly string[] {
  const found = new Set<string>();
  const collect = (object: JsonObject, prefix: string, depth: number) => {
    for (const [key, value] of Object.entries(object)) {
      found.add(`${prefix}${key}`);
      if (isObject(value) && depth < deepest) collect(value, `${prefix}${key}.`, depth + 1);
    }
  };
  for (const row of rows) collect(row, '', 1);
  return [...found];
}

/** A key of the row, or a path of keys with points. */
function valueAt(row: JsonObject, column: string): unknown {
  return Object.hasOwn(row, column) ? row[column] : memberAt(row, column.split('.'));
}

/** A list of texts is joined; objects have columns of their own. */
function cellText(value: unknown): string | undefined {
  const text = Array.isArray(value) ? value.flatMap(scalarText).join(', ') : scalarText(value)[0];
  return text === '' ? undefined : text;
}

/** None for a number that is too large to be read. Lists in lists have no text: they can be nested without end. */
function scalarText(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  return typeof value === 'boolean' || Number.isFinite(value) ? [String(value)] : [];
}

function fault(source: SourceText, offset: number, message: string, hint?: string): Problem {
  return problem('table-unreadable', message, {
    place: source.positionOf({ start: offset, end: offset }),
    ...(hint === undefined ? {} : { hint }),
  });
}
