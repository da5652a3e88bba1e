import type { Desired } from '../core/model/desired.ts';
import { ok, type Result } from '../core/problem/problem.ts';
import { readDesired } from './read-desired.ts';
import type { Source } from './sources/decode-source.ts';
import { type OpenTable, openTablesIn } from './sources/open-table.ts';
import { type EditedSource, editedText, type OpenedSources } from './writing/edited-source.ts';

/** Reads the desired state of these files, whether or not they have errors, and keeps the tables that it opens. */
export function readOpened(
  sources: readonly Source[],
  cwd: string,
): OpenedSources & { readonly desired: Result<Desired> } {
  const tables: Source[] = [];
  const open = openTablesIn(cwd);
  const openTable: OpenTable = (path, namedBy) => {
    const table = open(path, namedBy);
    if (table.ok) tables.push(table.value);
    return table;
  };
  return { sources, tables, desired: readDesired(sources, { openTable }) };
}

/** The desired state with the edits, which are not written. */
export function readEdited(
  sources: readonly Source[],
  edited: readonly EditedSource[],
  cwd: string,
): Result<Desired> {
  const after = new Map(edited.map((each) => [each.source.file, editedText(each)]));
  const asEdited = (source: Source) => ({ ...source, text: after.get(source.file) ?? source.text });
  const open = openTablesIn(cwd);
  const openTable: OpenTable = (path, namedBy) => {
    const table = open(path, namedBy);
    return table.ok ? ok(asEdited(table.value)) : table;
  };
  return readDesired(sources.map(asEdited), { openTable });
}
