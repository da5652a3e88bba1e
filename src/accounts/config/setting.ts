import { quoted } from '../../core/lib/words.ts';
import type { Place } from '../../core/problem/problem.ts';
import type { ProblemCode } from '../../core/problem/problem-code.ts';
import type { Member, YamlNode } from '../../input/sources/source-text.ts';
import { describeKind, type Reading, report, valueSpan } from '../../input/values/reading.ts';
import { type FoundMembers, lineOf, readKeys, readMembersOf } from './config-reading.ts';

/** A JSON Schema (draft 2020-12), or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A node of the configuration, with its key if it has one. */
export type Given = Pick<Member, 'value'> & Partial<Member>;

/** How one value of the configuration is read, and its JSON Schema. */
export interface Setting<T> {
  readonly schema: JsonSchema;
  /** Undefined after it has reported a problem. `what` names the value in problems: `"cadence"`. */
  read(reading: Reading, given: Given, what: string): T | undefined;
  /** For values of one line: how defaults, variables and flags are read. */
  readonly rule?: TextRule<T>;
}

/** What a setting gives. */
export type SettingValue<S> = S extends Setting<infer T> ? Readonly<T> : never;

/** One key of a mapping: everything that the file, its schema and the documentation need to know. */
export interface Key<T> {
  readonly is: Setting<T>;
  /** What editors and the documentation show, followed by the default. */
  readonly meaning: string;
  readonly required?: true;
  /** What holds without the key, written as in the file. */
  readonly byDefault?: string;
  /** An environment variable that is used instead of the key. */
  readonly variable?: string;
}

export type Keys = Readonly<Record<string, Key<unknown>>>;
type ValueOf<K> = K extends Key<infer T> ? T : never;
type Sure<K extends Keys> = {
  [N in keyof K]: K[N] extends { readonly required: true } | { readonly byDefault: string } ? N : never;
}[keyof K];

/** What a whole mapping gives: required keys and keys with a default always have a value. */
export type Values<K extends Keys> = { readonly [N in Sure<K>]: ValueOf<K[N]> } & {
  readonly [N in Exclude<keyof K, Sure<K>>]?: ValueOf<K[N]>;
};

/** A mapping that was read: where it is, and how to report a problem of it. */
export interface ConfigSection<K extends Keys = Keys> {
  readonly place: Place;
  readonly members: FoundMembers<K>;
  placeOf(span: { readonly start: number; readonly end: number }): Place;
  /** Reports at a key of the mapping, or at the mapping. */
  refuse(key: string | null, message: string, hint?: string, code?: ProblemCode): undefined;
}

/** A mapping with these keys. `build` makes its value if every key that is given is valid and every required one is given. */
export function section<const K extends Keys, T>(
  keys: K,
  build: (values: Values<K>, section: ConfigSection<K>) => T | undefined,
): Setting<T> {
  return mapping(keys, build, { skipsInvalid: false });
}

/** The same, but an invalid value is reported and left out, so that `build` can report more. */
export function lenientSection<const K extends Keys, T>(
  keys: K,
  build: (values: Partial<Values<K>>, section: ConfigSection<K>) => T | undefined,
): Setting<T> {
  return mapping(keys, build, { skipsInvalid: true });
}

/** The values of the keys that have a default. */
export type Defaults<K extends Keys> = {
  readonly [N in keyof K as K[N] extends { readonly byDefault: string } ? N : never]: ValueOf<K[N]>;
};

/** What a mapping without any key gives. Throws if the code has a default that is not valid. */
export function defaultsOf<K extends Keys>(keys: K): Defaults<K> {
  const found: Record<string, unknown> = {};
  for (const [name, { is, byDefault }] of Object.entries(keys)) {
    if (byDefault === undefined) continue;
    found[name] = is.rule?.parse(byDefault);
    if (found[name] === undefined) throw new Error(`the default of "${name}" is not valid: ${byDefault}`);
  }
  return found as Defaults<K>;
}

function mapping<K extends Keys, T>(
  keys: K,
  build: (values: Values<K>, section: ConfigSection<K>) => T | undefined,
  { skipsInvalid }: { readonly skipsInvalid: boolean },
): Setting<T> {
  return {
    get schema() {
      return schemaOfKeys(keys);
    },
    read(reading, { value }, what) {
      const members = readKeys(reading, value, what, keys);
      if (members === undefined) return undefined;
      const found: Record<string, unknown> = { ...defaultsOf(keys) };
      // An unknown key is often a misspelled one, which is then not missing.
      let isWhole = value.kind !== 'mapping' || Object.keys(members).length === value.members.length;
      for (const [name, { is, required }] of Object.entries(keys)) {
        const member = members[name];
        if (member !== undefined) found[name] = is.read(reading, member, `"${name}"`);
        if (required === true && member === undefined)
          report(reading, headOf(value), 'missing-key', `${what} needs "${name}"`);
        isWhole &&= member === undefined ? required !== true : found[name] !== undefined;
      }
      if (!isWhole && !skipsInvalid) return undefined;
      return build(found as Values<K>, {
        place: reading.source.placeOf(headOf(value)),
        members,
        placeOf: (span) => reading.source.placeOf(span),
        refuse(key, message, hint, code = 'invalid-value') {
          const member = key === null ? undefined : members[key];
          const span = member === undefined ? headOf(value) : valueSpan(member);
          return report(reading, span, code, message, hint === undefined ? {} : { hint });
        },
      });
    },
  };
}

/** The JSON Schema of a mapping with these keys and no others. */
export function schemaOfKeys(keys: Keys): JsonSchema {
  const required = Object.keys(keys).filter((name) => keys[name]?.required === true);
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(keys).map(([name, { is, meaning, byDefault }]) => {
        const description = byDefault === undefined ? meaning : `${meaning} Default: ${byDefault}.`;
        return [name, { ...is.schema, description }];
      }),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function headOf(node: YamlNode): YamlNode {
  const first = node.kind === 'mapping' ? node.members[0]?.key : undefined;
  return first ?? node;
}

/** A list; one value is a list of one. Each item that is not valid is reported and left out. */
export function list<T>(item: Setting<T>): Setting<readonly T[]> {
  return {
    schema: { anyOf: [item.schema, { type: 'array', items: item.schema }] },
    read(reading, { value }, what) {
      const [nodes, each] = value.kind === 'sequence' ? [value.items, `an item of ${what}`] : [[value], what];
      return nodes.flatMap((node) => item.read(reading, { value: node }, each) ?? []);
    },
  };
}

/** A mapping with any names. */
export function record<T>(item: Setting<T>): Setting<Readonly<Record<string, T>>> {
  return {
    schema: { type: 'object', propertyNames: { type: 'string' }, additionalProperties: item.schema },
    read(reading, { value }, what) {
      const members = readMembersOf(reading, value, what);
      if (members === undefined) return undefined;
      const found: Record<string, T> = Object.create(null) as Record<string, T>;
      for (const member of members) {
        const read = item.read(reading, member, `"${member.key.text}"`);
        if (read !== undefined) found[member.key.text] = read;
      }
      return found;
    },
  };
}

export interface TextRule<T> {
  /** Undefined if the text is not valid. */
  readonly parse: (text: string) => T | undefined;
  /** Describes a valid text: `a time such as 10m`. */
  readonly words: string;
  readonly hint?: string;
}

/** One line of text that a function reads. Problems of a text that may be a secret do not quote it. */
export function line<T>(rule: TextRule<T>, schema: JsonSchema = { type: 'string' }): Setting<T> {
  const { parse, words, hint } = rule;
  return {
    schema,
    rule,
    read(reading, given, what) {
      const { value: node } = given;
      if (node.kind !== 'scalar')
        return report(reading, node, 'wrong-type', `${what} must be ${words}, not ${describeKind(node)}`);
      const text = lineOf(reading, given, what);
      if (text === undefined) return undefined;
      const value = parse(text);
      if (value !== undefined) return value;
      const details = hint === undefined ? {} : { hint };
      const shown = text.includes('://') ? '' : `, not ${quoted(text)}`;
      return report(reading, node, 'invalid-value', `${what} must be ${words}${shown}`, details);
    },
  };
}

export const text: Setting<string> = line({ parse: (given) => given, words: 'one line of text' });
