import {
  type Compiled,
  compileCondition,
  compileTemplate,
  compileText,
} from '../../core/expression/compile.ts';
import { memo } from '../../core/lib/memo.ts';
import { parseDuration } from '../../core/lib/parse-duration.ts';
import { quoted } from '../../core/lib/words.ts';
import type { ChangeWindow } from '../../core/model/change-window.ts';
import { toHostId } from '../../core/model/observed.ts';
import { parseChangeWindow } from '../../core/model/parse-change-window.ts';
import { type Limit, parseLimit } from '../../core/model/policy.ts';
import type { Field, Fields, ValueField, ValuesOf } from '../schema/field.ts';
import type { Member, Span, YamlNode } from '../sources/source-text.ts';
import { readCount } from './read-count.ts';
import { readId } from './read-id.ts';
import { readBoolean, readGroup, readText } from './read-text.ts';
import { readTimestamp } from './read-timestamp.ts';
import { readWord } from './read-word.ts';
import {
  describeKind,
  itemHead,
  kindOf,
  type MappingWords,
  type Members,
  type Reading,
  readMembers,
  report,
  valueSpan,
  warn,
} from './reading.ts';
import { spanInScalar } from './span-in-scalar.ts';

/** Reads the members of a section that have one value. Members with keys below them have readers of their own. */
export function readFields<F extends Fields>(reading: Reading, members: Members<F>, fields: F): ValuesOf<F> {
  const values: Record<string, unknown> = {};
  for (const { key, field } of valueFieldsOf(fields)) {
    const member = members[key];
    if (member !== undefined) values[key] = readField(reading, key, field, member);
  }
  return values as ValuesOf<F>;
}

const valueFieldsOf = memo((fields: Fields) =>
  Object.entries(fields).flatMap(([key, field]) => (isValue(field) ? [{ key, field }] : [])),
);

/**
 * Reads a mapping whose members have one value each, and reports each required key that it lacks. `head` represents it in
 * messages: its first key, or the key that it is the value of.
 */
export function readSection<F extends Fields>(
  reading: Reading,
  node: YamlNode,
  fields: F,
  words: MappingWords,
  head: Span = itemHead(node),
) {
  const members = readMembers(reading, node, fields, words);
  if (members === undefined) return undefined;
  const values = readFields(reading, members, fields);
  for (const [key, { required, ifMissing }] of Object.entries<Field>(fields)) {
    if (required === undefined || members[key] !== undefined) continue;
    report(reading, head, 'missing-key', `${words.what} needs "${key}"`, {
      hint: ifMissing ?? words.example,
    });
  }
  return { members, values, head, place: reading.source.placeOf(head) };
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
      return readCompiled(reading, value, noun, at, (text) => compileCondition(text, scope, reading.tables));
    case 'template':
      return readCompiled(reading, value, noun, at, (text) => compileTemplate(text, reading.tables));
    case 'expression':
      // It reads no tables, because it joins one to hosts.
      return readCompiled(reading, value, noun, at, (text) => compileText(text));
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

/** A duration such as `7d`, in milliseconds. */
function readDuration(reading: Reading, node: YamlNode, what: string, at: Span): number | undefined {
  const text = readText(reading, node, what, at);
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  return report(reading, at, 'invalid-value', `${what} must be a duration`, {
    hint: 'write a whole number and a unit, such as 12h or 7d',
  });
}

/** The version of the format, which is 1 without quotation marks. */
function readVersion(reading: Reading, node: YamlNode, at: Span): 1 | undefined {
  if (node.kind !== 'scalar' || node.text === '') {
    return report(reading, at, 'wrong-version', `the version must be 1, not ${describeKind(node)}`, {
      hint: 'write "version: 1"',
    });
  }
  if (node.text === '1' && node.plain) return 1;
  const newer = kindOf(node) === 'integer' && Number(node.text) > 1;
  const found = node.plain ? node.text.slice(0, 20) : 'text';
  return report(reading, node, 'wrong-version', `the version must be 1, not ${found}`, {
    hint: newer
      ? 'the file may be for a newer Rampart; this one reads version 1'
      : 'write "version: 1", without quotation marks',
  });
}

/** A list of words from a closed set. */
function readWords<W extends string>(
  reading: Reading,
  node: YamlNode,
  key: string,
  words: readonly W[],
  at: Span,
): readonly W[] | undefined {
  if (node.kind !== 'sequence') {
    return report(reading, at, 'wrong-type', `"${key}" must be a list, not ${describeKind(node)}`, {
      hint: `write, for example, "${key}: [${words.slice(0, 2).join(', ')}]"`,
    });
  }
  return node.items.flatMap((item) => readWord(reading, item, `an item of "${key}"`, words) ?? []);
}

/** A percentage, or a whole number of hosts. */
function readLimit(reading: Reading, node: YamlNode, what: string, at: Span): Limit | undefined {
  if (node.kind !== 'scalar' || node.text === '') {
    const message = `the limit ${what} must be a percentage or a number, not ${describeKind(node)}`;
    const hint = 'write 10% for a percentage of the fleet, or 10 for ten hosts';
    return report(reading, at, 'wrong-type', message, { hint });
  }
  const limit = parseLimit(node.text);
  if (limit?.kind === 'share' || (limit?.kind === 'count' && kindOf(node) === 'integer')) return limit;
  return report(reading, at, 'invalid-value', `the limit ${what} can't be ${quoted(node.text)}`, {
    hint: hintFor(node.text),
  });
}

function hintFor(text: string): string {
  if (/^\d[\d.]*\s+%$/.test(text)) return `write ${text.replace(/\s+/, '')}`;
  if (/^-?\d+(?:\.\d+)?%$/.test(text)) return 'a percentage must be from 0% to 100%';
  if (/^0?\.\d{1,6}$/.test(text)) return `did you mean ${Number((Number(text) * 100).toFixed(4))}%?`;
  return 'write a percentage of the fleet, such as 10%, or a whole number of hosts, without quotation marks';
}

/** One window, or a list of windows of which at least one must be open. */
function readHours(reading: Reading, node: YamlNode, at: Span): readonly ChangeWindow[] | undefined {
  const items = node.kind === 'sequence' ? node.items : [node];
  if (items.length === 0) {
    return report(reading, at, 'invalid-value', '"only" lists no hours, which would block every change', {
      hint: 'write, for example, only: "Mon-Fri 20:00-06:00 Europe/Berlin"; to stop all changes, use "freeze"',
    });
  }
  const windows = items.flatMap((item) => readWindow(reading, item, items.length === 1 ? at : item) ?? []);
  return windows.length === items.length ? windows : undefined;
}

function readWindow(reading: Reading, node: YamlNode, at: Span): ChangeWindow | undefined {
  const text = readText(reading, node, '"only"', at);
  if (text === undefined || node.kind !== 'scalar') return undefined;
  const parsed = parseChangeWindow(text);
  if (parsed.ok) return parsed.window;
  for (const { message, hint, ...part } of parsed.faults) {
    report(reading, spanInScalar(reading.source, node, part), 'invalid-value', message, { hint });
  }
  return undefined;
}

/** Reads a CEL expression, or a text with some in it. Faults are reported at their position inside the scalar. */
function readCompiled<T>(
  reading: Reading,
  node: YamlNode,
  what: string,
  at: Span,
  compile: (text: string) => Compiled<T>,
): T | undefined {
  const text = readText(reading, node, what, at);
  if (text === undefined || node.kind !== 'scalar') return undefined;
  const compiled = compile(text);
  if (compiled.ok) return compiled.value;
  for (const { message, hint, ...part } of compiled.faults) {
    const span = spanInScalar(reading.source, node, part);
    report(reading, span, 'invalid-expression', message, hint === undefined ? {} : { hint });
  }
  return undefined;
}
