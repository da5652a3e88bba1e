import { type CelList, celList } from '@bufbuild/cel';
import {
  boundedLength,
  boundedList,
  boundedText,
  faultAbout,
  PlainFault,
  spendOnSearch,
} from '../running/running.ts';
import type { FunctionSource } from './function-source.ts';
import { extractPattern, matchesPattern } from './regex.ts';

/** Indexes and lengths count characters (code points), as in CEL; upper and lower case follow Unicode. */
export const stringFunctions: readonly FunctionSource[] = [
  {
    signature: 'string.lower(): string',
    about: 'the text in lower case',
    run: (text: string) => boundedText(text.toLowerCase()),
  },
  {
    signature: 'string.upper(): string',
    about: 'the text in upper case',
    run: (text: string) => boundedText(text.toUpperCase()),
  },
  {
    signature: 'string.lowerAscii(): string',
    about: 'the text with A to Z in lower case and all other characters unchanged',
    run: (text: string) => boundedText(text.replace(/[A-Z]+/g, (part) => part.toLowerCase())),
  },
  {
    signature: 'string.upperAscii(): string',
    about: 'the text with a to z in upper case and all other characters unchanged',
    run: (text: string) => boundedText(text.replace(/[a-z]+/g, (part) => part.toUpperCase())),
  },
  {
    signature: 'string.trim(): string',
    about: 'the text without leading and trailing white space (Unicode White_Space)',
    run: (text: string) => boundedText(text.replace(/^\p{White_Space}+/u, '').replace(trailing, '')),
  },
  {
    signature: 'string.replace(string, string): string',
    about: 'the text with every occurrence of the first argument replaced by the second',
    run: (text: string, old: string, put: string) => replace(text, old, put, -1n),
  },
  {
    signature: 'string.replace(string, string, int): string',
    about: 'the same, with at most this many replacements',
    run: replace,
  },
  {
    signature: 'string.split(string): list<string>',
    about: 'the parts between the separators; "" splits the text into characters',
    run: (text: string, separator: string) => split(text, separator, -1n),
  },
  {
    signature: 'string.split(string, int): list<string>',
    about: 'the same, with at most this many parts; the last part contains the rest',
    run: split,
  },
  {
    signature: 'list<string>.join(): string',
    about: 'the texts, concatenated',
    run: (texts: CelList) => join(texts, ''),
  },
  {
    signature: 'list<string>.join(string): string',
    about: 'the texts, joined with the separator',
    run: join,
  },
  {
    signature: 'string.substring(int): string',
    about: 'the characters from this index to the end; the first index is 0',
    run: (text: string, start: bigint) => substring(text, start, sizeOf(text)),
  },
  {
    signature: 'string.substring(int, int): string',
    about: 'the characters from the first index up to, but not including, the second',
    run: substring,
  },
  {
    signature: 'string.charAt(int): string',
    about: 'the character at this index; "" directly after the last character',
    run: (text: string, at: bigint) => {
      const place = placeIn(text, at);
      return part(text, place, place + 1);
    },
  },
  {
    signature: 'string.indexOf(string): int',
    about: 'the index of the first occurrence of the text; -1 if there is none',
    run: (text: string, part: string) => indexOf(text, part, 0n),
  },
  {
    signature: 'string.indexOf(string, int): int',
    about: 'the same, starting at this index',
    run: indexOf,
  },
  {
    signature: 'string.lastIndexOf(string): int',
    about: 'the index of the last occurrence of the text; -1 if there is none',
    run: (text: string, part: string) => {
      spendOnSearch(text, part);
      return placeOf(text, text.lastIndexOf(part));
    },
  },
  {
    signature: 'string.reverse(): string',
    about: 'the characters in reverse order',
    run: (text: string) => boundedText(charactersOf(text).toReversed().join('')),
  },
  {
    signature: 'string.padStart(int, string): string',
    about: 'the text, padded at the start with the character to this length',
    run: (text: string, length: bigint, filler: string) => padding(text, length, filler) + text,
  },
  {
    signature: 'string.padEnd(int, string): string',
    about: 'the text, padded at the end with the character to this length',
    run: (text: string, length: bigint, filler: string) => text + padding(text, length, filler),
  },
  {
    signature: 'string.matches(string): bool',
    about: 'whether the regular expression (RE2) matches any part of the text',
    run: matchesPattern,
  },
  {
    signature: 'string.extract(string): string',
    about:
      'the match of the first group of the regular expression (RE2), or the whole match without groups; "" if nothing matches',
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
  if (from > to) throw faultAbout`the substring starts at ${from}, after its end at ${to}`;
  return boundedText(part(text, from, to));
}

function indexOf(text: string, sought: string, from: bigint): bigint {
  spendOnSearch(text, sought);
  const units = part(text, 0, placeIn(text, from)).length;
  return placeOf(text, text.indexOf(sought, units));
}

/** The index in characters of a UTF-16 unit. */
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

/** Without surrogates each unit is a character, so the text need not be split. */
function lengthOf(text: string): number {
  return surrogate.test(boundedText(text)) ? charactersOf(text).length : text.length;
}

function part(text: string, from: number, to: number): string {
  return surrogate.test(text) ? charactersOf(text).slice(from, to).join('') : text.slice(from, to);
}

function placeIn(text: string, at: bigint): number {
  const length = lengthOf(text);
  if (at < 0n || at > BigInt(length)) {
    throw faultAbout`the index ${at} is outside the string of ${length} characters`;
  }
  return Number(at);
}

function padding(text: string, length: bigint, filler: string): string {
  if (lengthOf(filler) !== 1) throw new PlainFault('the padding must be exactly one character');
  const missing = length - BigInt(lengthOf(text));
  if (missing <= 0n) return '';
  if (missing > 1_000n) throw new PlainFault('the padding can have at most 1000 characters');
  return boundedText(filler.repeat(Number(missing)));
}
