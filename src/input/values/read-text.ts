import { quoted } from '../../core/lib/words.ts';
import { type GroupIntent, toGroupId } from '../../core/model/observed.ts';
import { groupFields } from '../schema/file-fields.ts';
import type { Span, YamlNode } from '../sources/source-text.ts';
import { readId } from './read-id.ts';
import { describeKind, kindOf, type Reading, readMembers, report, valueSpan } from './reading.ts';

/** A text that is not blank, such as a name. `at` is the span for problems if the value was omitted. */
export function readText(
  reading: Reading,
  node: YamlNode,
  what: string,
  at: Span = node,
): string | undefined {
  const kind = kindOf(node);
  if (node.kind !== 'scalar' || kind !== 'text') {
    return report(
      reading,
      at,
      'wrong-type',
      `${what} must be text, not ${describeKind(node)}`,
      textHint(reading, node),
    );
  }
  if (node.text.trim() === '') return report(reading, at, 'invalid-value', `${what} is empty`);
  if (!node.text.isWellFormed()) {
    return report(reading, at, 'invalid-value', `${what} contains half a character (a lone surrogate)`);
  }
  return node.text;
}

function textHint({ source }: Reading, node: YamlNode): { hint?: string } {
  if (node.kind !== 'scalar') {
    const first = source.text.charAt(node.start);
    if (first === '{' || first === '[')
      return { hint: `a value that starts with "${first}" needs quotation marks` };
    return { hint: 'write only the text, without a key or "-" before it' };
  }
  if (node.text === '') return {};
  return { hint: `for the literal text, use quotation marks: ${quoted(node.text)}` };
}

const meanings: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', 'no', 'off'].map((word) => [word, false] as const),
]);

export function readBoolean(
  reading: Reading,
  node: YamlNode,
  what: string,
  at: Span = node,
): boolean | undefined {
  if (node.kind === 'scalar' && kindOf(node) === 'boolean') return node.text.toLowerCase() === 'true';
  const meant = node.kind === 'scalar' ? meanings.get(node.text.toLowerCase()) : undefined;
  const shown = node.kind === 'scalar' && node.text !== '' ? quoted(node.text) : describeKind(node);
  return report(
    reading,
    at,
    'wrong-type',
    `${what} must be true or false, not ${shown}`,
    meant === undefined ? {} : { hint: `write ${meant}, without quotation marks` },
  );
}

/**
 * A name, `{ id: 17 }`, or an explicit null: otherwise an omitted value would move the host out of its group by
 * accident.
 */
export function readGroup(reading: Reading, node: YamlNode, at: Span): GroupIntent | undefined {
  const kind = kindOf(node);
  if (kind === 'null') return { kind: 'ungrouped' };
  if (kind === 'nothing') {
    return report(reading, at, 'wrong-type', 'the group is empty', {
      hint: 'write null for no group; to leave the group as it is, remove the key',
    });
  }
  if (node.kind === 'scalar' && (kind === 'integer' || kind === 'number')) {
    return report(reading, at, 'wrong-type', 'a group must be a name, { id: … } or null, not a number', {
      hint: `write { id: … } for the group with this id, or ${quoted(node.text)} for the one with this name`,
    });
  }
  if (node.kind !== 'mapping') {
    const name = readText(reading, node, 'the group', at);
    return name === undefined ? undefined : { kind: 'named', name };
  }
  const members = readMembers(reading, node, groupFields, { what: 'the group', example: '' });
  if (members?.id === undefined) {
    if (node.members.length > 0) return undefined;
    return report(reading, node, 'missing-key', 'the group needs an id', {
      hint: 'write { id: 17 }, or the name of the group, or null for no group',
    });
  }
  const id = readId(reading, members.id.value, groupFields.id.noun, valueSpan(members.id));
  const groupId = id === undefined ? undefined : toGroupId(id);
  return groupId === undefined ? undefined : { kind: 'id', id: groupId };
}
