import type { Evaluated } from '../model/expression.ts';
import type { AccountFacts } from '../model/facts.ts';
import { type Place, type Problem, problem } from '../problem/problem.ts';
import { isScalar, scalar } from './checker/cel-type.ts';
import { aOrAn } from './checker/check-fact.ts';
import { createTextEvaluator } from './running/engine.ts';
import { readExpression } from './syntax/read-expression.ts';
import { type Compiled, faulty, type SourceFault } from './syntax/source-fault.ts';

/** Whether an expression holds for an account. A label that it does not have reads as "". */
export type Selector = (account: Pick<AccountFacts, 'name' | 'labels'>) => Evaluated<boolean>;

/** The most expressions that are kept compiled for one set of labels. */
const mostKept = 1_000;
const keptFor = new WeakMap<ReadonlySet<string>, Map<string, Compiled<Selector>>>();

/** A CEL expression of type bool that reads only `name` and these labels. It is compiled once for each set of labels. */
export function compileSelector(source: string, labels: ReadonlySet<string>): Compiled<Selector> {
  let kept = keptFor.get(labels);
  if (kept === undefined || kept.size >= mostKept) {
    kept = new Map();
    keptFor.set(labels, kept);
  }
  const made = kept.get(source) ?? compile(source, [...labels, 'name']);
  kept.set(source, made);
  return made;
}

/** Whether an expression holds for an account; undefined if it can't be evaluated. */
export function selects(source: string, account: Required<AccountFacts>): boolean | undefined {
  const selector = compileSelector(source, account.configuredLabels);
  const holds = selector.ok ? selector.value(account) : undefined;
  return holds?.ok === true ? holds.value : undefined;
}

/** What is wrong with an expression. `subject` begins each message, such as the key that has it. */
export function selectorProblems(
  faults: readonly SourceFault[],
  labels: ReadonlySet<string>,
  subject: string,
  place?: Place,
): readonly Problem[] {
  return faults.map(({ message, hint, start }) =>
    problem('invalid-expression', `${subject}: ${message} (column ${start + 1})`, {
      ...(place === undefined ? {} : { place }),
      hint: hint ?? `the labels are ${[...labels].sort().join(', ') || 'none'}, and name`,
    }),
  );
}

function compile(source: string, names: readonly string[]): Compiled<Selector> {
  const texts = new Map(names.map((name) => [name, scalar('string')]));
  const read = readExpression(source, 'texts', { texts });
  if (!read.ok) return read;
  const { type, expr } = read.value;
  if (!isScalar(type, 'bool')) {
    const hint = isScalar(type, 'string') ? { hint: 'compare it with a value: == "…"' } : {};
    return faulty({
      message: `a selector must be a bool, and this is ${aOrAn(type)}`,
      start: 0,
      end: source.length,
      ...hint,
    });
  }
  const evaluate = createTextEvaluator(expr);
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  return {
    ok: true,
    value: ({ name, labels }) => {
      const result = evaluate({ ...empty, ...labels, name });
      return result.ok ? { ok: true, value: result.value === true } : result;
    },
  };
}
