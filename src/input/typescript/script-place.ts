import type { Place } from '../../core/problem/problem.ts';
import type { ScriptFile } from '../sources/script-output.ts';
import { sourceText } from '../sources/source-text.ts';

/** Without a line, the place where the script exports its fleet. */
export function scriptPlace({ name, text, shift = 0 }: ScriptFile, line?: number, col?: number): Place {
  if (text === undefined) return unseen(name, line ?? 1, col);
  const source = sourceText(name, text);
  if (line === undefined) {
    const exported = /^[ \t]*(export\s+default|module\.exports)\b/m.exec(text);
    if (exported === null) return source.placeOf({ start: 0, end: 0 });
    const end = exported.index + exported[0].length;
    return source.placeOf({ start: end - (exported[1] as string).length, end });
  }
  const at = offsetOfLine(text, line) + Math.max(0, (col ?? 1) - 1 - (line === 1 ? shift : 0));
  const start = startOfWord(text, at);
  const word = /[\w$.]+/y;
  word.lastIndex = start;
  return source.placeOf({ start, end: start + (word.exec(text)?.[0].length ?? 1) });
}

function unseen(file: string, line: number, col: number | undefined): Place {
  return col === undefined ? { file, line, col: 1, wholeLine: true } : { file, line, col };
}

/** QuickJS points at the bracket of a call and at the dot before a property. */
function startOfWord(text: string, at: number): number {
  if (text[at] === '.') return at + 1;
  return text[at] === '('
    ? at - (/(?:[\w$]+\.)*[\w$]+$/.exec(text.slice(Math.max(0, at - 100), at))?.[0].length ?? 0)
    : at;
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
