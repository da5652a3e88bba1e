import {
  type CelFunc,
  type CelList,
  type CelMap,
  CelScalar,
  celFunc,
  celList,
  celMap,
  isCelMap,
  listType,
} from '@bufbuild/cel';
import { quoted } from '../../lib/words.ts';
import { columnPath } from '../../model/column-path.ts';
import { mostDigits, numberKey, readNumber } from '../../model/numbered-name.ts';
import { factCalls } from '../checker/check-fact.ts';
import { faultAbout, running, spendOnItems, UnknownFact } from '../running/running.ts';
import { shapeAt } from './declared-facts.ts';
import { type Fact, objectIsKnown, readerOf, readMapEntry } from './read-fact.ts';

const { BOOL, DYN, INT, STRING } = CelScalar;
const LIST = listType(DYN);

type Value = string | bigint | boolean | CelList | CelMap;

/** The functions with which checked expressions read facts of the host. */
export const factFunctions: readonly CelFunc[] = [
  celFunc(factCalls.fact, [STRING], DYN, (path) => {
    const { subject, change } = running();
    const fact = readerOf(path)(subject, change);
    return fact === undefined ? missing(path, () => emptyFact(path)) : toValue(fact);
  }),
  celFunc(factCalls.known, [STRING], BOOL, (path) => {
    const { subject, change } = running();
    return shapeAt(path)?.kind === 'object'
      ? objectIsKnown(path, subject)
      : isKnown(readerOf(path)(subject, change));
  }),
  celFunc(factCalls.column, [STRING, STRING], STRING, (table, column) => {
    const now = running();
    const cell = now.subject.facts.tables?.cellOf(table, column, now.subject);
    if (cell === undefined) return unknown(columnPath({ table, column }));
    now.readsCells = true;
    return cell;
  }),
  celFunc(factCalls.hasColumn, [STRING, STRING], BOOL, (table, column) => {
    const { subject } = running();
    return subject.facts.tables?.cellOf(table, column, subject) !== undefined;
  }),
  celFunc(factCalls.twins, [STRING, STRING], INT, (source, value) => {
    const others = running().subject.facts.twins?.othersWith(source, value);
    return others === undefined ? unknown(`twins(${source})`) : BigInt(others);
  }),
  celFunc(factCalls.next, [STRING, INT], STRING, (prefix, digits) => {
    const { subject } = running();
    const text = quoted(prefix);
    if (!/[^0-9]$/.test(prefix))
      throw faultAbout`next(${text}, ${digits}): the text must end with a character other than a digit`;
    if (digits < 1n || digits > BigInt(mostDigits))
      throw faultAbout`next(${text}, ${digits}): the number has 1 to ${mostDigits} digits`;
    const size = Number(digits);
    if (readNumber(subject.name)?.key === numberKey(prefix, size)) return subject.name;
    const name = subject.facts.numbers?.nameOf(prefix, size, subject);
    if (name === undefined) throw faultAbout`next(${text}, ${digits}): no number of ${digits} digits is left`;
    return name;
  }),
  celFunc(factCalls.time, [STRING], STRING, timeText),
  celFunc(factCalls.past, [STRING], STRING, (text) => (text === '' ? unknown('the time') : timeText(text))),
  celFunc(factCalls.span, [STRING], STRING, spanText),
  celFunc(factCalls.entry, [STRING, STRING, STRING], STRING, (path, key, label) => {
    return readMapEntry(path, key, running().subject) ?? missing(label, () => '');
  }),
  celFunc(factCalls.hasEntry, [STRING, STRING], BOOL, (path, key) => {
    return readMapEntry(path, key, running().subject) !== undefined;
  }),
  celFunc(factCalls.member, [DYN, STRING, STRING], STRING, (object, name, label) => {
    return memberOf(object, name) ?? missing(label, () => '');
  }),
  celFunc(factCalls.hasMember, [DYN, STRING, STRING], BOOL, (object, name) => {
    return memberOf(object, name) !== undefined;
  }),
  celFunc(factCalls.item, [LIST, INT, STRING], DYN, (list, at) => {
    const item = itemAt(list, at);
    if (item === undefined) throw faultAbout`the index ${at} is outside the list of ${list.size} items`;
    return item;
  }),
  celFunc(factCalls.textItem, [LIST, INT, STRING], DYN, (list, at, label) => {
    return itemAt(list, at) ?? missing(label, () => '');
  }),
  celFunc(factCalls.objectItem, [LIST, INT, STRING], DYN, (list, at, label) => {
    return itemAt(list, at) ?? missing(label, () => celMap(new Map()));
  }),
];

/** Unlike other facts, a cell of a table and a time never read as empty, so that nothing is decided by a guess. */
function unknown(label: string): never {
  throw new UnknownFact(`${label} is unknown for this host`);
}

/** The days of 24 hours and the weeks in a duration as hours, which the language reads. */
function spanText(text: string): string {
  const [, count = '', unit] = /^(\d{1,9})([dw])$/.exec(text) ?? [];
  return unit === undefined ? text : `${Number(count) * (unit === 'w' ? 168 : 24)}h`;
}

function missing<T>(label: string, empty: () => T): T {
  const now = running();
  if (label === 'now') return unknown(label);
  if (now.missing === 'is-fault') throw new UnknownFact(`${label} is unknown for this ${subjectOf(label)}`);
  now.readEmpty = true;
  return empty();
}

function subjectOf(label: string): string {
  return label.startsWith('account.') ? 'account' : 'host';
}

/** A host without a group has `group` "": the fact is known, but `has()` is false. */
function isKnown(fact: Fact | undefined): boolean {
  return fact !== undefined && fact !== '';
}

function emptyFact(path: string): Value {
  const shape = shapeAt(path);
  if (shape?.kind === 'map') return celMap(new Map());
  if (shape?.kind !== 'value') return celList([]);
  return shape.type === 'string' ? '' : shape.type === 'bool' ? false : 0n;
}

function toValue(fact: Fact): Value {
  if (typeof fact !== 'object') return fact;
  if (fact instanceof Map) {
    spendOnItems(fact.size);
    return celMap(fact);
  }
  spendOnItems((fact as readonly unknown[]).length);
  return celList((fact as readonly (string | ReadonlyMap<string, string>)[]).map(toItem));
}

function toItem(item: string | ReadonlyMap<string, string>): string | CelMap {
  return typeof item === 'string' ? item : celMap(new Map(item));
}

function memberOf(object: unknown, name: string): string | undefined {
  if (!isCelMap(object)) return undefined;
  const member = object.get(name);
  return typeof member === 'string' ? member : undefined;
}

function itemAt(list: CelList, at: bigint) {
  return at < 0n || at >= BigInt(list.size) ? undefined : list.get(Number(at));
}

const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * A date, or a date and a time, in RFC 3339; a text without a time zone is UTC. Any other text is returned as it is, so
 * that the conversion reports it.
 */
function timeText(text: string): string {
  const [, date, time = '00:00:00', zone = 'Z'] = form.exec(text) ?? [];
  return date === undefined ? text : `${date}T${time.length === 5 ? `${time}:00` : time}${zone}`;
}
