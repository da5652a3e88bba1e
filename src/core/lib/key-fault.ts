import { endOfString } from './end-of-string.ts';
import { quoted } from './quoted.ts';

/** Why readers could interpret a JSON text differently. */
export interface KeyFault {
  readonly message: string;
  /** The offset in the text. */
  readonly offset: number;
}

export interface KeyRules {
  /** How every key is spelled; any spelling if absent. */
  readonly spelling?: RegExp;
  /** Describes a key with another spelling: `is not a key of a plan`. */
  readonly misspelled?: string;
}

/** Deeper than any document of Rampart, and far less deep than the stack of the functions that walk through one. */
const deepest = 100;

/**
 * The first key that is repeated in its object, or that is misspelled. `JSON.parse` takes the last of two and other
 * readers the first, so they would read the text differently. Also a place that is too deep. Only for valid JSON, whose
 * strings can be of any length.
 */
export function keyFault(text: string, { spelling, misspelled }: KeyRules = {}): KeyFault | undefined {
  const open: (Set<string> | null)[] = [];
  const token = /["{}[\]:]/g;
  let start = 0;
  let end = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [sign] = found;
    if (sign === '{' || sign === '[') {
      if (open.length === deepest)
        return { message: `objects and lists are nested more than ${deepest} deep`, offset: found.index };
      open.push(sign === '{' ? new Set() : null);
    } else if (sign === '}' || sign === ']') open.pop();
    else if (sign === '"') {
      start = found.index;
      end = endOfString(text, start);
      token.lastIndex = end;
    } else {
      const word = text.slice(start, end);
      const key = word.includes('\\') ? (JSON.parse(word) as string) : word.slice(1, -1);
      const keys = open.at(-1);
      const fault =
        keys?.has(key) === true
          ? 'appears twice in one object'
          : spelling?.test(key) === false
            ? misspelled
            : undefined;
      if (fault !== undefined) return { message: `the key ${quoted(key)} ${fault}`, offset: start };
      keys?.add(key);
    }
  }
  return undefined;
}
