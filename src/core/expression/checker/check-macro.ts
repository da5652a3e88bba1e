import { callNode, type Expr, type ExprOf, exprLike } from '../syntax/syntax-tree.ts';
import { type CelType, isScalar, listOf, scalar, unknownType } from './cel-type.ts';
import { aOrAn } from './check-fact.ts';
import { type Checked, type Checking, fault, type Variables } from './checking.ts';
import { macroCalls } from './macro-calls.ts';

type Comprehension = ExprOf<'comprehensionExpr'> & Readonly<Record<LoopPart, Expr>>;
type LoopPart = 'iterRange' | 'accuInit' | 'loopStep' | 'loopCondition' | 'result';

/** `list.exists(x, …)` and similar macros, which the library expands into a loop. */
export function checkMacro(
  checking: Checking,
  expr: Expr,
  loop: ExprOf<'comprehensionExpr'>,
  variables: Variables,
): Checked {
  const { iterRange, accuInit, loopStep, loopCondition, result } = loop;
  if (!iterRange || !accuInit || !loopStep || !loopCondition || !result) return { type: unknownType, expr };
  const over = checking.value(iterRange, variables);
  const { type } = over;
  if (type.kind !== 'list' && type.kind !== 'map' && type.kind !== 'unknown') {
    return fault(checking, iterRange, {
      message: `a macro works on a list or a map, not on ${aOrAn(type)}`,
    });
  }
  if (Object.hasOwn(checking.roots, loop.iterVar) || checking.tables.has(loop.iterVar)) {
    return fault(checking, expr, {
      message: `the name "${loop.iterVar}" is already in use: choose another name for the item`,
    });
  }
  const item = type.kind === 'list' ? type.of : type.kind === 'map' ? type.key : unknownType;
  const inner = new Map([...variables, [loop.iterVar, item]]);
  const parts = { ...loop, iterRange: over.expr, accuInit, loopStep, loopCondition, result };
  const made = { expr, parts, inner };
  if (accuInit.exprKind.case === 'listExpr') return checkListMacro(checking, made);
  return accuInit.exprKind.case === 'constExpr' && accuInit.exprKind.value.constantKind.case === 'int64Value'
    ? checkCountMacro(checking, made)
    : checkBoolMacro(checking, made);
}

interface Macro {
  readonly expr: Expr;
  readonly parts: Comprehension;
  readonly inner: Variables;
}

/** `exists` and `all`: the step is `@result || test`. */
function checkBoolMacro(checking: Checking, { expr, parts, inner }: Macro): Checked {
  const step = callParts(parts.loopStep);
  const [result, test] = step.args as [Expr, Expr];
  const checked = checkTest(checking, test, inner);
  const loopStep = withArgs(parts.loopStep, [result, checked]);
  return { type: scalar('bool'), expr: loopOf(expr, { ...parts, loopStep }) };
}

/** `exists_one`: the step is `test ? @result + 1 : @result`. */
function checkCountMacro(checking: Checking, { expr, parts, inner }: Macro): Checked {
  const [test, ...others] = callParts(parts.loopStep).args as [Expr, Expr, Expr];
  const loopStep = withArgs(parts.loopStep, [checkTest(checking, test, inner), ...others]);
  return { type: scalar('bool'), expr: loopOf(expr, { ...parts, loopStep }) };
}

/** `map` and `filter`: the step is `@result + [item]`, for `filter` after a test. */
function checkListMacro(checking: Checking, { expr, parts, inner }: Macro): Checked {
  const step = callParts(parts.loopStep);
  const accuInit = callNode(parts.accuInit, macroCalls.empty, []);
  if (step.function !== '_?_:_') {
    const { pushed, type } = pushedItem(checking, parts.loopStep, inner);
    return { type: listOf(type), expr: loopOf(expr, { ...parts, accuInit, loopStep: pushed }) };
  }
  const [test, add, otherwise] = step.args as [Expr, Expr, Expr];
  const checked = checkTest(checking, test, inner);
  const { pushed, type } = pushedItem(checking, add, inner);
  const loopStep = withArgs(parts.loopStep, [checked, pushed, otherwise]);
  return { type: listOf(type), expr: loopOf(expr, { ...parts, accuInit, loopStep }) };
}

function pushedItem(
  checking: Checking,
  add: Expr,
  inner: Variables,
): { readonly pushed: Expr; readonly type: CelType } {
  const [list, items] = callParts(add).args as [Expr, Expr];
  const [item] = items.exprKind.case === 'listExpr' ? items.exprKind.value.elements : [];
  const checked = checking.value(item as Expr, inner);
  return { pushed: callNode(add, macroCalls.push, [list, checked.expr]), type: checked.type };
}

function checkTest(checking: Checking, test: Expr, inner: Variables): Expr {
  const { type, expr } = checking.value(test, inner);
  if (type.kind !== 'unknown' && !isScalar(type, 'bool')) {
    fault(checking, test, { message: `the condition of a macro must be a bool, not ${aOrAn(type)}` });
  }
  return expr;
}

/** Counts every iteration of the loop, so that nested macros end. */
function loopOf(expr: Expr, parts: Comprehension): Expr {
  const counted = callNode(expr, '_&&_', [callNode(expr, macroCalls.step, []), parts.loopCondition]);
  return exprLike(expr, { case: 'comprehensionExpr', value: { ...parts, loopCondition: counted } });
}

function callParts(expr: Expr): ExprOf<'callExpr'> {
  if (expr.exprKind.case !== 'callExpr') throw new Error('unknown form of a macro');
  return expr.exprKind.value;
}

function withArgs(expr: Expr, args: readonly Expr[]): Expr {
  return exprLike(expr, { case: 'callExpr', value: { ...callParts(expr), args: [...args] } });
}
