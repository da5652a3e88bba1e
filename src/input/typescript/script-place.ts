import type { Place } from '../../core/problem/place.ts';
import type { ScriptFile } from '../sources/script-output.ts';
import { sourceText } from '../sources/source-text.ts';

/** Without a line, the place where the script exports its fleet. */
export function scriptPlace({ name, text }: ScriptFile, line?: number, col?: number): Place {
  if (text === undefined) return unseen(name, line ?? 1, col);
  const source = sourceText(name, text);
  if (line === undefined) {
    const exported = /^[ \t]*(export\s+default|module\.exports)\b/m.exec(text);
    if (exported === null) return source.placeOf({ start: 0, end: 0 });
    const end = exported.index + exported[0].length;
    return source.placeOf({ start: end - (exported[1] as string).length, end });
  }
  const start = offsetOfLine(text, line) + (col ?? 1) - 1;
  const word = /[\w$.]+/y;
  word.lastIndex = start;
  return source.placeOf({ start, end: start + (word.exec(text)?.[0].length ?? 1) });
}

function unseen(file: string, line: number, col: number | undefined): Place {
  return col === undefined ? { file, line, col: 1, wholeLine: true } : { file, line, col };
}

function offsetOfLine(text: string, line: number): number {
  let at = 0;
  for (let passed = 1; passed < line; passed += 1) {
    const end = text.indexOf('\n', at);
    if (end === -1) return text.length;
    at = end + 1;
  }
  return at;
}
