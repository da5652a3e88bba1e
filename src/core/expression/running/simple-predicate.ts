import { factCalls } from '../checker/check-fact.ts';
import { shapeAt } from '../facts/declared-facts.ts';
import { constantText, type Expr, type ExprOf } from '../syntax/syntax-tree.ts';
import { type NumberTest, numberTest } from './number-test.ts';

/** A text fact of a host: the fact at a path, an entry of the map there, or a cell of the table with this name. */
export interface TextFact {
  readonly path: string;
  readonly key?: string;
  readonly isCell?: true;
}

/** A condition that is evaluated without the library and never has a fault. */
export type SimplePredicate =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'flag'; readonly path: string }
  | { readonly kind: 'has'; readonly path: string; readonly key: string; readonly isCell?: true }
  | { readonly kind: 'is'; readonly fact: TextFact; readonly values: readonly string[] }
  | { readonly kind: TextTest; readonly fact: TextFact; readonly text: string }
  | NumberTest
  | { readonly kind: 'not'; readonly of: SimplePredicate }
  | { readonly kind: 'and' | 'or'; readonly left: SimplePredicate; readonly right: SimplePredicate };

const textTests = ['startsWith', 'endsWith', 'contains'] as const;
export type TextTest = (typeof textTests)[number];

/** The plan of a checked condition; undefined if it needs the library, as an unknown cell does. */
export function simplePredicate(expr: Expr): SimplePredicate | undefined {
  const predicate = predicateOf(expr);
  return predicate === undefined || readsCells(predicate) ? undefined : predicate;
}

function readsCells(predicate: SimplePredicate): boolean {
  switch (predicate.kind) {
    case 'not':
      return readsCells(predicate.of);
    case 'and':
    case 'or':
      return readsCells(predicate.left) || readsCells(predicate.right);
    case 'has':
      return predicate.isCell === true;
    case 'is':
    case 'startsWith':
    case 'endsWith':
    case 'contains':
      return predicate.fact.isCell === true;
    case 'constant':
    case 'flag':
    case 'number':
      return false;
  }
}

/** The same for a condition that may read cells. It has no value for a host without such a cell. */
export function predicateOf(expr: Expr): SimplePredicate | undefined {
  const { exprKind } = expr;
  if (exprKind.case === 'constExpr') {
    const { constantKind } = exprKind.value;
    return constantKind.case === 'boolValue' ? { kind: 'constant', value: constantKind.value } : undefined;
  }
  return exprKind.case === 'callExpr' ? simpleCall(exprKind.value) : undefined;
}

/** The simple parts that must all hold. They are tested first. */
export function simpleConjuncts(expr: Expr): readonly SimplePredicate[] {
  const { exprKind } = expr;
  if (exprKind.case === 'callExpr' && exprKind.value.function === '_&&_') {
    return exprKind.value.args.flatMap(simpleConjuncts);
  }
  const simple = simplePredicate(expr);
  return simple === undefined ? [] : [simple];
}

function simpleCall(call: ExprOf<'callExpr'>): SimplePredicate | undefined {
  const [left, right] = call.args;
  switch (call.function) {
    case '!_':
      return negated(left && predicateOf(left));
    case '_&&_':
      return both('and', left, right);
    case '_||_':
      return both('or', left, right);
    case '_==_':
      return equality(left, right);
    case '_!=_':
      return negated(equality(left, right));
    case '_<_':
    case '_<=_':
    case '_>_':
    case '_>=_':
      return numberTest(call.function, left, right);
    case '@in':
      return membership(left, right);
    case factCalls.hasEntry: {
      const [path, key] = [constantOf(left), constantOf(right)];
      return path === undefined || key === undefined ? undefined : { kind: 'has', path, key };
    }
    case factCalls.hasColumn: {
      const [path, key] = [constantOf(left), constantOf(right)];
      return path === undefined || key === undefined ? undefined : { kind: 'has', path, key, isCell: true };
    }
    case factCalls.fact: {
      const path = constantOf(left);
      return path !== undefined && isValue(path, 'bool') ? { kind: 'flag', path } : undefined;
    }
    default: {
      const kind = textTests.find((each) => each === call.function);
      const [fact, text] = [call.target && textFact(call.target), constantOf(left)];
      return kind && fact && text !== undefined ? { kind, fact, text } : undefined;
    }
  }
}

function both(
  kind: 'and' | 'or',
  left: Expr | undefined,
  right: Expr | undefined,
): SimplePredicate | undefined {
  const [a, b] = [left && predicateOf(left), right && predicateOf(right)];
  return a && b && { kind, left: a, right: b };
}

function negated(of: SimplePredicate | undefined): SimplePredicate | undefined {
  return of && { kind: 'not', of };
}

/** Compares a fact with a constant, on either side, or two simple conditions, such as `host.online == true`. */
function equality(left: Expr | undefined, right: Expr | undefined): SimplePredicate | undefined {
  for (const [fact, text] of [
    [left && textFact(left), constantOf(right)],
    [right && textFact(right), constantOf(left)],
  ] as const) {
    if (fact !== undefined && text !== undefined) return { kind: 'is', fact, values: [text] };
  }
  const number = numberTest('_==_', left, right);
  if (number !== undefined) return number;
  const [a, b] = [left && predicateOf(left), right && predicateOf(right)];
  if (a?.kind === 'constant' && b) return a.value ? b : negated(b);
  return b?.kind === 'constant' && a ? (b.value ? a : negated(a)) : undefined;
}

function membership(left: Expr | undefined, right: Expr | undefined): SimplePredicate | undefined {
  const fact = left && textFact(left);
  if (fact === undefined || right?.exprKind.case !== 'listExpr') return undefined;
  const values = right.exprKind.value.elements.map(constantText);
  return values.every((value) => value !== undefined) ? { kind: 'is', fact, values } : undefined;
}

function textFact({ exprKind }: Expr): TextFact | undefined {
  if (exprKind.case !== 'callExpr') return undefined;
  const [path, key] = exprKind.value.args.map(constantText);
  if (path === undefined) return undefined;
  if (exprKind.value.function === factCalls.fact) return isValue(path, 'string') ? { path } : undefined;
  if (key === undefined) return undefined;
  if (exprKind.value.function === factCalls.column) return { path, key, isCell: true };
  return exprKind.value.function === factCalls.entry ? { path, key } : undefined;
}

function isValue(path: string, type: 'string' | 'bool'): boolean {
  const shape = shapeAt(path);
  return shape?.kind === 'value' && shape.type === type;
}

function constantOf(expr: Expr | undefined): string | undefined {
  return expr && constantText(expr);
}
