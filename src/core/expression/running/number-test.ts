import type { ChangeFacts, ExpressionSubject } from '../../model/expression.ts';
import { factCalls } from '../checker/check-fact.ts';
import { shapeAt } from '../facts/declared-facts.ts';
import { readerOf } from '../facts/read-fact.ts';
import { constantText, type Expr } from '../syntax/syntax-tree.ts';

/** Compares a whole-number fact, or its remainder, with a number that JavaScript represents exactly. */
export interface NumberTest {
  readonly kind: 'number';
  readonly path: string;
  /** Positive; absent if the fact itself is compared. */
  readonly modulus?: number;
  readonly sign: Sign;
  readonly value: number;
}

type Sign = '==' | '<' | '<=' | '>' | '>=';
/** Each operator, and the one that has the same result with its operands exchanged. */
const signs: ReadonlyMap<string, readonly [Sign, Sign]> = new Map([
  ['_==_', ['==', '==']],
  ['_<_', ['<', '>']],
  ['_<=_', ['<=', '>=']],
  ['_>_', ['>', '<']],
  ['_>=_', ['>=', '<=']],
]);

/** A comparison of a fact with a constant, on either side; undefined for all others. */
export function numberTest(
  operator: string,
  left: Expr | undefined,
  right: Expr | undefined,
): NumberTest | undefined {
  const [sign, exchanged] = signs.get(operator) ?? [];
  if (sign === undefined || exchanged === undefined || left === undefined || right === undefined) {
    return undefined;
  }
  return testOn(left, sign, constantNumber(right)) ?? testOn(right, exchanged, constantNumber(left));
}

function testOn(operand: Expr, sign: Sign, value: number | undefined): NumberTest | undefined {
  if (value === undefined) return undefined;
  const path = numberPath(operand);
  if (path !== undefined) return { kind: 'number', path, sign, value };
  const { exprKind } = operand;
  if (exprKind.case !== 'callExpr' || exprKind.value.function !== '_%_') return undefined;
  const [dividend, divisor] = exprKind.value.args;
  const of = dividend && numberPath(dividend);
  const modulus = divisor && constantNumber(divisor);
  // A remainder of a division by zero is a fault, which the library reports.
  return of === undefined || modulus === undefined || modulus <= 0
    ? undefined
    : { kind: 'number', path: of, modulus, sign, value };
}

function numberPath({ exprKind }: Expr): string | undefined {
  if (exprKind.case !== 'callExpr' || exprKind.value.function !== factCalls.fact) return undefined;
  const path = exprKind.value.args[0] && constantText(exprKind.value.args[0]);
  const shape = path === undefined ? undefined : shapeAt(path);
  return shape?.kind === 'value' && shape.type === 'int' ? path : undefined;
}

function constantNumber({ exprKind }: Expr): number | undefined {
  if (exprKind.case !== 'constExpr' || exprKind.value.constantKind.case !== 'int64Value') return undefined;
  const value = Number(exprKind.value.constantKind.value);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** A missing fact reads as 0. */
export function carryOutNumber(
  test: NumberTest,
): (subject: ExpressionSubject, change?: ChangeFacts) => boolean {
  const { path, modulus } = test;
  const read = numberReader(path);
  const holds = comparison(test);
  if (modulus === undefined) return (subject, change) => holds(read(subject, change));
  const wide = BigInt(modulus);
  return (subject, change) => {
    const number = read(subject, change);
    return holds(typeof number === 'number' ? number % modulus : number % wide);
  };
}

type WholeNumber = number | bigint;

/** Numbers with this many digits are always exact. */
const safeDigits = 15;

function numberReader(path: string): (subject: ExpressionSubject, change?: ChangeFacts) => WholeNumber {
  if (path === 'host.id') return ({ id }) => (id.length > safeDigits ? BigInt(id) : Number(id));
  const read = readerOf(path);
  return (subject, change) => (read(subject, change) as bigint | undefined) ?? 0;
}

/** JavaScript compares the order of a number and a BigInt exactly. */
function comparison({ sign, value }: NumberTest): (number: WholeNumber) => boolean {
  switch (sign) {
    case '==': {
      const wide = BigInt(value);
      return (number) => number === value || number === wide;
    }
    case '<':
      return (number) => number < value;
    case '<=':
      return (number) => number <= value;
    case '>':
      return (number) => number > value;
    case '>=':
      return (number) => number >= value;
  }
}
