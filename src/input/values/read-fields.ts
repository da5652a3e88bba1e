import { quoted } from '../../core/lib/quoted.ts';
import { toHostId } from '../../core/model/host-id.ts';
import type { Field, Fields, ValueField, ValuesOf } from '../schema/field.ts';
import type { Span } from '../sources/source-text.ts';
import type { Member, YamlNode } from '../sources/yaml-tree.ts';
import { readBoolean } from './read-boolean.ts';
import { readCount } from './read-count.ts';
import { readDuration } from './read-duration.ts';
import { readCondition, readKeyExpression, readTemplate } from './read-expression.ts';
import { readGroup } from './read-group.ts';
import { readHours } from './read-hours.ts';
import { readId } from './read-id.ts';
import { readLimit } from './read-limit.ts';
import { type Members, valueSpan } from './read-members.ts';
import { readText } from './read-text.ts';
import { readTimestamp } from './read-timestamp.ts';
import { readVersion } from './read-version.ts';
import { readWord } from './read-word.ts';
import { readWords } from './read-words.ts';
import { type Reading, report, warn } from './reading.ts';
import { kindOf } from './scalar-kind.ts';

/** Reads the members of a section that have one value. Members with keys below them have readers of their own. */
export function readFields<F extends Fields>(reading: Reading, members: Members<F>, fields: F): ValuesOf<F> {
  const values: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) {
    const member = members[key];
    const field = fields[key] as Field;
    if (member !== undefined && isValue(field)) values[key] = readField(reading, key, field, member);
  }
  return values as ValuesOf<F>;
}

/** Reports each required key that a section lacks. */
export function requireFields<F extends Fields>(
  reading: Reading,
  at: Span,
  members: Members<F>,
  fields: F,
  { what, example }: { readonly what: string; readonly example: string },
): void {
  for (const [key, { required, ifMissing }] of Object.entries<Field>(fields)) {
    if (required === undefined || members[key] !== undefined) continue;
    report(reading, at, 'missing-key', `${what} needs "${key}"`, { hint: ifMissing ?? example });
  }
}

function isValue(field: Field): field is ValueField {
  return !('fields' in field) && field.type !== 'tables';
}

function readField(reading: Reading, key: string, field: ValueField, member: Member): unknown {
  const { type, words = [], noun = `"${key}"`, scope = 'rule' } = field;
  const { value } = member;
  const at = valueSpan(member);
  switch (type) {
    case 'version':
      return readVersion(reading, value, at);
    case 'id':
      return readId(reading, value, noun, at);
    case 'text':
      return readText(reading, value, noun, at);
    case 'names':
      return readNames(reading, value, noun, at);
    case 'host':
      return readHost(reading, value, at);
    case 'group':
      return readGroup(reading, value, at);
    case 'boolean':
      return readBoolean(reading, value, noun, at);
    case 'time':
      return readTimestamp(reading, value, noun, at);
    case 'word':
      return readWord(reading, value, noun, words, at);
    case 'words':
      if (value.kind === 'sequence' && value.items.length === 0 && field.ifEmpty !== undefined) {
        const { message, hint } = field.ifEmpty;
        return report(reading, at, 'invalid-value', message, { hint });
      }
      return readWords(reading, value, key, words, at);
    case 'limit':
      return readLimit(reading, value, noun, at);
    case 'condition':
      return readCondition(reading, value, noun, at, scope);
    case 'template':
      return readTemplate(reading, value, noun, at);
    case 'expression':
      return readKeyExpression(reading, value, noun, at);
    case 'count':
      return readCount(reading, member, noun);
    case 'duration':
      return readDuration(reading, value, noun, at);
    case 'hours':
      return readHours(reading, value, at);
  }
}

/** A list of names, or one name. */
function readNames(reading: Reading, node: YamlNode, noun: string, at: Span): readonly string[] | undefined {
  if (node.kind !== 'sequence') {
    const name = readText(reading, node, noun, at);
    return name === undefined ? undefined : [name];
  }
  const names = new Set<string>();
  for (const item of node.items) {
    const name = readText(reading, item, noun);
    if (name === undefined) continue;
    if (names.has(name)) {
      const message = `${noun.replace(/^an? /, 'the ')} ${quoted(name)} appears twice`;
      warn(reading, item, 'invalid-value', message);
    }
    names.add(name);
  }
  return [...names];
}

/** A host by its id or by a name. */
function readHost(
  reading: Reading,
  node: YamlNode,
  at: Span,
): ValuesOf<{ host: { type: 'host'; meaning: '' } }>['host'] {
  if (kindOf(node) === 'integer') {
    const id = readId(reading, node, 'the id of the host', at);
    const hostId = id === undefined ? undefined : toHostId(id);
    return hostId === undefined ? undefined : { id: hostId };
  }
  const name = readText(reading, node, 'the host', at);
  return name === undefined ? undefined : { name };
}
