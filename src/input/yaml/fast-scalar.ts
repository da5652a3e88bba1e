import type { ScalarNode } from '../sources/source-text.ts';
import { code, isLineEnd, isSpace, next, type YamlCursor } from './cursor.ts';

/** The standard forbids longer keys. */
const maxKeyLength = 1000;

const maxSharedLength = 32;

/**
 * Characters that give a scalar a special meaning if it begins with them, and `%`, `@` and the backtick, which no
 * scalar may begin with.
 */
const indicators = tableOf('?:,[]{}#&*!|>\'"%@`');

/** Characters that may end an unquoted text. This is a table because every character of a file is looked up. */
const stops = tableOf('\t\n\r :#,[]{}');

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const each of characters) table[each.charCodeAt(0)] = 1;
  return table;
}

/** A quoted or unquoted text on one line; undefined for anything that the fast reader does not read. */
export function readScalar(cursor: YamlCursor, isInFlow: boolean): ScalarNode | undefined {
  switch (next(cursor)) {
    case code.doubleQuote:
      return readDoubleQuoted(cursor);
    case code.singleQuote:
      return readSingleQuoted(cursor);
    default:
      return readPlain(cursor, isInFlow);
  }
}

/** Skips the colon after a key and the blanks around it; false if there is none. */
export function readColon(cursor: YamlCursor, key: ScalarNode, isInFlow: boolean): boolean {
  const { text } = cursor;
  let at = cursor.at;
  while (text.charCodeAt(at) === code.blank) at += 1;
  if (text.charCodeAt(at) !== code.colon || at - key.start > maxKeyLength) return false;
  if (!isSpace(text, at + 1) && !(isInFlow && !key.plain)) return false;
  cursor.at = at + 1;
  return true;
}

function readPlain(cursor: YamlCursor, isInFlow: boolean): ScalarNode | undefined {
  const { text, at: start } = cursor;
  const first = text.charCodeAt(start);
  if (indicators[first] === 1 || isSpace(text, start)) return undefined;
  if (first === code.hyphen && (isSpace(text, start + 1) || indicators[text.charCodeAt(start + 1)] === 1)) {
    return undefined;
  }
  const end = endOfPlain(text, start, isInFlow);
  if (end === undefined) return undefined;
  cursor.at = end;
  const value = text.charCodeAt(end) === code.colon ? keyText(cursor, start, end) : text.slice(start, end);
  return { kind: 'scalar', text: value, plain: true, start, end };
}

function keyText({ text, keys }: YamlCursor, start: number, end: number): string {
  const length = end - start;
  const last = keys[length];
  if (last !== undefined && text.startsWith(last, start)) return last;
  const key = text.slice(start, end);
  if (length <= maxSharedLength) keys[length] = key;
  return key;
}

/** The end of an unquoted text on its line; undefined if it contains a tab or a lone CR. */
export function endOfPlain(text: string, start: number, isInFlow: boolean): number | undefined {
  let end = start;
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (stops[unit] !== 1) {
      end = at + 1;
      continue;
    }
    switch (unit) {
      case code.lineFeed:
        return end;
      case code.tab:
        return undefined;
      case code.return:
        return isLineEnd(text, at) ? end : undefined;
      case code.blank:
        continue;
      case code.colon:
        if (isSpace(text, at + 1) || (isInFlow && isFlowIndicator(text.charCodeAt(at + 1)))) return end;
        break;
      case code.hash:
        if (text.charCodeAt(at - 1) === code.blank) return end;
        break;
      case code.comma:
      case code.bracket:
      case code.bracketEnd:
      case code.brace:
      case code.braceEnd:
        if (isInFlow) return end;
        break;
    }
    end = at + 1;
  }
  return end;
}

function isFlowIndicator(unit: number): boolean {
  switch (unit) {
    case code.comma:
    case code.bracket:
    case code.bracketEnd:
    case code.brace:
    case code.braceEnd:
      return true;
    default:
      return false;
  }
}

/** A JSON string: escapes that only YAML has are left to the full reader. */
const jsonString = /"[^"\\\p{Cc}]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[^"\\\p{Cc}]*)*"/uy;

function readDoubleQuoted(cursor: YamlCursor): ScalarNode | undefined {
  const { text, at: start } = cursor;
  jsonString.lastIndex = start;
  if (!jsonString.test(text)) return undefined;
  const end = jsonString.lastIndex;
  const raw = text.slice(start, end);
  cursor.at = end;
  const value = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
  return { kind: 'scalar', text: value, plain: false, start, end };
}

const singleQuoted = /'[^'\p{Cc}]*(?:''[^'\p{Cc}]*)*'/uy;

function readSingleQuoted(cursor: YamlCursor): ScalarNode | undefined {
  const { text, at: start } = cursor;
  singleQuoted.lastIndex = start;
  if (!singleQuoted.test(text)) return undefined;
  const end = singleQuoted.lastIndex;
  cursor.at = end;
  return {
    kind: 'scalar',
    text: text.slice(start + 1, end - 1).replaceAll("''", "'"),
    plain: false,
    start,
    end,
  };
}
