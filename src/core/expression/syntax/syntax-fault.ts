import { deepest } from '../expression-limits.ts';
import type { SourceFault } from './source-fault.ts';
import type { Token } from './tokens.ts';

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const prefixes = new Set(['!', '-']);
const infixWords = new Set(['in']);

/** Brackets that do not close each other, or nest too deeply. */
export function bracketFault(tokens: readonly Token[]): SourceFault | undefined {
  const open: Token[] = [];
  let prefixed = 0;
  for (const token of tokens) {
    prefixed = token.kind === 'sign' && prefixes.has(token.text) ? prefixed + 1 : 0;
    if (open.length + prefixed > deepest)
      return at(token, `the expression is nested more than ${deepest} levels deep`);
    if (token.kind !== 'sign') continue;
    if (closing[token.text] !== undefined) open.push(token);
    else if (Object.values(closing).includes(token.text)) {
      const last = open.pop();
      if (last === undefined) return at(token, `${token.text} has no opening bracket`);
      const expected = closing[last.text];
      if (expected !== token.text)
        return at(token, `${last.text} must be closed by ${expected}, not by ${token.text}`);
    }
  }
  const last = open.at(-1);
  return last && at(last, `${last.text} is never closed`);
}

/** The first position where a value is missing or two values are adjacent. */
export function orderFault(tokens: readonly Token[], source: string): SourceFault | undefined {
  let before: Token | undefined;
  for (const token of tokens) {
    const fault = between(before, token);
    if (fault !== undefined) return fault;
    before = token;
  }
  if (before === undefined) return { message: 'the expression is empty', start: 0, end: source.length };
  if (endsValue(before)) return undefined;
  return { message: `a value is missing after ${before.text}`, start: before.start, end: before.end };
}

function between(before: Token | undefined, token: Token): SourceFault | undefined {
  const wantsValue = before === undefined || !endsValue(before);
  if (before?.text === '.' && token.kind !== 'word') return at(token, 'a name is missing after .');
  if (wantsValue) {
    if (beginsValue(token)) return undefined;
    if (before !== undefined && closes(before, token)) return undefined;
    if (token.text === '.' || token.text === ',') {
      return at(token, `a value is missing before ${token.text}`);
    }
    return before === undefined
      ? at(token, `a value is missing before ${token.text}`)
      : at(token, `a value is missing between ${before.text} and ${token.text}`);
  }
  if (beginsValue(token) && !mayFollowValue(token)) {
    return { ...at(token, `an operator is missing before ${token.text}`), ...wordHint(token) };
  }
  return undefined;
}

/** `()`, `[]`, `{}`, and a comma before the end of a list. */
function closes(before: Token, token: Token): boolean {
  return closing[before.text] === token.text || (before.text === ',' && /^[\]})]$/.test(token.text));
}

function endsValue(token: Token): boolean {
  if (token.kind === 'sign') return /^[)\]}]$/.test(token.text);
  return token.kind !== 'word' || !infixWords.has(token.text);
}

function beginsValue(token: Token): boolean {
  if (token.kind === 'sign') return /^[([{!.-]$/.test(token.text);
  return token.kind !== 'word' || !infixWords.has(token.text);
}

function mayFollowValue(token: Token): boolean {
  return token.kind === 'sign' && /^[([{.-]$/.test(token.text);
}

function wordHint(token: Token): { readonly hint?: string } {
  const operator = { and: '&&', or: '||', not: '!', AND: '&&', OR: '||', NOT: '!' }[token.text];
  return operator === undefined ? {} : { hint: `did you mean ${operator}?` };
}

function at({ start, end }: Token, message: string): SourceFault {
  return { message, start, end };
}
