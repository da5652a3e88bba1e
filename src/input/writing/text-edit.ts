/** A change to a text: offsets in UTF-16 units, with an exclusive end. If `start` equals `end`, it only inserts. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies all edits at once; they must not overlap. Edits at the same offset keep their order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let copied = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(copied, edit.start), edit.text);
    copied = edit.end;
  }
  parts.push(text.slice(copied));
  return parts.join('');
}
