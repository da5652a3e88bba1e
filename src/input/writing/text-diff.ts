import { sourceText } from '../sources/source-text.ts';
import { applyEdits, type TextEdit } from './text-edit.ts';

/** The effect of edits on a text, as `diff -U0` writes it. Empty if there is none. */
export function printDiff(file: string, text: string, edits: readonly TextEdit[]): string {
  const hunks = hunksOf(text, edits);
  if (hunks.length === 0) return '';
  return [`--- ${file}`, `+++ ${file}`, ...hunks, ''].join('\n');
}

function hunksOf(text: string, edits: readonly TextEdit[]): readonly string[] {
  const hunks: string[] = [];
  const { placeOf } = sourceText('', text);
  let grown = 0;
  for (const { start, end, edits: own } of linesTouched(text, edits)) {
    const before = toLines(text.slice(start, end));
    const after = toLines(
      applyEdits(
        text.slice(start, end),
        own.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
      ),
    );
    const same = sharedStart(before, after);
    const sameEnd = sharedStart(before.slice(same).reverse(), after.slice(same).reverse());
    const removed = before.slice(same, before.length - sameEnd);
    const added = after.slice(same, after.length - sameEnd);
    if (removed.length === 0 && added.length === 0) continue;
    const line = placeOf({ start, end: start }).line + same;
    hunks.push(
      `@@ -${range(line, removed.length)} +${range(line + grown, added.length)} @@`,
      ...removed.map((each) => `-${each}`),
      ...added.map((each) => `+${each}`),
    );
    grown += added.length - removed.length;
  }
  return hunks;
}

interface Touched {
  readonly start: number;
  readonly end: number;
  readonly edits: readonly TextEdit[];
}

/** The whole lines that contain edits. */
function linesTouched(text: string, edits: readonly TextEdit[]): readonly Touched[] {
  const touched: { start: number; end: number; edits: TextEdit[] }[] = [];
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    const start = edit.start === 0 ? 0 : text.lastIndexOf('\n', edit.start - 1) + 1;
    const next = text.indexOf('\n', edit.end);
    const end = next === -1 ? text.length : next + 1;
    const last = touched.at(-1);
    if (last === undefined || start >= last.end) touched.push({ start, end, edits: [edit] });
    else {
      last.end = Math.max(last.end, end);
      last.edits.push(edit);
    }
  }
  return touched;
}

function toLines(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function sharedStart(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

/** An empty range comes after the line in its header. */
function range(line: number, length: number): string {
  return length === 1 ? String(line) : `${length === 0 ? line - 1 : line},${length}`;
}
