import {
  type CelError,
  type CelList,
  CelScalar,
  type CelType,
  type CelValue,
  celEnv,
  celFunc,
  celMethod,
  isCelError,
  listType,
  mapType,
  objectType,
  plan,
} from '@bufbuild/cel';
import type { ChangeFacts, Evaluated, ExpressionSubject } from '../../model/expression.ts';
import type { CelType as Type } from '../checker/cel-type.ts';
import { factFunctions } from '../facts/fact-functions.ts';
import { functionForms } from '../functions/functions.ts';
import { loopFunctions } from '../functions/loop-functions.ts';
import type { Expr } from '../syntax/syntax-tree.ts';
import {
  allot,
  boundedLength,
  boundedList,
  type ExpressionBudget,
  openBudget,
  type Running,
  settle,
  tooManySteps,
  UnknownFact,
  whileRunning,
} from './running.ts';

const { STRING, DYN } = CelScalar;
const anyList = listType(DYN);

/** The library, with its unbounded functions replaced by our own. */
const environment = celEnv({
  funcs: [
    ...functionForms.flatMap(({ name, receiver, params, result, run }) => {
      if (run === undefined) return [];
      const types = params.map(libraryType);
      const body = run as (...args: readonly unknown[]) => never;
      return receiver === undefined
        ? celFunc(name, types, libraryType(result), (...args) => body(...args))
        : celMethod(name, libraryType(receiver), types, libraryType(result), function (...args) {
            return body(this, ...args);
          });
    }),
    ...factFunctions,
    ...loopFunctions,
    celFunc('_+_', [STRING, STRING], STRING, (a, b) => {
      boundedLength(a.length + b.length);
      return a + b;
    }),
    celFunc(
      '_+_',
      [anyList, anyList],
      anyList,
      (a: CelList, b: CelList) => boundedList([...a, ...b]) as never,
    ),
  ],
});

export type Missing = Running['missing'];

/** A checked expression, ready for evaluation for one host after another. */
export interface Evaluator {
  (subject: ExpressionSubject, change: ChangeFacts | undefined, how: EvaluationOptions): EvaluatedValue;
}

export interface EvaluationOptions {
  readonly missing: Missing;
  /** Shared by all hosts of a run; if absent, the evaluator has its own. */
  readonly budget?: ExpressionBudget;
}

/** A value, and whether the evaluation read an unknown fact as empty. */
export type EvaluatedValue =
  | { readonly ok: true; readonly value: CelValue; readonly readEmpty: boolean }
  | Extract<Evaluated<never>, { ok: false }>;

const overrun = { ok: false, fault: { message: tooManySteps } } as const;

export function createEvaluator(expr: Expr): Evaluator {
  const evaluate = plan(environment, expr);
  return (subject, change, { missing, budget = openBudget() }) => {
    const left = allot(budget);
    if (left === 0) return overrun;
    const running: Running = {
      subject,
      missing,
      left,
      readEmpty: false,
      change,
    };
    const result = whileRunning(running, evaluate);
    settle(budget, left, running.left);
    if (!isCelError(result)) return { ok: true, value: result, readEmpty: running.readEmpty };
    const message = faultWords(result, running);
    return isUnknown(result, running)
      ? { ok: false, fault: { message, isUnknownFact: true } }
      : { ok: false, fault: { message } };
  };
}

/** Is the fault, or each of several that an operator joined, an unknown fact? */
function isUnknown({ cause, message }: CelError, running: Running): boolean {
  if (!(running.faults?.get(message) instanceof UnknownFact)) return false;
  return !Array.isArray(cause) || (cause as readonly CelError[]).every((each) => isUnknown(each, running));
}

/** An expression over texts reads no fact of a host. */
const noHost = {} as ExpressionSubject;

/** A checked expression that reads only named texts, ready for evaluation with one set of texts after another. */
export function createTextEvaluator(
  expr: Expr,
): (texts: Readonly<Record<string, string>>) => Evaluated<CelValue> {
  const evaluate = plan(environment, expr);
  const budget = openBudget();
  return (texts) => {
    const left = allot(budget);
    if (left === 0) return overrun;
    const running: Running = { subject: noHost, missing: 'is-fault', left, readEmpty: false };
    const result = whileRunning(running, () => evaluate({ ...texts }));
    settle(budget, left, running.left);
    if (!isCelError(result)) return { ok: true, value: result };
    return { ok: false, fault: { message: faultWords(result, running) } };
  };
}

function libraryType(type: Type): CelType {
  switch (type.kind) {
    case 'scalar':
      if (type.name === 'timestamp' || type.name === 'duration') {
        return objectType(
          type.name === 'timestamp' ? 'google.protobuf.Timestamp' : 'google.protobuf.Duration',
        );
      }
      return CelScalar[type.name.toUpperCase() as 'BOOL' | 'INT' | 'DOUBLE' | 'STRING'];
    case 'list':
      return anyList;
    case 'map':
      return mapType(DYN, DYN);
    case 'object':
    case 'any':
    case 'unknown':
      return DYN;
  }
}

/** The library's messages and our own words for them. */
const words: readonly (readonly [RegExp, string])[] = [
  [/divide by zero/, 'division by zero'],
  [/modulus by zero/, 'remainder of a division by zero'],
  [/overflow|out of range/, 'a number does not fit in 64 bits'],
  [/^field not found: (.*)$/s, 'the map has no key "$1"'],
  [/^map key conflict: (.*)$/s, 'a map has the key "$1" twice'],
  [/convert string '(.*)' to bool/s, 'bool("$1"): the string is neither true nor false'],
  [/parse timestamp/, 'timestamp(…): the string is not a time such as "2026-01-31T00:00:00Z"'],
  [/duration/i, 'duration(…): the string is not a duration such as "36h"'],
  [/call stack/, 'the value is nested too deeply'],
];

function faultWords({ message }: CelError, { faults, readsCells = false }: Running): string {
  const fault = faults?.get(message);
  if (fault !== undefined) return readsCells ? fault.withoutValues : message;
  for (const [pattern, plain] of words) {
    const found = pattern.exec(message);
    if (found !== null) return plain.replace('$1', () => (readsCells ? '…' : (found[1] ?? '')));
  }
  return readsCells ? 'the expression has no value' : message;
}
