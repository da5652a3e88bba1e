/**
 * A value that a script exports:
 *
 *     "BER-WEB-01"                      a text
 *     { "plain": "9007199254740993" }   a number, a bigint, true, false or null, as YAML writes it
 *     { "items": [ … ] }                a list
 *     { "members": [["id", …], …] }     an object; `at` where it says which place it came from
 *     { "refused": "a function" }       what no desired state can hold
 */
export type EncodedValue =
  | string
  | { readonly plain: string }
  | { readonly items: readonly EncodedValue[] }
  | { readonly members: readonly (readonly [string, EncodedValue])[]; readonly at?: ScriptPlace }
  | { readonly refused: string; readonly hint?: string };

/** Line and column count from 1. */
export interface ScriptPlace {
  /** A `file:` address in the project if it comes from a stack, a path if it comes from the script. */
  readonly file: string;
  readonly line: number;
  /** Absent if only the line is known. */
  readonly col?: number;
}

/** The result of a script, with the texts of the files that its places refer to. */
export interface ScriptOutput {
  readonly text: string;
  readonly value: EncodedValue;
  readonly files: ReadonlyMap<string, ScriptFile>;
}

/** A file as messages show it, by its name in the places of the output. */
export interface ScriptFile {
  readonly name: string;
  /** Absent if the text is unavailable: then the place is shown without its line. */
  readonly text?: string;
  /** By how much the columns of the first line are too large. */
  readonly shift?: number;
}

/** The file names in the places of a value. */
export function placesOf(value: EncodedValue, found: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof value === 'string') return found;
  if ('items' in value) for (const item of value.items) placesOf(item, found);
  if ('members' in value) {
    if (value.at !== undefined) found.add(value.at.file);
    for (const [, member] of value.members) placesOf(member, found);
  }
  return found;
}
