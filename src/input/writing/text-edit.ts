/** A change of a text: offsets in UTF-16 units, the end exclusive. With `start` equal to `end` it only adds. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** All of them at once; they do not overlap. Edits at one offset keep their order. */
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
