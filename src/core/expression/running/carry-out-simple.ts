import type { ChangeFacts, ExpressionSubject } from '../../model/expression.ts';
import { readerOf, readMapEntry } from '../facts/read-fact.ts';
import { carryOutNumber } from './number-test.ts';
import type { SimplePredicate, TextFact } from './simple-predicate.ts';

type Predicate = (subject: ExpressionSubject, change?: ChangeFacts) => boolean;
type TextReader = (subject: ExpressionSubject, change?: ChangeFacts) => string;

/** Uses plain functions instead of the library. */
export function carryOutSimple(predicate: SimplePredicate): Predicate {
  switch (predicate.kind) {
    case 'not': {
      const of = carryOutSimple(predicate.of);
      return (subject, change) => !of(subject, change);
    }
    case 'and': {
      const left = carryOutSimple(predicate.left);
      const right = carryOutSimple(predicate.right);
      return (subject, change) => left(subject, change) && right(subject, change);
    }
    case 'or': {
      const left = carryOutSimple(predicate.left);
      const right = carryOutSimple(predicate.right);
      return (subject, change) => left(subject, change) || right(subject, change);
    }
    case 'constant':
      return () => predicate.value;
    case 'flag': {
      const read = readerOf(predicate.path);
      return (subject, change) => read(subject, change) === true;
    }
    case 'has':
      return predicate.isCell === true
        ? (subject) => subject.facts.tables?.cellOf(predicate.path, predicate.key, subject) !== undefined
        : (subject) => readMapEntry(predicate.path, predicate.key, subject) !== undefined;
    case 'is':
    case 'startsWith':
    case 'endsWith':
    case 'contains': {
      const read = textReader(predicate.fact);
      const holds = textTest(predicate);
      return (subject, change) => holds(read(subject, change));
    }
    case 'number':
      return carryOutNumber(predicate);
  }
}

/** The test of a text, whichever fact it is. */
export function textTest(
  test: Extract<SimplePredicate, { readonly fact: TextFact }>,
): (text: string) => boolean {
  switch (test.kind) {
    case 'is':
      return isOneOf(test.values);
    case 'startsWith':
      return (text) => text.startsWith(test.text);
    case 'endsWith':
      return (text) => text.endsWith(test.text);
    case 'contains':
      return (text) => text.includes(test.text);
  }
}

/** A missing fact reads as "". */
export function textReader({ path, key }: TextFact): TextReader {
  if (path === 'host.name') return (subject) => subject.name;
  if (path === 'host.group') return (subject) => subject.group;
  if (key !== undefined) return (subject) => readMapEntry(path, key, subject) ?? '';
  const read = readerOf(path);
  return (subject, change) => {
    const text = read(subject, change);
    return typeof text === 'string' ? text : '';
  };
}

function isOneOf(values: readonly string[]): (text: string) => boolean {
  const [only] = values;
  if (values.length === 1) return (text) => text === only;
  const set = new Set(values);
  return (text) => set.has(text);
}
