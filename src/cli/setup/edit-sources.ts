import { printable } from '../../core/lib/printable.ts';
import type { Desired } from '../../core/model/desired.ts';
import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { openSources } from '../../input/load-desired.ts';
import { readDesired } from '../../input/read-desired.ts';
import type { Source } from '../../input/sources/decode-source.ts';
import { isScript } from '../../input/sources/is-script.ts';
import { type OpenTable, openTablesIn } from '../../input/sources/open-table.ts';
import { printDiff } from '../../input/writing/text-diff.ts';
import { applyEdits, type TextEdit } from '../../input/writing/text-edit.ts';
import { filesFor, loadOptions } from '../planning/read-desired-state.ts';
import type { Context } from '../shell/context.ts';
import { replaceFile } from './replace-files.ts';

/** A file of the desired state, and its edits. */
export interface EditedSource {
  readonly source: Source;
  readonly edits: readonly TextEdit[];
}

/** The files of a desired state, and their contents. */
export interface OpenedSources {
  readonly sources: readonly Source[];
  /** The tables that the files name. */
  readonly tables: readonly Source[];
}

export interface OpenedState extends OpenedSources {
  readonly desired: Desired;
}

export async function openState(files: readonly string[], context: Context): Promise<Result<OpenedState>> {
  const opened = await sourcesOf(files, context);
  if (!opened.ok) return opened;
  const { desired, ...sources } = opened.value;
  return desired.ok ? ok({ ...sources, desired: desired.value }, desired.problems) : desired;
}

/** The files, whether or not they have errors. */
export async function sourcesOf(
  files: readonly string[],
  context: Context,
): Promise<Result<OpenedSources & { readonly desired: Result<Desired> }>> {
  const sources = await openSources(filesFor(files, context), loadOptions(context));
  if (!sources.ok) return sources;
  const tables: Source[] = [];
  const open = openTablesIn(context.io.cwd);
  const openTable: OpenTable = (path, namedBy) => {
    const table = open(path, namedBy);
    if (table.ok) tables.push(table.value);
    return table;
  };
  const desired = readDesired(sources.value, { openTable });
  return ok({ sources: sources.value, tables, desired });
}

/** YAML can be edited in place; a script can't. */
export function isEditable(source: Source): boolean {
  return !isScript(source.file);
}

/** Can the desired state still be read without errors after the edits? If not, nothing may be written. */
export function checkEdits(
  context: Context,
  { sources }: OpenedState,
  edited: readonly EditedSource[],
): Result<null> {
  const again = readEdited(context, sources, edited);
  if (again.ok) return ok(null);
  const hint = 'nothing was written: edit the files yourself';
  const failure = problem('file-not-written', 'the edited files would have errors', { hint });
  return failed(failure, ...again.problems);
}

/** The desired state with the edits, which are not written. */
export function readEdited(
  { io }: Context,
  sources: readonly Source[],
  edited: readonly EditedSource[],
): Result<Desired> {
  const after = new Map(edited.map((each) => [each.source.file, editedText(each)]));
  const asEdited = (source: Source) => ({ ...source, text: after.get(source.file) ?? source.text });
  const open = openTablesIn(io.cwd);
  const openTable: OpenTable = (path, namedBy) => {
    const table = open(path, namedBy);
    return table.ok ? ok(asEdited(table.value)) : table;
  };
  return readDesired(sources.map(asEdited), { openTable });
}

export async function writeEdits(context: Context, edited: readonly EditedSource[]): Promise<Result<null>> {
  for (const each of edited) {
    if (each.edits.length === 0) continue;
    const written = await replaceFile(context, { file: each.source.file, text: editedText(each) });
    if (!written.ok) return written;
  }
  return ok(null);
}

/** For readers: invisible characters are shown as symbols. */
export function diffOf(edited: readonly EditedSource[]): string {
  return patchOf(edited).split('\n').map(printable).join('\n');
}

/** For programs. */
export function patchOf(edited: readonly EditedSource[]): string {
  return edited.map((each) => printDiff(each.source.file, textOf(each.source), each.edits)).join('');
}

const mark = '\ufeff';

function editedText({ source, edits }: EditedSource): string {
  const text = wholeText(source);
  return text.startsWith(mark) ? `${mark}${applyEdits(text.slice(1), edits)}` : applyEdits(text, edits);
}

/** Without a byte order mark; edits count from its start. */
export function textOf(source: Source): string {
  const text = wholeText(source);
  return text.startsWith(mark) ? text.slice(1) : text;
}

function wholeText({ text }: Source): string {
  return typeof text === 'string' ? text : new TextDecoder('utf-8', { ignoreBOM: true }).decode(text);
}
