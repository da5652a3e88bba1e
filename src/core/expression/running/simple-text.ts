import type { ChangeFacts, ExpressionSubject } from '../../model/expression.ts';
import { isScalar } from '../checker/cel-type.ts';
import { factCalls } from '../checker/check-fact.ts';
import { shapeAt } from '../facts/declared-facts.ts';
import { readerOf, readMapEntry } from '../facts/read-fact.ts';
import { type FunctionForm, formsOf } from '../functions/functions.ts';
import { constantText, type Expr, type ExprOf } from '../syntax/syntax-tree.ts';
import {
  allot,
  boundedLength,
  type ExpressionBudget,
  type Running,
  settle,
  whileRunning,
} from './running.ts';

/** Undefined or a thrown fault if the expression has no value. */
export type SimpleText = (subject: ExpressionSubject, change?: ChangeFacts) => string | undefined;

/** One part of such an expression. The only functions in it take nothing but texts and whole numbers. */
interface Part {
  readonly type: 'string' | 'int';
  readonly read: (subject: ExpressionSubject, change?: ChangeFacts) => string | bigint | undefined;
}

/**
 * The plan of a text made of facts, constants and text functions, which is evaluated without the library in a fifth of
 * the time. Undefined for all others.
 */
export function simpleText(expr: Expr): SimpleText | undefined {
  const part = partOf(expr);
  return part?.type === 'string' ? (part.read as SimpleText) : undefined;
}

/** The plan of a text that is a fact alone: reading it takes no work worth counting. Undefined for all others. */
export function factAlone({ exprKind }: Expr): SimpleText | undefined {
  const part = exprKind.case === 'callExpr' ? factOf(exprKind.value) : undefined;
  return part?.read as SimpleText | undefined;
}

/**
 * Undefined if the text has no value or takes too much work. The library then has the same result, and explains it.
 */
export function carryOutText(
  text: SimpleText,
  subject: ExpressionSubject,
  budget: ExpressionBudget,
): string | undefined {
  const left = allot(budget);
  const running: Running = { subject, missing: 'is-fault', readEmpty: false, left };
  try {
    return whileRunning(running, () => text(subject));
  } catch {
    return undefined;
  } finally {
    settle(budget, left, running.left);
  }
}

function partOf(expr: Expr): Part | undefined {
  const { exprKind } = expr;
  if (exprKind.case === 'constExpr') {
    const { constantKind } = exprKind.value;
    if (constantKind.case === 'stringValue') return { type: 'string', read: () => constantKind.value };
    return constantKind.case === 'int64Value' ? { type: 'int', read: () => constantKind.value } : undefined;
  }
  return exprKind.case === 'callExpr' ? partOfCall(exprKind.value) : undefined;
}

function partOfCall(call: ExprOf<'callExpr'>): Part | undefined {
  const fact = factOf(call);
  if (fact !== undefined) return fact;
  const operands = [...(call.target === undefined ? [] : [call.target]), ...call.args].map(partOf);
  const parts = operands.filter((part) => part !== undefined);
  if (parts.length < operands.length || parts.length === 0) return undefined;
  if (call.function === '_+_') return sumOf(parts);
  const form = formsOf(call.function).find((each) => fits(each, call.target !== undefined, parts));
  return form === undefined ? undefined : applied(form, parts);
}

function factOf({ function: name, args }: ExprOf<'callExpr'>): Part | undefined {
  const [path, key] = args.map(constantText);
  if (path === undefined) return undefined;
  if (name === factCalls.entry && key !== undefined)
    return { type: 'string', read: (subject) => readMapEntry(path, key, subject) };
  if (name === factCalls.column && key !== undefined)
    return { type: 'string', read: (subject) => subject.facts.tables?.cellOf(path, key, subject) };
  const shape = name === factCalls.fact ? shapeAt(path) : undefined;
  if (shape?.kind !== 'value' || shape.type !== 'string') return undefined;
  return { type: 'string', read: readerOf(path) as SimpleText };
}

function fits({ receiver, params, result, run }: FunctionForm, isMethod: boolean, parts: readonly Part[]) {
  const types = receiver === undefined ? params : [receiver, ...params];
  return (
    run !== undefined &&
    isMethod === (receiver !== undefined) &&
    types.length === parts.length &&
    types.every((type, index) => isScalar(type, (parts[index] as Part).type)) &&
    (isScalar(result, 'string') || isScalar(result, 'int'))
  );
}

function applied({ run, result }: FunctionForm, parts: readonly Part[]): Part {
  const body = run as (...args: readonly (string | bigint)[]) => string | bigint;
  return {
    type: isScalar(result, 'string') ? 'string' : 'int',
    read(subject, change) {
      const args: (string | bigint)[] = [];
      for (const part of parts) {
        const value = part.read(subject, change);
        if (value === undefined) return undefined;
        args.push(value);
      }
      return body(...args);
    },
  };
}

function sumOf(parts: readonly Part[]): Part | undefined {
  if (parts.some(({ type }) => type !== 'string')) return undefined;
  return {
    type: 'string',
    read(subject, change) {
      let text = '';
      for (const part of parts) {
        const value = part.read(subject, change) as string | undefined;
        if (value === undefined) return undefined;
        boundedLength(text.length + value.length);
        text += value;
      }
      return text;
    },
  };
}
