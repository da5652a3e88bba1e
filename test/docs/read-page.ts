/** One code fence of a page, as a reader sees it. */
export interface Fence {
  readonly language: string;
  readonly text: string;
  /** Where it begins, from 1. */
  readonly line: number;
  /** Why it is not run, if the comment before it says so. */
  readonly notRun?: string;
  /** The file that it shows, if the comment before it says so. */
  readonly file?: string;
}

const opening = /^(`{3,})(\w*)$/;
const marker = /^<!-- (not run|file): (.+) -->$/;

/** The fences of a Markdown page in order. Throws if one is not closed. */
export function readFences(markdown: string): readonly Fence[] {
  const fences: Fence[] = [];
  const lines = markdown.split('\n');
  let said: Pick<Fence, 'notRun' | 'file'> = {};
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const start = opening.exec(line);
    if (start === null) {
      if (line !== '') said = markOf(line);
      continue;
    }
    const end = lines.indexOf(start[1] ?? '', at + 1);
    if (end === -1) throw new Error(`the fence of line ${at + 1} has no end`);
    fences.push({
      language: start[2] ?? '',
      text: `${lines.slice(at + 1, end).join('\n')}\n`,
      line: at + 1,
      ...said,
    });
    said = {};
    at = end;
  }
  return fences;
}

function markOf(line: string): Pick<Fence, 'notRun' | 'file'> {
  const [, kind, words] = marker.exec(line) ?? [];
  if (words === undefined) return {};
  return kind === 'file' ? { file: words } : { notRun: words };
}

/** The name of the file that a fence shows: its first line, or the comment before it, names it. */
export function fileNameOf({ text, file }: Fence): string | undefined {
  return file ?? /^(?:#|\/\/) ([\w./-]+\.(?:ya?ml|ts))$/m.exec(text.split('\n', 1)[0] ?? '')?.[1];
}
