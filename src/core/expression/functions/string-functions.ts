import { type CelList, celList } from '@bufbuild/cel';
import { boundedLength, boundedList, boundedText, PlainFault, spendOnSearch } from '../running/running.ts';
import type { FunctionSource } from './function-source.ts';
import { extractPattern, matchesPattern } from './regex.ts';

/** Places and lengths count characters (code points), as CEL does; upper and lower case are Unicode's. */
export const stringFunctions: readonly FunctionSource[] = [
  {
    signature: 'string.lower(): string',
    about: 'in lower case',
    run: (text: string) => boundedText(text.toLowerCase()),
  },
  {
    signature: 'string.upper(): string',
    about: 'in upper case',
    run: (text: string) => boundedText(text.toUpperCase()),
  },
  {
    signature: 'string.lowerAscii(): string',
    about: 'A to Z in lower case, all else as it is',
    run: (text: string) => boundedText(text.replace(/[A-Z]+/g, (part) => part.toLowerCase())),
  },
  {
    signature: 'string.upperAscii(): string',
    about: 'a to z in upper case, all else as it is',
    run: (text: string) => boundedText(text.replace(/[a-z]+/g, (part) => part.toUpperCase())),
  },
  {
    signature: 'string.trim(): string',
    about: 'without blanks (White_Space of Unicode) at its ends',
    run: (text: string) => boundedText(text.replace(/^\p{White_Space}+/u, '').replace(trailing, '')),
  },
  {
    signature: 'string.replace(string, string): string',
    about: 'with the second text wherever the first was',
    run: (text: string, old: string, put: string) => replace(text, old, put, -1n),
  },
  {
    signature: 'string.replace(string, string, int): string',
    about: 'the same, at most so many times',
    run: replace,
  },
  {
    signature: 'string.split(string): list<string>',
    about: 'the parts between the separators; "" separates all characters',
    run: (text: string, separator: string) => split(text, separator, -1n),
  },
  {
    signature: 'string.split(string, int): list<string>',
    about: 'the same, at most so many parts: the last holds the rest',
    run: split,
  },
  {
    signature: 'list<string>.join(): string',
    about: 'the texts one after another',
    run: (texts: CelList) => join(texts, ''),
  },
  {
    signature: 'list<string>.join(string): string',
    about: 'the texts with a separator between them',
    run: join,
  },
  {
    signature: 'string.substring(int): string',
    about: 'from the character at this place on; the first is 0',
    run: (text: string, start: bigint) => substring(text, start, sizeOf(text)),
  },
  {
    signature: 'string.substring(int, int): string',
    about: 'from the first place up to, not with, the second',
    run: substring,
  },
  {
    signature: 'string.charAt(int): string',
    about: 'the character at this place; "" just after the last',
    run: (text: string, at: bigint) => {
      const place = placeIn(text, at);
      return part(text, place, place + 1);
    },
  },
  {
    signature: 'string.indexOf(string): int',
    about: 'where the text first stands in it; -1 where it does not',
    run: (text: string, part: string) => indexOf(text, part, 0n),
  },
  {
    signature: 'string.indexOf(string, int): int',
    about: 'the same, from this place on',
    run: indexOf,
  },
  {
    signature: 'string.lastIndexOf(string): int',
    about: 'where the text last stands in it; -1 where it does not',
    run: (text: string, part: string) => {
      spendOnSearch(text, part);
      return placeOf(text, text.lastIndexOf(part));
    },
  },
  {
    signature: 'string.reverse(): string',
    about: 'its characters from the last to the first',
    run: (text: string) => boundedText(charactersOf(text).toReversed().join('')),
  },
  {
    signature: 'string.padStart(int, string): string',
    about: 'with the character put before it until it is so long',
    run: (text: string, length: bigint, filler: string) => padding(text, length, filler) + text,
  },
  {
    signature: 'string.padEnd(int, string): string',
    about: 'with the character put after it until it is so long',
    run: (text: string, length: bigint, filler: string) => text + padding(text, length, filler),
  },
  {
    signature: 'string.matches(string): bool',
    about: 'does the regular expression (RE2) match any part of it?',
    run: matchesPattern,
  },
  {
    signature: 'string.extract(string): string',
    about:
      'what the first group of the regular expression (RE2) matched, or all of it; "" where nothing does',
    run: (text: string, pattern: string) => boundedText(extractPattern(text, pattern)),
  },
];

const trailing = /(?<!\p{White_Space})\p{White_Space}+$/u;

function replace(text: string, old: string, put: string, times: bigint): string {
  spendOnSearch(text, old);
  const parts = old === '' ? ['', ...charactersOf(text), ''] : text.split(old);
  const found = parts.length - 1;
  const replaced = times < 0n || times > BigInt(found) ? found : Number(times);
  boundedLength(text.length + replaced * put.length);
  return (
    parts
      .slice(0, replaced)
      .map((part) => part + put)
      .join('') + parts.slice(replaced).join(old)
  );
}

function split(text: string, separator: string, times: bigint): CelList {
  if (times === 0n) return celList([]);
  spendOnSearch(text, separator);
  const parts = separator === '' ? charactersOf(text) : text.split(separator);
  const most = times < 0n ? parts.length : Math.min(parts.length, Number(times));
  const shown =
    most === parts.length ? parts : [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
  return celList(boundedList(shown));
}

function join(texts: CelList, separator: string): string {
  const parts = [...texts].map(String);
  boundedLength(parts.reduce((length, part) => length + part.length + separator.length, 0));
  return parts.join(separator);
}

function substring(text: string, start: bigint, end: bigint): string {
  const from = placeIn(text, start);
  const to = placeIn(text, end);
  if (from > to) throw new PlainFault(`the part would begin at ${from}, after its end at ${to}`);
  return boundedText(part(text, from, to));
}

function indexOf(text: string, wanted: string, from: bigint): bigint {
  spendOnSearch(text, wanted);
  const units = part(text, 0, placeIn(text, from)).length;
  return placeOf(text, text.indexOf(wanted, units));
}

/** The place of a UTF-16 unit, in characters. */
function placeOf(text: string, unit: number): bigint {
  return BigInt(unit < 0 ? -1 : lengthOf(text.slice(0, unit)));
}

export function sizeOf(text: string): bigint {
  return BigInt(lengthOf(text));
}

function charactersOf(text: string): readonly string[] {
  return Array.from(boundedText(text));
}

const surrogate = /[\ud800-\udfff]/;

/** Without surrogates each unit is a character, and the text need not be taken apart. */
function lengthOf(text: string): number {
  return surrogate.test(boundedText(text)) ? charactersOf(text).length : text.length;
}

function part(text: string, from: number, to: number): string {
  return surrogate.test(text) ? charactersOf(text).slice(from, to).join('') : text.slice(from, to);
}

function placeIn(text: string, at: bigint): number {
  const length = lengthOf(text);
  if (at < 0n || at > BigInt(length)) {
    throw new PlainFault(`place ${at} is outside of a text of ${length} characters`);
  }
  return Number(at);
}

function padding(text: string, length: bigint, filler: string): string {
  if (lengthOf(filler) !== 1) throw new PlainFault('a text is filled up with exactly one character');
  const missing = length - BigInt(lengthOf(text));
  if (missing <= 0n) return '';
  if (missing > 1_000n) throw new PlainFault('a text is filled up by at most 1000 characters');
  return boundedText(filler.repeat(Number(missing)));
}
