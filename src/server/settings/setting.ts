import { z } from 'zod';
import { lineOf, membersOf, readKeys } from '../../accounts/config/config-reading.ts';
import { quoted } from '../../core/lib/quoted.ts';
import type { Place } from '../../core/problem/place.ts';
import type { Member, YamlNode } from '../../input/sources/yaml-tree.ts';
import { valueSpan } from '../../input/values/read-members.ts';
import { type Reading, report } from '../../input/values/reading.ts';

/** How one value of the configuration is read, and its JSON Schema. */
export interface Setting<T> {
  readonly schema: z.ZodType;
  /** Undefined after it has reported a problem. `what` names the value in problems: `"cadence"`. */
  read(reading: Reading, member: Pick<Member, 'value'> & Partial<Member>, what: string): T | undefined;
}

export interface Key<T> {
  readonly is: Setting<T>;
  /** What editors show. */
  readonly meaning: string;
  readonly required?: true;
}

export type Keys = Readonly<Record<string, Key<unknown>>>;
export type Values<K extends Keys> = {
  readonly [N in keyof K]?: K[N] extends Key<infer T> ? T : never;
};

/** A mapping that was read: its place, and how to report a problem of it. */
export interface Section {
  readonly place: Place;
  /** Reports at a key of the mapping, or at the mapping. */
  refuse(key: string | null, message: string, hint?: string): undefined;
}

/** A mapping with these keys. `build` makes the value of it if each required key is there. */
export function section<K extends Keys, T>(
  keys: K,
  build: (values: Values<K>, section: Section) => T | undefined,
): Setting<T> {
  const meanings = Object.fromEntries(Object.entries(keys).map(([name, { meaning }]) => [name, meaning]));
  const shapes = Object.entries(keys).map(([name, { is, meaning, required }]) => {
    const shape = is.schema.describe(meaning);
    return [name, required === true ? shape : shape.optional()];
  });
  return {
    schema: z.strictObject(Object.fromEntries(shapes) as z.ZodRawShape),
    read(reading, { value }, what) {
      const members = readKeys(reading, value, what, meanings);
      if (members === undefined) return undefined;
      const found: Record<string, unknown> = {};
      let isWhole = true;
      for (const [name, { is, required }] of Object.entries(keys)) {
        const member = members[name];
        if (member !== undefined) found[name] = is.read(reading, member, `"${name}"`);
        if (required === true && member === undefined)
          report(reading, headOf(value), 'missing-key', `${what} needs "${name}"`);
        isWhole &&= member === undefined ? required !== true : found[name] !== undefined;
      }
      if (!isWhole) return undefined;
      return build(found as Values<K>, {
        place: reading.source.placeOf(headOf(value)),
        refuse(key, message, hint) {
          const member = key === null ? undefined : members[key];
          const span = member === undefined ? headOf(value) : valueSpan(member);
          return report(reading, span, 'invalid-value', message, hint === undefined ? {} : { hint });
        },
      });
    },
  };
}

function headOf(node: YamlNode): YamlNode {
  const first = node.kind === 'mapping' ? node.members[0]?.key : undefined;
  return first ?? node;
}

/** A list; one value is a list of one. Each item that is not valid is reported and left out. */
export function list<T>(item: Setting<T>): Setting<readonly T[]> {
  return {
    schema: z.union([item.schema, z.array(item.schema)]),
    read(reading, { value }, what) {
      const nodes = value.kind === 'sequence' ? value.items : [value];
      return nodes.flatMap((node) => item.read(reading, { value: node }, `an item of ${what}`) ?? []);
    },
  };
}

/** A mapping with any names. */
export function record<T>(item: Setting<T>): Setting<Readonly<Record<string, T>>> {
  return {
    schema: z.record(z.string(), item.schema),
    read(reading, { value }, what) {
      const members = membersOf(reading, value, what);
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
  /** What the text must be: `a time such as 10m`. */
  readonly words: string;
  readonly hint?: string;
}

/** One line of text that a function reads. Problems of a text that may be a secret do not quote it. */
export function line<T>({ parse, words, hint }: TextRule<T>, schema: z.ZodType = z.string()): Setting<T> {
  return {
    schema,
    read(reading, member, what) {
      const text = lineOf(reading, member, what);
      if (text === undefined) return undefined;
      const value = parse(text);
      if (value !== undefined) return value;
      const details = hint === undefined ? {} : { hint };
      const shown = text.includes('://') ? '' : `, not ${quoted(text)}`;
      return report(reading, member.value, 'invalid-value', `${what} must be ${words}${shown}`, details);
    },
  };
}

export const text: Setting<string> = line({ parse: (given) => given, words: 'one line of text' });
