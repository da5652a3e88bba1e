import type { CustomFieldUse } from '../../model/expression.ts';
import { factCalls } from '../checker/check-fact.ts';
import { constantText, type Expr } from '../syntax/syntax-tree.ts';

/** The uses in a checked expression that are named by a constant. */
export function customFieldUses(expr: Expr): readonly CustomFieldUse[] {
  const uses: CustomFieldUse[] = [];
  visit(expr);
  return uses;

  function visit(each: Expr): void {
    const category = categoryOf(each);
    if (category !== undefined) uses.push({ category, values: [] });
    uses.push(...comparison(each));
    for (const part of partsOf(each)) visit(part);
  }
}

function categoryOf({ exprKind }: Expr): string | undefined {
  if (exprKind.case !== 'callExpr') return undefined;
  const { function: name, args } = exprKind.value;
  if (name !== factCalls.entry && name !== factCalls.hasEntry) return undefined;
  const [path, key] = args.map(constantText);
  return path === 'host.customFields' ? key : undefined;
}

function comparison({ exprKind }: Expr): readonly CustomFieldUse[] {
  if (exprKind.case !== 'callExpr' || !['_==_', '_!=_', '@in'].includes(exprKind.value.function)) return [];
  const [left, right] = exprKind.value.args;
  if (left === undefined || right === undefined) return [];
  return [
    [left, right],
    [right, left],
  ].flatMap(([fact = left, other = right]) => {
    const category = categoryOf(fact);
    return category === undefined ? [] : [{ category, values: constantsIn(other) }];
  });
}

/** An empty text does not refer to a value. */
function constantsIn(expr: Expr): readonly string[] {
  const { exprKind } = expr;
  const all = exprKind.case === 'listExpr' ? exprKind.value.elements : [expr];
  return all.map(constantText).filter((text) => text !== undefined && text !== '') as readonly string[];
}

function partsOf({ exprKind }: Expr): readonly Expr[] {
  const parts = (...all: readonly (Expr | undefined)[]) => all.filter((each) => each !== undefined);
  switch (exprKind.case) {
    case 'callExpr':
      return parts(exprKind.value.target, ...exprKind.value.args);
    case 'listExpr':
      return exprKind.value.elements;
    case 'structExpr':
      return exprKind.value.entries.flatMap(({ keyKind, value }) =>
        parts(keyKind.case === 'mapKey' ? keyKind.value : undefined, value),
      );
    case 'selectExpr':
      return parts(exprKind.value.operand);
    case 'comprehensionExpr': {
      const { iterRange, accuInit, loopCondition, loopStep, result } = exprKind.value;
      return parts(iterRange, accuInit, loopCondition, loopStep, result);
    }
    case 'constExpr':
    case 'identExpr':
    case undefined:
      return [];
  }
}
