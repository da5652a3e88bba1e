import type { AccountUse, CustomFieldUse } from '../../model/expression.ts';
import type { FactNeeds, InventoryKind } from '../../model/facts.ts';
import { factCalls } from '../checker/check-fact.ts';
import { constantText, type Expr } from '../syntax/syntax-tree.ts';
import { shapeAt } from './declared-facts.ts';
import type { FactShape, ReportFields } from './fact-shape.ts';
import { labelPath } from './label-path.ts';

/** The lists and fields that must be fetched so that the facts at these paths can be read. */
export function needsOf(paths: Iterable<string>): FactNeeds {
  const all = [...paths];
  const below = (prefix: string) => all.some((path) => path === prefix || path.startsWith(`${prefix}.`));
  return {
    antivirus: below('host.antivirus'),
    customFields: below('host.customFields'),
    hardware: fieldsNeeded(all, 'hardware'),
    system: fieldsNeeded(all, 'system'),
  };
}

function fieldsNeeded(paths: readonly string[], kind: InventoryKind): readonly string[] {
  const root = `host.inventory.${kind}`;
  const fields = paths.flatMap((path) => {
    if (path === 'host.inventory') return every(root);
    if (path !== root && !path.startsWith(`${root}.`)) return [];
    const shape = shapeAt(path);
    return shape === undefined ? [] : fieldsBelow(shape, root);
  });
  return [...new Set(fields)].sort();
}

function fieldsBelow(shape: FactShape, root: string): readonly string[] {
  const own = 'fields' in shape ? toNames(shape.fields, root) : [];
  if (shape.kind !== 'object') return own;
  return [...own, ...Object.values(shape.members).flatMap((member) => fieldsBelow(member, root))];
}

function toNames(fields: ReportFields | undefined, root: string): readonly string[] {
  return fields === 'all' ? every(root) : (fields ?? []);
}

function every(root: string): readonly string[] {
  const shape = shapeAt(root);
  if (shape?.kind !== 'object') return [];
  return Object.values(shape.members)
    .filter((member) => !('fields' in member && member.fields === 'all'))
    .flatMap((member) => fieldsBelow(member, root));
}

/** What a checked expression reads of the account, from its paths and its parts; undefined if it reads nothing. */
export function accountUse(reads: ReadonlySet<string>, exprs: readonly Expr[]): AccountUse | undefined {
  const path = [...reads].find((each) => each.startsWith('account.'));
  if (path === undefined) return undefined;
  const keys = exprs.flatMap(everyPart).flatMap((each) => keyOfEntry(each, 'account.labels') ?? []);
  const labels = [...new Set(keys)];
  const [first] = labels;
  return { fact: path === 'account.labels' && first !== undefined ? labelPath(first) : path, labels };
}

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

/** The key, if this part of a checked expression reads an entry of the map of facts at this path by a constant key. */
function keyOfEntry({ exprKind }: Expr, path: string): string | undefined {
  if (exprKind.case !== 'callExpr') return undefined;
  const { function: name, args } = exprKind.value;
  if (name !== factCalls.entry && name !== factCalls.hasEntry) return undefined;
  const [of, key] = args.map(constantText);
  return of === path ? key : undefined;
}

/** The expression and everything in it. */
function everyPart(expr: Expr): readonly Expr[] {
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
