import type { ChangeFacts, ExpressionSubject } from '../../model/expression.ts';
import { readerOf, readMapEntry } from '../facts/read-fact.ts';
import { carryOutNumber } from './number-test.ts';
import type { SimplePredicate, TextFact } from './simple-predicate.ts';

export type Predicate = (subject: ExpressionSubject, change?: ChangeFacts) => boolean;
export type TextReader = (subject: ExpressionSubject, change?: ChangeFacts) => string;

/** A predicate that is neither `and`, `or` nor `not`. */
export type SimpleTest = Exclude<SimplePredicate, { kind: 'and' | 'or' | 'not' }>;

/** Uses plain functions instead of the library; `testOf` lets a caller share the tests of many predicates. */
export function carryOutSimple(
  predicate: SimplePredicate,
  testOf: (test: SimpleTest) => Predicate = carryOutTest,
): Predicate {
  switch (predicate.kind) {
    case 'not': {
      const of = carryOutSimple(predicate.of, testOf);
      return (subject, change) => !of(subject, change);
    }
    case 'and': {
      const left = carryOutSimple(predicate.left, testOf);
      const right = carryOutSimple(predicate.right, testOf);
      return (subject, change) => left(subject, change) && right(subject, change);
    }
    case 'or': {
      const left = carryOutSimple(predicate.left, testOf);
      const right = carryOutSimple(predicate.right, testOf);
      return (subject, change) => left(subject, change) || right(subject, change);
    }
    case 'constant':
    case 'flag':
    case 'has':
    case 'is':
    case 'startsWith':
    case 'endsWith':
    case 'contains':
    case 'number':
      return testOf(predicate);
  }
}

export function carryOutTest(test: SimpleTest): Predicate {
  switch (test.kind) {
    case 'constant':
      return () => test.value;
    case 'flag': {
      const read = readerOf(test.path);
      return (subject, change) => read(subject, change) === true;
    }
    case 'has':
      return test.isCell === true
        ? (subject) => subject.facts.tables?.cellOf(test.path, test.key, subject) !== undefined
        : (subject) => readMapEntry(test.path, test.key, subject) !== undefined;
    case 'is':
    case 'startsWith':
    case 'endsWith':
    case 'contains': {
      const read = textReader(test.fact);
      const holds = textTest(test);
      return (subject, change) => holds(read(subject, change));
    }
    case 'number':
      return carryOutNumber(test);
  }
}

/** The test of a text, whichever fact it is. */
export function textTest(test: Extract<SimpleTest, { readonly fact: TextFact }>): (text: string) => boolean {
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
