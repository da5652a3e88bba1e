import type { Source } from '../sources/decode-source.ts';
import { isScript } from '../sources/is-script.ts';
import type { Registers } from '../tables/register-table.ts';
import { printDiff } from './text-diff.ts';
import { applyEdits, type TextEdit } from './text-edit.ts';

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
  readonly registers?: Registers;
}

/** YAML can be edited in place; a script can't. */
export function isEditable({ file }: Source): boolean {
  return !isScript(file);
}

/** What `git apply -p0 --unidiff-zero` takes, in the folder that the names of the files are relative to. */
export function patchOf(edited: readonly EditedSource[]): string {
  return edited.map((each) => printDiff(each.source.file, editableText(each.source), each.edits)).join('');
}

const mark = '\ufeff';

/** The whole new content of the file. */
export function editedText({ source, edits }: EditedSource): string {
  const text = wholeText(source);
  return text.startsWith(mark) ? `${mark}${applyEdits(text.slice(1), edits)}` : applyEdits(text, edits);
}

/** Without a byte order mark; edits count from its start. */
export function editableText(source: Source): string {
  const text = wholeText(source);
  return text.startsWith(mark) ? text.slice(1) : text;
}

/** With a byte order mark, if the file has one. */
export function wholeText({ text }: Source): string {
  return typeof text === 'string' ? text : new TextDecoder('utf-8', { ignoreBOM: true }).decode(text);
}
