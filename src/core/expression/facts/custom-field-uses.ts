import type { CustomFieldUse } from '../../model/expression.ts';
import { constantText, type Expr } from '../syntax/syntax-tree.ts';
import { everyPart, keyOfEntry } from './entry-keys.ts';

/** The uses in a checked expression that are named by a constant. */
export function customFieldUses(expr: Expr): readonly CustomFieldUse[] {
  return everyPart(expr).flatMap((each) => {
    const category = keyOfEntry(each, 'host.customFields');
    const named = category === undefined ? [] : [{ category, values: [] }];
    return [...named, ...comparison(each)];
  });
}

function comparison({ exprKind }: Expr): readonly CustomFieldUse[] {
  if (exprKind.case !== 'callExpr' || !['_==_', '_!=_', '@in'].includes(exprKind.value.function)) return [];
  const [left, right] = exprKind.value.args;
  if (left === undefined || right === undefined) return [];
  return [
    [left, right],
    [right, left],
  ].flatMap(([fact = left, other = right]) => {
    const category = keyOfEntry(fact, 'host.customFields');
    return category === undefined ? [] : [{ category, values: constantsIn(other) }];
  });
}

/** An empty text does not refer to a value. */
function constantsIn(expr: Expr): readonly string[] {
  const { exprKind } = expr;
  const all = exprKind.case === 'listExpr' ? exprKind.value.elements : [expr];
  return all.map(constantText).filter((text) => text !== undefined && text !== '') as readonly string[];
}
