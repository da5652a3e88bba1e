import { quoted } from '../../core/lib/quoted.ts';
import type { Entry, EntryAttribute } from '../../core/model/entry.ts';
import { type EntryValues, entryAttributes, fieldOf } from '../schema/entry-fields.ts';
import { entryKeys } from '../schema/file-keys.ts';
import type { Span } from '../sources/source-text.ts';
import type { MappingNode, Member, YamlNode } from '../sources/yaml-tree.ts';
import { readGroup } from '../values/read-group.ts';
import { readId } from '../values/read-id.ts';
import { type Members, readMembers, valueSpan } from '../values/read-members.ts';
import { readText } from '../values/read-text.ts';
import { readTimestamp } from '../values/read-timestamp.ts';
import { readWord } from '../values/read-word.ts';
import { readWords } from '../values/read-words.ts';
import { type Reading, report, warn } from '../values/reading.ts';
import { kindOf } from '../values/scalar-kind.ts';
import { checkAttributes, checkName } from './check-entry.ts';
import { composeEntry } from './compose-entry.ts';
import { headOf } from './entry-spans.ts';

/** An entry and its mapping. */
export interface PlacedEntry {
  readonly entry: Entry;
  readonly node: MappingNode;
}

/** One item under `hosts:`; undefined if it is too broken to compare with others. */
export function readEntry(reading: Reading, node: YamlNode, index: number): PlacedEntry | undefined {
  const members = readMembers(reading, node, entryKeys, { what: 'an entry', example: exampleFor(node) });
  if (members === undefined || node.kind !== 'mapping') return undefined;

  const values = readFields(reading, members);
  const { id, name, current, previously, ensure } = values;

  if (members.id === undefined && members.name === undefined) {
    report(reading, headOf(node), 'missing-key', 'an entry needs an id or a name', {
      hint: 'identify the host: "id: 1234", or "name: BER-WEB-01"',
    });
  }
  checkAttributes(reading, members, ensure ?? 'present');
  if (name !== undefined && members.name !== undefined) {
    if (ensure !== 'absent') checkName(reading, name, valueSpan(members.name));
    if (members.previously !== undefined && previously?.includes(name)) {
      const message = `${quoted(name)} is the current name, not a previous one`;
      warn(reading, valueSpan(members.previously), 'invalid-value', message, {
        hint: 'remove it from "previously"',
      });
    }
  }

  const identified = id !== undefined || (members.id === undefined && name !== undefined);
  if (!identified || (members.name !== undefined && name === undefined)) return undefined;
  if (members.ensure !== undefined && ensure === undefined) return undefined;
  if (members.current !== undefined && current === undefined) return undefined;
  return { entry: composeEntry(index, values), node };
}

function readFields(reading: Reading, members: Members<typeof entryKeys>): EntryValues {
  const values: Partial<Record<EntryAttribute, unknown>> = {};
  for (const key of entryAttributes) {
    const member = members[key];
    if (member !== undefined) values[key] = readField(reading, key, member);
  }
  return values as EntryValues;
}

function readField(reading: Reading, key: EntryAttribute, member: Member): unknown {
  const { type, words = [], called = `"${key}"` } = fieldOf(key);
  const { value } = member;
  const at = valueSpan(member);
  switch (type) {
    case 'id':
      return readId(reading, value, called, at);
    case 'text':
      return readText(reading, value, called, at);
    case 'names':
      return readNames(reading, value, called, at);
    case 'group':
      return readGroup(reading, value, at);
    case 'time':
      return readTimestamp(reading, value, called, at);
    case 'word':
      return readWord(reading, value, called, words, at);
    case 'words':
      return readWords(reading, value, key, words, at);
  }
}

/** A list of names, or one name. */
function readNames(
  reading: Reading,
  node: YamlNode,
  called: string,
  at: Span,
): readonly string[] | undefined {
  if (node.kind !== 'sequence') {
    const name = readText(reading, node, called, at);
    return name === undefined ? undefined : [name];
  }
  const names = new Set<string>();
  for (const item of node.items) {
    const name = readText(reading, item, called);
    if (name === undefined) continue;
    if (names.has(name)) {
      warn(
        reading,
        item,
        'invalid-value',
        `${called.replace(/^an? /, 'the ')} ${quoted(name)} appears twice`,
      );
    }
    names.add(name);
  }
  return [...names];
}

function exampleFor(node: YamlNode): string {
  return node.kind === 'scalar' && kindOf(node) === 'text'
    ? `write "name: ${node.text.length > 60 ? '…' : node.text}" after the "-"`
    : 'write, for example, "- name: BER-WEB-01"';
}
