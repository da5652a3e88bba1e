import { endOfString } from './end-of-string.ts';
import { quoted } from './words.ts';

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

/** The first keys of an object, which differ and are spelled well. Most objects begin like another one. */
interface KeyPath {
  readonly before: KeyPath | undefined;
  readonly key: string;
  longer: Map<string, KeyPath> | undefined;
}

interface OpenObject {
  path: KeyPath;
  /** Its keys so far, once one follows that no object had there. */
  seen: Set<string> | undefined;
}

/**
 * The first key that is repeated in its object, or that is misspelled. `JSON.parse` takes the last of two and other
 * readers the first, so they would read the text differently. Also a place that is too deep. Only for valid JSON, whose
 * strings can be of any length.
 */
export function keyFault(text: string, { spelling, misspelled }: KeyRules = {}): KeyFault | undefined {
  const open: (OpenObject | null)[] = [];
  const root: KeyPath = { before: undefined, key: '', longer: undefined };
  let start = 0;
  let end = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x7b: // {
      case 0x5b: // [
        if (open.length === deepest)
          return { message: `objects and lists are nested more than ${deepest} deep`, offset: at };
        open.push(text.charCodeAt(at) === 0x7b ? { path: root, seen: undefined } : null);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        break;
      case 0x22: // "
        start = at;
        end = endOfString(text, at);
        at = end - 1;
        break;
      case 0x3a: {
        const word = text.slice(start + 1, end - 1);
        const key = word.includes('\\') ? (JSON.parse(`"${word}"`) as string) : word;
        const fault = takeKey(key, open.at(-1) as OpenObject);
        if (fault !== undefined) return { message: `the key ${quoted(key)} ${fault}`, offset: start };
      }
    }
  }
  return undefined;

  function takeKey(key: string, object: OpenObject): string | undefined {
    const known = object.path.longer?.get(key);
    if (known === undefined || object.seen !== undefined) {
      object.seen ??= keysOf(object.path);
      if (object.seen.has(key)) return 'appears twice in one object';
      object.seen.add(key);
      if (spelling?.test(key) === false) return misspelled;
    }
    if (known !== undefined) object.path = known;
    else {
      const path = { before: object.path, key, longer: undefined };
      (object.path.longer ??= new Map()).set(key, path);
      object.path = path;
    }
    return undefined;
  }
}

function keysOf(path: KeyPath): Set<string> {
  const keys = new Set<string>();
  for (let each = path; each.before !== undefined; each = each.before) keys.add(each.key);
  return keys;
}
