import type { ChangeFacts, ExpressionSubject } from '../../model/expression.ts';
import { readerOf, readMapEntry } from '../facts/read-fact.ts';
import { carryOutSimple, textReader, textTest } from './carry-out-simple.ts';
import type { SimplePredicate, TextFact } from './simple-predicate.ts';

/** Whether a condition is true or false for a host; undefined if that depends on an unknown fact. */
export type Certainty = (subject: ExpressionSubject, change?: ChangeFacts) => boolean | undefined;

/** The service always reports these facts of a host, and policies always know these facts of a change. */
const alwaysKnown: ReadonlySet<string> = new Set([
  'host.id',
  'host.group',
  'host.groupId',
  'host.online',
  'account.name',
  'change.kind',
  'change.from',
  'change.to',
]);

/** CEL's logic with a third value for unknown. */
export function certainty(predicate: SimplePredicate): Certainty {
  switch (predicate.kind) {
    case 'not': {
      const of = certainty(predicate.of);
      return (subject, change) => {
        const value = of(subject, change);
        return value === undefined ? undefined : !value;
      };
    }
    case 'and':
    case 'or': {
      const decides = predicate.kind === 'or';
      const left = certainty(predicate.left);
      const right = certainty(predicate.right);
      return (subject, change) => {
        const first = left(subject, change);
        if (first === decides) return decides;
        const second = right(subject, change);
        if (second === decides) return decides;
        return first === undefined || second === undefined ? undefined : !decides;
      };
    }
    case 'constant':
    case 'has':
      return carryOutSimple(predicate);
    case 'flag':
    case 'number': {
      const test = carryOutSimple(predicate);
      const isKnown = knowledgeOf(predicate);
      return (subject, change) => (isKnown(subject, change) ? test(subject, change) : undefined);
    }
    case 'is':
    case 'startsWith':
    case 'endsWith':
    case 'contains': {
      const test = textTest(predicate);
      const { path, key, isCell } = predicate.fact;
      if (key !== undefined && isCell === true)
        return (subject) => {
          const cell = subject.facts.tables?.cellOf(path, key, subject);
          return cell === undefined ? undefined : test(cell);
        };
      const read = textReader(predicate.fact);
      const isKnown = knowledgeOf(predicate.fact);
      return (subject, change) => (isKnown(subject, change) ? test(read(subject, change)) : undefined);
    }
  }
}

function knowledgeOf({ path, key }: TextFact): (subject: ExpressionSubject, change?: ChangeFacts) => boolean {
  if (alwaysKnown.has(path)) return () => true;
  if (key !== undefined) return (subject) => readMapEntry(path, key, subject) !== undefined;
  const read = readerOf(path);
  return (subject, change) => read(subject, change) !== undefined;
}
