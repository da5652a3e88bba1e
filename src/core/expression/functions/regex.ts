import { RE2JS } from '@bufbuild/re2';
import { longestPattern } from '../expression-limits.ts';
import { faultAbout, PlainFault, spend } from '../running/running.ts';
import { firstMatch } from './regex-groups.ts';

/** Patterns in RE2's syntax. Matching time grows linearly with the text, never exponentially. */
const compiled = new Map<string, RE2JS>();
const most = 256;

/** The most instructions that a pattern may compile to: `(a{100}){100}` is short, but would compile to ten thousand. */
const largestProgram = 5_000;

/** A plain description of what is wrong with a pattern; undefined if it is valid. */
export function patternFault(pattern: string): string | undefined {
  try {
    compile(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof PlainFault) return error.message;
    throw error;
  }
}

export function matchesPattern(text: string, pattern: string): boolean {
  const regex = compile(pattern);
  spendOn(text, regex);
  return regex.test(text);
}

/** The first group of the first match, or the whole match if the pattern has no group; "" if there is no match. */
export function extractPattern(text: string, pattern: string): string {
  const regex = compile(pattern);
  spendOn(text, regex);
  const bounds = firstMatch(regex.re2().prog, text);
  if (bounds === undefined) return '';
  const at = regex.groupCount() > 0 ? 2 : 0;
  const [start, end] = [bounds[at] ?? -1, bounds[at + 1] ?? -1];
  return start < 0 || end < 0 ? '' : text.slice(start, end);
}

function spendOn(text: string, regex: RE2JS): void {
  spend(1 + Math.ceil((text.length * regex.re2().prog.numInst()) / 1_000));
}

function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const regex = fresh(pattern);
  if (compiled.size >= most) compiled.clear();
  compiled.set(pattern, regex);
  return regex;
}

function fresh(pattern: string): RE2JS {
  if (pattern.length > longestPattern) {
    throw new PlainFault(`the pattern is longer than ${longestPattern} characters`);
  }
  const regex = parsed(pattern);
  if (regex.re2().prog.numInst() > largestProgram)
    throw new PlainFault('the pattern has too many repetitions');
  return regex;
}

function parsed(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const words = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : '';
    throw faultAbout`the pattern is not a valid regular expression: ${words}`;
  }
}
