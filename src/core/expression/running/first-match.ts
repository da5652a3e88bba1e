import type { ChangeFacts, Condition, ExpressionFault, ExpressionSubject } from '../../model/expression.ts';
import {
  carryOutSimple,
  carryOutTest,
  type Predicate,
  type SimpleTest,
  textReader,
} from './carry-out-simple.ts';
import { certaintyOf } from './certainty.ts';
import { planOf } from './condition-plan.ts';
import { createFaultLimit } from './fault-limit.ts';
import { PrefixTree } from './prefix-tree.ts';
import type { SimplePredicate, TextFact } from './simple-predicate.ts';

export interface ConditionFault {
  /** The index of the condition that has no value for this host. */
  readonly index: number;
  readonly fault: ExpressionFault;
}

export interface Matches {
  /** The indexes of the conditions that hold, in order. */
  readonly matches: readonly number[];
  readonly faults: readonly ConditionFault[];
  /** The matches that hold only because an unknown fact reads as empty. */
  readonly guessed: readonly number[];
}

export type Matcher = (subject: ExpressionSubject, change?: ChangeFacts) => Matches;

const none: readonly never[] = [];
const nothing: Matches = { matches: none, faults: none, guessed: none };

/**
 * Evaluates many conditions for one host after another. Conditions on a text or a prefix are found through an index,
 * shared tests are evaluated once, and conditions whose simple parts do not hold are not evaluated. A condition that
 * fails for a few hosts is not evaluated for the rest, which get a fault as well.
 */
export function createMatcher(conditions: readonly Condition[]): Matcher {
  const share = shareTests(conditions);
  const asks = conditions.map((condition) => evaluatorOf(condition, share.testOf));
  const { always, lookups } = indexConditions(conditions);

  return (subject, change) => {
    const candidates = lookups.length === 0 ? always : collect(subject, change);
    if (candidates.length === 0) return nothing;
    share.begin();
    let matches: number[] | undefined;
    let faults: ConditionFault[] | undefined;
    let guessed: number[] | undefined;
    for (let place = 0; place < candidates.length; place += 1) {
      const index = candidates[place] as number;
      if (index === candidates[place - 1]) continue;
      const held = (asks[index] as Evaluator)(subject, change);
      if (held === true || held === 'guessed') {
        (matches ??= []).push(index);
        if (held === 'guessed') (guessed ??= []).push(index);
      } else if (held !== false) (faults ??= []).push({ index, fault: held });
    }
    return matches === undefined && faults === undefined
      ? nothing
      : { matches: matches ?? none, faults: faults ?? none, guessed: guessed ?? none };
  };

  function collect(subject: ExpressionSubject, change: ChangeFacts | undefined): readonly number[] {
    const found = always.slice();
    for (const lookup of lookups) lookup(subject, change, found);
    sortFew(found);
    return found;
  }
}

type Evaluator = (subject: ExpressionSubject, change?: ChangeFacts) => boolean | 'guessed' | ExpressionFault;

function evaluatorOf(condition: Condition, testOf: (test: SimpleTest) => Predicate): Evaluator {
  const { simple, conjuncts } = planOf(condition);
  const guards = conjuncts
    .toSorted((a, b) => costOf(a) - costOf(b))
    .map((conjunct) => carryOutSimple(conjunct, testOf));
  const certainly = simple === undefined ? undefined : certaintyOf(simple);
  const evaluate = condition.begin();
  const limit = createFaultLimit();
  return (subject, change) => {
    for (const guard of guards) if (!guard(subject, change)) return false;
    if (simple !== undefined) {
      return certainly === undefined || certainly(subject, change) === true ? true : 'guessed';
    }
    const held = limit.ask(() => evaluate(subject, change));
    if (!held.ok) return held.fault;
    return held.guessed === true ? 'guessed' : held.value;
  };
}

/** Cheap tests come first. Simple tests have no faults, so their order does not matter. */
function costOf({ kind }: SimplePredicate): number {
  return kind === 'constant' || kind === 'flag' || kind === 'number'
    ? 0
    : kind === 'is' || kind === 'startsWith'
      ? 1
      : 2;
}

type Collect = (subject: ExpressionSubject, change: ChangeFacts | undefined, into: number[]) => void;

interface ConditionIndex {
  /** Conditions that no index excludes. */
  readonly always: readonly number[];
  /** One lookup in each indexed fact. */
  readonly lookups: readonly Collect[];
}

function indexConditions(conditions: readonly Condition[]): ConditionIndex {
  const always: number[] = [];
  const tables = new Map<string, FactTable>();
  for (const [index, condition] of conditions.entries()) {
    const key = indexKey(planOf(condition).conjuncts);
    if (key === undefined) always.push(index);
    else tableOf(tables, key.fact).add(key, index);
  }
  return { always, lookups: [...tables.values()].map((table) => table.collect) };
}

type IndexKey =
  | Extract<SimplePredicate, { kind: 'is' }>
  | { readonly kind: 'startsWith'; readonly fact: TextFact; readonly text: string };

/** The index key of a condition: whole texts exclude more than prefixes do. */
function indexKey(conjuncts: readonly SimplePredicate[]): IndexKey | undefined {
  return (conjuncts.find((each) => each.kind === 'is') ??
    conjuncts.find((each) => each.kind === 'startsWith' && each.text !== '')) as IndexKey | undefined;
}

interface FactTable {
  add(key: IndexKey, index: number): void;
  readonly collect: Collect;
}

function tableOf(tables: Map<string, FactTable>, fact: TextFact): FactTable {
  const name = JSON.stringify([fact.path, fact.key]);
  const table = tables.get(name) ?? createTable(fact);
  tables.set(name, table);
  return table;
}

function createTable(fact: TextFact): FactTable {
  const read = textReader(fact);
  const whole = new Map<string, number[]>();
  const prefixes = new PrefixTree();
  return {
    add: (key, index) => {
      if (key.kind === 'startsWith') prefixes.add(key.text, index);
      else for (const value of new Set(key.values)) whole.set(value, [...(whole.get(value) ?? []), index]);
    },
    collect: (subject, change, into) => {
      const text = read(subject, change);
      const found = whole.get(text);
      if (found !== undefined) for (const index of found) into.push(index);
      prefixes.collect(text, into);
    },
  };
}

/** Sorts in place without a comparison function: a host has few candidates, mostly in order. */
function sortFew(numbers: number[]): void {
  for (let end = 1; end < numbers.length; end += 1) {
    const value = numbers[end] as number;
    let at = end;
    for (; at > 0 && (numbers[at - 1] as number) > value; at -= 1) numbers[at] = numbers[at - 1] as number;
    numbers[at] = value;
  }
}

/** A test that several conditions contain is evaluated once for each host. */
function shareTests(conditions: readonly Condition[]): {
  readonly begin: () => void;
  readonly testOf: (test: SimpleTest) => Predicate;
} {
  const counts = new Map<string, number>();
  for (const condition of conditions) {
    for (const test of planOf(condition).conjuncts.flatMap(testsOf)) {
      const name = JSON.stringify(test);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const shared = new Map<string, Predicate>();
  let round = 0;
  const remember = (predicate: Predicate): Predicate => {
    let asked = -1;
    let answer = false;
    return (subject, change) => {
      if (asked !== round) {
        answer = predicate(subject, change);
        asked = round;
      }
      return answer;
    };
  };
  return {
    begin: () => {
      round += 1;
    },
    testOf: (test) => {
      const name = JSON.stringify(test);
      if ((counts.get(name) ?? 0) < 2) return carryOutTest(test);
      const predicate = shared.get(name) ?? remember(carryOutTest(test));
      shared.set(name, predicate);
      return predicate;
    },
  };
}

function testsOf(predicate: SimplePredicate): readonly SimpleTest[] {
  switch (predicate.kind) {
    case 'not':
      return testsOf(predicate.of);
    case 'and':
    case 'or':
      return [...testsOf(predicate.left), ...testsOf(predicate.right)];
    case 'constant':
    case 'flag':
    case 'has':
    case 'is':
    case 'startsWith':
    case 'endsWith':
    case 'contains':
    case 'number':
      return [predicate];
  }
}
