import { soundsSecret } from '../../core/lib/typed-secrets.ts';
import { nearest } from '../../core/lib/words.ts';
import { failed, ok, type Place, type Problem, type Result } from '../../core/problem/problem.ts';
import { decodeSource } from '../../input/sources/decode-source.ts';
import type { Member, SourceText, YamlNode } from '../../input/sources/source-text.ts';
import { createProblemList } from '../../input/values/problem-list.ts';
import { type Reading, report } from '../../input/values/reading.ts';
import { parseYaml } from '../../input/yaml/parse-yaml.ts';

/** One file of the configuration as a tree, and its problems so far. */
export interface ConfigText {
  readonly reading: Reading;
  readonly root: YamlNode;
}

/** Problems of the configuration point at a line and never quote it, because somebody may have put a secret there. */
export function parseConfigText(file: string, bytes: Uint8Array | string): Result<ConfigText> {
  const source = decodeSource({ file, text: bytes });
  const tree = source.ok ? parseYaml(source.value, 'write its settings, or remove it') : source;
  if (!source.ok || !tree.ok) return failed(...tree.problems.map(withoutSourceLine));
  const reading = { source: withoutLines(source.value), problems: createProblemList() };
  return ok({ reading, root: tree.value });
}

function withoutLines(source: SourceText): SourceText {
  return { ...source, placeOf: (span) => spotOf(source.placeOf(span)) };
}

function withoutSourceLine(each: Problem): Problem {
  if (each.place === undefined) return each;
  const { related: _, ...rest } = each;
  return { ...rest, place: spotOf(each.place) };
}

function spotOf({ file, line, col }: Place): Place {
  return { file, line, col };
}

export const secretMessage = 'secrets do not belong in this file';
export const secretHint =
  'write where the key is, such as key: { variable: BERLIN_PSK }, and create a new key if this one was shared';

/** Where the location of a secret belongs in a mapping with these keys. */
function hintAt(given: string, keys: readonly string[]): string {
  if (keys.some((key) => ['accounts', 'key', 'variable'].includes(key))) return secretHint;
  const locations = keys.filter((key) => /(?:File|Variable)$/.test(key));
  const own = locations.filter((key) => key.startsWith(given));
  const paired = locations.filter((key) => keys.includes(key.replace(/File$/, 'Variable')));
  const shown = own.length > 0 ? own : paired;
  const advice = shown.length === 0 ? 'remove it' : `write where the secret is, with ${shown.join(' or ')}`;
  return `${advice}, and create a new secret if this one was shared`;
}

export type FoundMembers<K extends object> = { readonly [Key in keyof K]?: Member };

/** The members of a mapping, which may have only these keys. */
export function readKeys<K extends object>(
  reading: Reading,
  node: YamlNode,
  what: string,
  keys: K,
): FoundMembers<K> | undefined {
  const found: Record<string, Member> = {};
  for (const member of readMembersOf(reading, node, what) ?? []) {
    const { key } = member;
    if (!Object.hasOwn(keys, key.text)) unknownKey(reading, member, Object.keys(keys));
    else found[key.text] = member;
  }
  return node.kind === 'mapping' ? found : undefined;
}

/** The members of a mapping with any keys, each of them once. */
export function readMembersOf(reading: Reading, node: YamlNode, what: string): readonly Member[] | undefined {
  if (node.kind !== 'mapping') return report(reading, node, 'wrong-type', `${what} must be a mapping`);
  const seen = new Set<string>();
  return node.members.filter((member) => {
    const { text } = member.key;
    if (!seen.has(text)) return seen.add(text);
    report(reading, member.key, 'duplicate-key', 'the key appears twice', { hint: 'remove one of the two' });
    return false;
  });
}

function unknownKey(reading: Reading, { key }: Member, keys: readonly string[]): void {
  if (soundsSecret(key.text)) {
    report(reading, key, 'configuration', secretMessage, { hint: hintAt(key.text, keys) });
    return;
  }
  const [near] = nearest(key.text, keys);
  report(reading, key, 'unknown-key', `unknown key "${key.text.slice(0, 40)}"`, {
    hint: near === undefined ? `the keys here are ${keys.join(', ')}` : `did you mean "${near}"?`,
  });
}

/** One line of text, as a plain or quoted scalar. */
export function lineOf(reading: Reading, { value }: Pick<Member, 'value'>, what: string): string | undefined {
  if (value.kind === 'scalar' && value.text !== '' && !/\p{Cc}/u.test(value.text)) return value.text;
  return report(reading, value, 'wrong-type', `${what} must be one line of text`);
}

export interface ConfigLine {
  readonly text: string;
  readonly node: YamlNode;
}

/** A list of lines; one line is a list of one. */
export function linesOf(
  reading: Reading,
  { value }: Pick<Member, 'value'>,
  what: string,
): readonly ConfigLine[] {
  const [nodes, each] = value.kind === 'sequence' ? [value.items, `an item of ${what}`] : [[value], what];
  return nodes.flatMap((node) => {
    const text = lineOf(reading, { value: node }, each);
    return text === undefined ? [] : [{ text, node }];
  });
}
