import { isInt64 } from '../../lib/int64.ts';
import { didYouMean, nearest } from '../../lib/words.ts';
import { noTables, type TableTypes } from '../../model/asset-table.ts';
import type { ColumnUse } from '../../model/expression.ts';
import { deepestValue } from '../expression-limits.ts';
import { rootsOf } from '../facts/declared-facts.ts';
import type { SourceFault } from '../syntax/source-fault.ts';
import type { Spans } from '../syntax/spans.ts';
import { type Expr, type ExprOf, exprLike } from '../syntax/syntax-tree.ts';
import {
  type CelType,
  depthOf,
  joinTypes,
  listOf,
  mapOf,
  scalar,
  showType,
  unknownType,
} from './cel-type.ts';
import { checkCall } from './check-call.ts';
import { aOrAn, checkSelect, factAt } from './check-fact.ts';
import { checkMacro } from './check-macro.ts';
import { type Checked, type Checking, fault, type Variables } from './checking.ts';
import type { ExpressionScope } from './scope.ts';

export interface CheckedExpression {
  readonly type: CelType;
  /** The expression in the form that is evaluated: it reads facts through our own functions. */
  readonly expr: Expr;
  /** Paths of the facts that the expression reads. */
  readonly reads: ReadonlySet<string>;
  /** The columns of tables that it reads. */
  readonly columns: readonly ColumnUse[];
  /** The arguments of `twins`, by their source. */
  readonly twins: ReadonlyMap<string, Expr>;
  readonly faults: readonly SourceFault[];
}

/** What an expression can name besides the facts of its scope. */
export interface Names {
  readonly texts?: Variables;
  readonly tables?: TableTypes;
  /** Is the expression a part of a name? Only names can have the next number. */
  readonly isName?: boolean;
}

/** Assigns a type to every part. Reports all faults, not only the first. */
export function checkExpression(
  expr: Expr,
  spans: Spans,
  scope: ExpressionScope,
  { texts = new Map(), tables = noTables, isName = false }: Names = {},
): CheckedExpression {
  const checking: Checking = {
    roots: rootsOf(scope),
    spans,
    reads: new Set(),
    tables,
    isName,
    columns: [],
    twins: new Map(),
    faults: [],
    check: (part, variables) => checkPart(checking, part, variables),
    value: (part, variables) => {
      const checked = checkPart(checking, part, variables);
      return asValue(checking, part, checked);
    },
  };
  const { type, expr: checked } = checking.value(expr, texts);
  const { reads, columns, twins, faults } = checking;
  return { type, expr: checked, reads, columns, twins, faults };
}

function checkPart(checking: Checking, expr: Expr, variables: Variables): Checked {
  const { exprKind } = expr;
  switch (exprKind.case) {
    case 'constExpr':
      return checkConstant(checking, expr, exprKind.value);
    case 'identExpr':
      return checkName(checking, expr, exprKind.value.name, variables);
    case 'selectExpr':
      return checkSelect(checking, expr, exprKind.value, variables);
    case 'callExpr':
      return checkCall(checking, expr, exprKind.value, variables);
    case 'listExpr':
      return checkList(checking, expr, exprKind.value, variables);
    case 'structExpr':
      return checkMap(checking, expr, exprKind.value, variables);
    case 'comprehensionExpr':
      return checkMacro(checking, expr, exprKind.value, variables);
    case undefined:
      return fault(checking, expr, { message: 'this is not a valid expression' });
  }
}

function asValue(checking: Checking, expr: Expr, checked: Checked): Checked {
  if (checked.type.kind === 'object' && checked.path !== undefined) {
    const message = `${checked.path} is not a value`;
    return fault(checking, expr, { message, hint: 'use one of its fields, or test it with has(…)' });
  }
  if (depthOf(checked.type) > deepestValue) {
    return fault(checking, expr, {
      message: `lists and maps are nested more than ${deepestValue} levels deep`,
    });
  }
  return checked;
}

function checkConstant(checking: Checking, expr: Expr, constant: ExprOf<'constExpr'>): Checked {
  const { constantKind } = constant;
  switch (constantKind.case) {
    case 'boolValue':
      return { type: scalar('bool'), expr };
    case 'doubleValue':
      return { type: scalar('double'), expr };
    case 'stringValue':
      return { type: scalar('string'), expr };
    case 'int64Value':
      return isInt64(String(constantKind.value))
        ? { type: scalar('int'), expr }
        : fault(checking, expr, { message: 'the number does not fit in 64 bits' });
    case 'nullValue':
      return fault(checking, expr, {
        message: 'null is not supported',
        hint: 'a missing value reads as "", 0, false or an empty list; test it with has(…)',
      });
    case 'uint64Value':
      return fault(checking, expr, { message: 'unsigned numbers are not supported', hint: 'remove the u' });
    case 'bytesValue':
      return fault(checking, expr, { message: 'bytes are not supported', hint: 'remove the b' });
    case 'durationValue':
    case 'timestampValue':
    case undefined:
      return fault(checking, expr, { message: 'this is not a valid expression' });
  }
}

function checkName(checking: Checking, expr: Expr, name: string, variables: Variables): Checked {
  // The source can't name the variable that holds a macro's result; the macro decides its type.
  const type = variables.get(name);
  if (type !== undefined) return { type, expr };
  if (checking.tables.has(name)) return { type: { kind: 'object', name }, expr, path: name };
  const shape = Object.hasOwn(checking.roots, name) ? checking.roots[name] : undefined;
  if (shape !== undefined) return factAt(checking, expr, name, shape);
  const host = checking.roots['host'];
  const isField = host?.kind === 'object' && Object.hasOwn(host.members, name);
  // Most short words are similar to `now`.
  const roots = Object.keys(checking.roots).filter((root) => root !== 'now');
  const known = [...variables.keys(), ...roots, ...checking.tables.keys()];
  const hint = isField
    ? `did you mean host.${name}?`
    : name === 'change'
      ? 'only policies can read change'
      : name === 'account'
        ? 'only rules and policies can read account; choose accounts with --accounts'
        : (didYouMean(nearest(name, known)) ?? `put a string in quotation marks: "${name}"`);
  return fault(checking, expr, { message: `${JSON.stringify(name)} does not exist`, hint });
}

function checkList(checking: Checking, expr: Expr, list: ExprOf<'listExpr'>, variables: Variables): Checked {
  const elements = list.elements.map((each) => checking.value(each, variables));
  const type = oneType(checking, list.elements, elements);
  const value = { ...list, elements: elements.map((each) => each.expr) };
  return { type: listOf(type), expr: exprLike(expr, { case: 'listExpr', value }) };
}

function checkMap(checking: Checking, expr: Expr, map: ExprOf<'structExpr'>, variables: Variables): Checked {
  if (map.messageName !== '') {
    return fault(checking, expr, { message: `the type ${JSON.stringify(map.messageName)} does not exist` });
  }
  const keys: Expr[] = [];
  const values: Expr[] = [];
  for (const { keyKind, value } of map.entries) {
    if (keyKind.case === 'mapKey' && value !== undefined) {
      keys.push(keyKind.value);
      values.push(value);
    }
  }
  const checkedKeys = keys.map((key) => checking.value(key, variables));
  const checkedValues = values.map((value) => checking.value(value, variables));
  const key = oneType(checking, keys, checkedKeys);
  if (key.kind !== 'unknown' && !['string', 'int', 'bool'].includes(showType(key))) {
    return fault(checking, keys[0] as Expr, { message: `the keys of a map must be strings, ints or bools` });
  }
  const entries = map.entries.map((entry, index) => ({
    ...entry,
    keyKind: { case: 'mapKey' as const, value: (checkedKeys[index] as Checked).expr },
    value: (checkedValues[index] as Checked).expr,
  }));
  return {
    type: mapOf(key, oneType(checking, values, checkedValues)),
    expr: exprLike(expr, { case: 'structExpr', value: { ...map, entries } }),
  };
}

/** Finds the one type of all items of a list. */
function oneType(checking: Checking, parts: readonly Expr[], checked: readonly Checked[]): CelType {
  let type: CelType = unknownType;
  for (const [index, each] of checked.entries()) {
    const joined = joinTypes(type, each.type);
    if (joined === undefined) {
      const message = `all items of a list or map must have the same type: found ${aOrAn(each.type)} after ${aOrAn(type)}`;
      fault(checking, parts[index] as Expr, { message });
      return unknownType;
    }
    type = joined;
  }
  return type;
}
