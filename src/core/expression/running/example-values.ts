import type { Condition } from '../../model/expression.ts';
import { planOf } from './condition-plan.ts';
import type { NumberTest } from './number-test.ts';
import type { SimplePredicate, TextFact } from './simple-predicate.ts';

/** A fact of a host that conditions test, and a value of it. An empty text is an unknown fact. */
export type ExampleValue = string | boolean | undefined;

/** For each fact, values so that any other value has the same result in each test as one of these. */
export type ExampleValues = ReadonlyMap<string, readonly ExampleValue[]>;

/** Facts that do not depend on one another, so that every combination of their values is a possible host. */
const flags: ReadonlySet<string> = new Set(['host.online', 'host.antivirus.installed']);
const texts: ReadonlySet<string> = new Set(['host.name', 'host.group', 'host.customFields']);

/**
 * Values for all facts that these conditions test. Every combination of truth values that their tests can have on a
 * host is also that of some combination of these values. Undefined if a condition tests anything other than whole
 * texts, their beginnings, single flags and the id.
 */
export function exampleValues(conditions: readonly Condition[]): ExampleValues | undefined {
  const found = new Map<string, Set<ExampleValue>>();
  const prefixes = new Map<string, Set<string>>();
  const valuesOf = (fact: string) => {
    const values = found.get(fact) ?? new Set<ExampleValue>();
    found.set(fact, values);
    return values;
  };
  const tests = conditions.map((condition) => testsOf(planOf(condition).simple));
  if (tests.some((each) => each === undefined)) return undefined;
  for (const test of tests.flatMap((each) => each ?? [])) {
    switch (test.kind) {
      case 'flag':
        for (const value of test.path === 'host.online' ? [true, false] : [true, false, undefined])
          valuesOf(test.path).add(value);
        break;
      case 'number':
        for (const near of [-1, 0, 1]) valuesOf(test.path).add(String(test.value + near));
        break;
      case 'has':
        valuesOf(nameOf(test));
        prefixes.set(nameOf(test), prefixes.get(nameOf(test)) ?? new Set());
        break;
      case 'is':
      case 'startsWith': {
        const fact = nameOf(test.fact);
        const begins = prefixes.get(fact) ?? new Set();
        prefixes.set(fact, begins);
        for (const text of test.kind === 'is' ? test.values : [test.text]) valuesOf(fact).add(text);
        if (test.kind === 'startsWith') begins.add(test.text);
      }
    }
  }
  for (const [fact, begins] of prefixes) {
    const values = valuesOf(fact);
    const fresh = freshCharacter([...values, ...begins]);
    for (const text of ['', ...begins]) values.add(text + fresh);
    values.add('');
  }
  return new Map([...found].map(([fact, values]) => [fact, [...values]]));
}

/** The name of a fact in `ExampleValues`: its path, and its key after a line break. */
function nameOf({ path, key }: TextFact): string {
  return key === undefined ? path : `${path}\n${key}`;
}

/** With this character after it, a text begins with no other text than those that it begins with now. */
function freshCharacter(values: readonly ExampleValue[]): string {
  const used = new Set(values.flatMap((value) => (typeof value === 'string' ? Array.from(value) : [])));
  return Array.from('1234567890abcdefghijklmnopqrstuvwxyz☃').find((each) => !used.has(each)) ?? '\u{1F600}';
}

type PlainTest =
  | Extract<SimplePredicate, { kind: 'flag' | 'has' | 'is' }>
  | { readonly kind: 'startsWith'; readonly fact: TextFact; readonly text: string }
  | NumberTest;

/** The tests of a condition; undefined if any is of another kind. */
function testsOf(predicate: SimplePredicate | undefined): readonly PlainTest[] | undefined {
  switch (predicate?.kind) {
    case undefined:
    case 'endsWith':
    case 'contains':
      return undefined;
    case 'constant':
      return [];
    case 'not':
      return testsOf(predicate.of);
    case 'and':
    case 'or': {
      const [left, right] = [testsOf(predicate.left), testsOf(predicate.right)];
      return left === undefined || right === undefined ? undefined : [...left, ...right];
    }
    case 'flag':
      return flags.has(predicate.path) ? [predicate] : undefined;
    case 'has':
      return texts.has(predicate.path) ? [predicate] : undefined;
    case 'is':
      return texts.has(predicate.fact.path) ? [predicate] : undefined;
    case 'startsWith': {
      const { fact, text } = predicate;
      return texts.has(fact.path) ? [{ kind: 'startsWith', fact, text }] : undefined;
    }
    case 'number': {
      const isPlain =
        predicate.path === 'host.id' &&
        predicate.modulus === undefined &&
        Number.isSafeInteger(predicate.value + 1);
      return isPlain ? [predicate] : undefined;
    }
  }
}
