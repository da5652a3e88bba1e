import { soundsSecret } from '../../core/lib/typed-secrets.ts';
import { nearest, quoted } from '../../core/lib/words.ts';
import type { TableTypes } from '../../core/model/asset-table.ts';
import { type ProblemDetails, problem, warning } from '../../core/problem/problem.ts';
import type { ProblemCode } from '../../core/problem/problem-code.ts';
import { rightLevels } from '../schema/file-fields.ts';
import type { Member, ScalarNode, SourceText, Span, YamlNode } from '../sources/source-text.ts';
import type { ProblemList } from './problem-list.ts';

/** The kind of a node in the core schema of YAML 1.2 (section 10.3); `nothing` is an omitted value. */
export type NodeKind = 'text' | 'nothing' | 'null' | 'boolean' | 'integer' | 'number' | 'list' | 'mapping';

export function kindOf(node: YamlNode): NodeKind {
  if (node.kind === 'sequence') return 'list';
  if (node.kind === 'mapping') return 'mapping';
  if (!node.plain) return 'text';
  if (node.text === '') return 'nothing';
  if (!mayBeElse.test(node.text)) return 'text';
  if (/^(?:~|null|Null|NULL)$/.test(node.text)) return 'null';
  if (/^(?:true|True|TRUE|false|False|FALSE)$/.test(node.text)) return 'boolean';
  if (/^(?:[-+]?\d+|0o[0-7]+|0x[\da-fA-F]+)$/.test(node.text)) return 'integer';
  if (
    /^(?:[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/.test(
      node.text,
    )
  ) {
    return 'number';
  }
  return 'text';
}

/** Texts that may be something else. The first character decides for nearly every text. */
const mayBeElse = /^[~nNtTfF\d.+-]/;

const phrases: Readonly<Record<NodeKind, string>> = {
  text: 'text',
  nothing: 'nothing',
  null: 'null',
  boolean: 'true or false',
  integer: 'a number',
  number: 'a number',
  list: 'a list',
  mapping: 'a mapping',
};

/** For "… must be a list, not text". */
export function describeKind(node: YamlNode): string {
  return phrases[kindOf(node)];
}

/** Shared by all readers: the source text, and the list that collects problems. */
export interface Reading {
  readonly source: SourceText;
  readonly problems: ProblemList;
  /** The tables that expressions can read; none if absent. */
  readonly tables?: TableTypes;
}

/** Records an error at a span. Returns undefined, so that a reader can return the result of this call. */
export function report(
  reading: Reading,
  span: Span,
  code: ProblemCode,
  message: string,
  details: ProblemDetails = {},
): undefined {
  reading.problems.add(problem(code, message, { place: reading.source.placeOf(span), ...details }));
}

export function warn(
  reading: Reading,
  span: Span,
  code: ProblemCode,
  message: string,
  details: ProblemDetails = {},
): undefined {
  reading.problems.add(warning(code, message, { place: reading.source.placeOf(span), ...details }));
}

export type Members<K extends object> = { readonly [Key in keyof K]?: Member };

export interface MappingWords {
  /** A description of the mapping for messages: `an entry`, `"policy"`. */
  readonly what: string;
  /** An example for the message if something other than a mapping is found. */
  readonly example: string;
}

/** The members of a mapping, which may have only these keys. */
export function readMembers<K extends object>(
  reading: Reading,
  node: YamlNode,
  keys: K,
  words: MappingWords,
): Members<K> | undefined {
  if (node.kind !== 'mapping') {
    return report(reading, node, 'wrong-type', `${words.what} must be a mapping, not ${describeKind(node)}`, {
      hint: words.example,
    });
  }
  const found: Record<string, Member> = {};
  let unknownKeys: Map<string, Member> | undefined;
  for (const member of node.members) {
    const name = member.key.text;
    const isKnown = Object.hasOwn(keys, name);
    const first = isKnown ? found[name] : unknownKeys?.get(name);
    if (first !== undefined) {
      report(reading, member.key, 'duplicate-key', `the key ${quoted(name)} appears twice`, {
        hint: 'remove one of the two',
        related: [reading.source.placeOf(first.key)],
      });
    } else if (isKnown) {
      found[name] = member;
    } else {
      unknownKeys ??= new Map();
      unknownKeys.set(name, member);
      unknownKey(reading, member.key, keys);
    }
  }
  return found;
}

/** The value that a reader returns for a key; undefined if there is no such key. */
export function readMember<T>(
  member: Member | undefined,
  reader: (value: Member['value'], at: Member['value']) => T | undefined,
): T | undefined {
  return member === undefined ? undefined : reader(member.value, valueSpan(member));
}

/** The span of a key's value, or the key if the value was omitted. */
export function valueSpan(member: Member): Member['value'] {
  return member.value.kind === 'scalar' && member.value.start === member.value.end
    ? member.key
    : member.value;
}

/** Keys that people copy from the service's interface or from other tools. */
const foreign: ReadonlyMap<string, string> = new Map([
  ['description', 'name'],
  ['hostname', 'name'],
  ['host', 'name'],
  ['hostid', 'id'],
  ['state', 'ensure'],
  ['absent', 'ensure'],
  ['delete', 'ensure'],
  ['oldname', 'previously'],
  ['aliases', 'previously'],
  ['computers', 'hosts'],
]);

function unknownKey(reading: Reading, key: ScalarNode, keys: object): void {
  const name = key.text;
  const names = Object.keys(keys);
  const known =
    names.length === 1 ? `the only key here is ${names[0]}` : `the keys here are ${names.join(', ')}`;
  const near = meantBy(name, names);
  if (name === '<<') {
    report(reading, key, 'unknown-key', 'merge keys ("<<") are not supported', {
      hint: 'write the keys in each entry; an alias can replace one value',
    });
  } else if (near === undefined && soundsSecret(name)) {
    report(reading, key, 'unknown-key', `unknown key ${quoted(name)}: secrets do not belong in this file`, {
      hint: 'set RAMPART_PSK_FILE or RAMPART_PSK instead, and create a new secret if this one was shared',
    });
  } else {
    const level = rightLevels.get(name);
    const elsewhere = level === undefined ? known : `"${name}" belongs ${level}; ${known}`;
    report(reading, key, 'unknown-key', name === '' ? 'a key is empty' : `unknown key ${quoted(name)}`, {
      hint: near === undefined ? elsewhere : `did you mean "${near}"?`,
    });
  }
}

/** The known name that an unknown name was probably meant to be. */
export function meantBy(name: string, names: readonly string[]): string | undefined {
  const meant = foreign.get(name.toLowerCase());
  return meant !== undefined && names.includes(meant) ? meant : nearest(name, names)[0];
}

/** The valid items of a list; none if the key is absent. */
export function readItems<T>(
  reading: Reading,
  member: Member | undefined,
  example: string,
  readItem: (item: YamlNode) => T | undefined,
): readonly T[] {
  if (member === undefined) return [];
  const { key, value } = member;
  if (value.kind === 'sequence') return value.items.flatMap((item) => readItem(item) ?? []);
  const message = `"${key.text}" must be a list, not ${describeKind(value)}`;
  report(reading, valueSpan(member), 'wrong-type', message, { hint: example });
  return [];
}

/** The span that represents an item is its first key. */
export function itemHead(node: YamlNode): Span {
  const first = node.kind === 'mapping' ? node.members[0] : undefined;
  return first === undefined ? node : { start: first.key.start, end: first.value.end };
}
