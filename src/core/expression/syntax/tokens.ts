import { type Compiled, faulty } from './source-fault.ts';

/** The tokens of an expression, without blanks and comments. */
export interface Token {
  readonly kind: 'word' | 'number' | 'text' | 'sign';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const blank = /(?:[\t\n\f\r ]|\/\/[^\n]*)+/y;
const word = /[A-Za-z_][A-Za-z0-9_]*/y;
const number = /0[xX][0-9a-fA-F]+[uU]?|(?:\d+\.\d+|\.\d+|\d+)(?:[eE][+-]?\d+)?[uU]?/y;
const opening = /(?:[rR][bB]?|[bB][rR]?)?(?:"""|'''|"|')/y;
const sign = /&&|\|\||==|!=|<=|>=|[-!<>+*/%?:,.()[\]{}]/y;
const escape = /[abfnrtv\\?"'`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2}/y;

export function readTokens(source: string): Compiled<readonly Token[]> {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const skipped = lengthOf(blank, source, at);
    if (skipped > 0) {
      at += skipped;
      continue;
    }
    const text = endOfText(source, at);
    if (text !== undefined) {
      if (!text.ok) return text;
      tokens.push({ kind: 'text', text: source.slice(at, text.value), start: at, end: text.value });
      at = text.value;
      continue;
    }
    const token = tokenAt(source, at);
    if (token === undefined) return faulty(unexpected(source, at));
    tokens.push(token);
    at = token.end;
  }
  return { ok: true, value: tokens };
}

function tokenAt(source: string, start: number): Token | undefined {
  for (const [kind, pattern] of [
    ['word', word],
    ['number', number],
    ['sign', sign],
  ] as const) {
    const length = lengthOf(pattern, source, start);
    if (length > 0) {
      return { kind, text: source.slice(start, start + length), start, end: start + length };
    }
  }
  return undefined;
}

/** The end of the quoted text that begins at `start`; undefined if none begins there. */
export function endOfText(source: string, start: number): Compiled<number> | undefined {
  const quotes = lengthOf(opening, source, start);
  if (quotes === 0) return undefined;
  const opened = source.slice(start, start + quotes);
  const mark = opened.replace(/^[rRbB]+/, '');
  const raw = /[rR]/.test(opened.slice(0, quotes - mark.length));
  for (let at = start + quotes; at < source.length; at += 1) {
    if (source.startsWith(mark, at)) return { ok: true, value: at + mark.length };
    const character = source[at];
    if (mark.length === 1 && (character === '\n' || character === '\r')) break;
    if (character === '\\' && !raw) {
      const length = lengthOf(escape, source, at + 1);
      if (length === 0 && at + 1 < source.length) return faulty(unknownEscape(source, at));
      at += length;
    }
  }
  return faulty({
    message: `the string that starts here has no closing ${mark}`,
    start,
    end: Math.min(source.length, start + quotes),
  });
}

function unknownEscape(source: string, at: number) {
  const shown = source.slice(at, at + 2);
  return {
    message: `${shown} is not an escape sequence`,
    start: at,
    end: at + shown.length,
    hint: 'write \\\\ for a backslash, or put r before the string to use backslashes literally',
  };
}

function unexpected(source: string, at: number) {
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  const start = { start: at, end: at + character.length };
  const twice = { '=': '==', '&': '&&', '|': '||' }[character];
  if (twice !== undefined) {
    return { message: `a single ${character} is not an operator`, ...start, hint: `did you mean ${twice}?` };
  }
  return { message: `"${character}" is not allowed here`, ...start };
}

function lengthOf(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0].length ?? 0;
}
