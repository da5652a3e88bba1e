import { factCalls } from '../checker/check-fact.ts';
import { constantText, type Expr } from '../syntax/syntax-tree.ts';

/** The key, if this part of a checked expression reads an entry of the map of facts at this path by a constant key. */
export function keyOfEntry({ exprKind }: Expr, path: string): string | undefined {
  if (exprKind.case !== 'callExpr') return undefined;
  const { function: name, args } = exprKind.value;
  if (name !== factCalls.entry && name !== factCalls.hasEntry) return undefined;
  const [of, key] = args.map(constantText);
  return of === path ? key : undefined;
}

/** The expression and everything in it. */
export function everyPart(expr: Expr): readonly Expr[] {
  return [expr, ...partsOf(expr).flatMap(everyPart)];
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
