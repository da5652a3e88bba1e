import type { Place } from '../../core/problem/problem.ts';
import type { ScriptFile } from '../sources/script-output.ts';
import { type Span, sourceText } from '../sources/source-text.ts';

/**
 * The places in one script. It finds the lines of the script once, because a plan asks for the place of each host.
 * Without a line, the place where the script exports its fleet.
 */
export type ScriptPlaces = (line?: number, col?: number) => Place;

export function scriptPlaces({ name, text, shift = 0 }: ScriptFile): ScriptPlaces {
  if (text === undefined) return (line = 1, col) => unseen(name, line, col);
  const source = sourceText(name, text);
  let exported: Place | undefined;
  return (line, col = 1) => {
    if (line === undefined) {
      exported ??= source.placeOf(exportIn(text));
      return exported;
    }
    const at = source.startOfLine(line) + Math.max(0, col - 1 - (line === 1 ? shift : 0));
    const start = startOfWord(text, at);
    const word = /[\w$.]+/y;
    word.lastIndex = start;
    return source.placeOf({ start, end: start + (word.exec(text)?.[0].length ?? 1) });
  };
}

function exportIn(text: string): Span {
  const exported = /^[ \t]*(export\s+default|module\.exports)\b/m.exec(text);
  if (exported === null) return { start: 0, end: 0 };
  const end = exported.index + exported[0].length;
  return { start: end - (exported[1] as string).length, end };
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
