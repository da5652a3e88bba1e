import { didYouMean, nearest } from '../../lib/words.ts';
import { factMembersOf } from '../facts/declared-facts.ts';
import { type FactShape, typeOfShape } from '../facts/fact-shape.ts';
import { entryLabel } from '../facts/label-path.ts';
import { formsOf } from '../functions/functions.ts';
import { callNode, constantText, type Expr, type ExprOf, textNode } from '../syntax/syntax-tree.ts';
import { type CelType, isScalar, scalar, showType, unknownType } from './cel-type.ts';
import { type Checked, type Checking, fault, type Variables } from './checking.ts';

export const factCalls = {
  /** The fact at a path. */
  fact: '@fact',
  /** Is the fact, or anything of the object, at a path known? */
  known: '@known',
  /** A cell of the row that a table has for the host, and whether there is one. */
  column: '@column',
  hasColumn: '@hasColumn',
  /** How many other hosts have the same text. */
  twins: '@twins',
  /** The name with the next number. */
  next: '@next',
  /** A time in the form that the language reads, the same for one that must be known, and a duration with days. */
  time: '@time',
  past: '@past',
  span: '@span',
  /** An entry of a map of facts, and whether there is one. */
  entry: '@entry',
  hasEntry: '@hasEntry',
  /** A field of an item in a list of objects, and whether it is known. */
  member: '@member',
  hasMember: '@hasMember',
  /** An item of a list, which is a text or an object. An item of a list of facts may be missing. */
  item: '@item',
  textItem: '@textItem',
  objectItem: '@objectItem',
} as const;

const boolType = scalar('bool');

/** The fact at a declared path. An object is not a fact: it only leads to its fields. */
export function factAt(checking: Checking, expr: Expr, path: string, shape: FactShape): Checked {
  const type = typeOfShape(shape, path);
  if (shape.kind === 'object') return { type, expr, path };
  checking.reads.add(path);
  const fact = callNode(expr, factCalls.fact, [textNode(expr, path)]);
  const read = isScalar(type, 'timestamp') ? callNode(expr, 'timestamp', [fact]) : fact;
  return { type, expr: read, path, ofFacts: shape.kind === 'objects' || shape.kind === 'texts' };
}

/** `host.name`, `has(host.name)`, `fields.Site`. */
export function checkSelect(
  checking: Checking,
  expr: Expr,
  select: ExprOf<'selectExpr'>,
  variables: Variables,
): Checked {
  if (select.operand === undefined) return { type: unknownType, expr };
  const operand = checking.check(select.operand, variables);
  const { field, testOnly } = select;
  const table = tableOf(checking, operand);
  if (table !== undefined) return checkColumn(checking, expr, { table, column: field, testOnly });
  switch (operand.type.kind) {
    case 'object':
      return checkMember(checking, expr, { operand, field, testOnly });
    case 'map':
      return checkEntry(checking, expr, { operand, key: textNode(expr, field), tested: testOnly });
    case 'unknown':
      return { type: testOnly ? boolType : unknownType, expr };
    case 'scalar':
    case 'list':
    case 'any':
      return fault(checking, expr, {
        message: `${aOrAn(operand.type)} has no field ${JSON.stringify(field)}`,
        hint: formsOf(field).length > 0 ? `${field} is a function: write .${field}(…)` : undefined,
        span: checking.spans.nameOf(expr),
      });
  }
}

interface Member {
  readonly operand: Checked;
  readonly field: string;
  readonly testOnly: boolean;
}

function checkMember(checking: Checking, expr: Expr, { operand, field, testOnly }: Member): Checked {
  const typeName = operand.type.kind === 'object' ? operand.type.name : '';
  const members = factMembersOf(typeName);
  const shape = Object.hasOwn(members, field) ? members[field] : undefined;
  if (shape === undefined) {
    const hint =
      formsOf(field).length > 0
        ? `${field} is a function of a value: write .${field}(…) after a field`
        : (didYouMean(nearest(field, Object.keys(members))) ??
          `its fields are ${Object.keys(members).join(', ')}`);
    const message = `${typeName} has no field ${JSON.stringify(field)}`;
    return fault(checking, expr, { message, hint, span: checking.spans.nameOf(expr) });
  }
  if (operand.path !== undefined) {
    const path = `${operand.path}.${field}`;
    if (!testOnly) return factAt(checking, expr, path, shape);
    checking.reads.add(path);
    return { type: boolType, expr: callNode(expr, factCalls.known, [textNode(expr, path)]) };
  }
  const name = testOnly ? factCalls.hasMember : factCalls.member;
  const read = callNode(expr, name, [
    operand.expr,
    textNode(expr, field),
    textNode(expr, labelOf(checking, expr)),
  ]);
  return { type: testOnly ? boolType : typeOfShape(shape, `${typeName}.${field}`), expr: read };
}

/** The table that a part names. */
function tableOf(checking: Checking, { type, path }: Checked): string | undefined {
  return type.kind === 'object' && path !== undefined && checking.tables.has(path) ? path : undefined;
}

interface Column {
  readonly table: string;
  readonly column: string;
  readonly testOnly: boolean;
}

/** `asset.Site`, `asset["Asset Tag"]`. Which columns a table has is known only after it was read. */
function checkColumn(checking: Checking, expr: Expr, { table, column, testOnly }: Column): Checked {
  checking.columns.push({ table, column });
  const args = [textNode(expr, table), textNode(expr, column)];
  if (testOnly) return { type: boolType, expr: callNode(expr, factCalls.hasColumn, args) };
  const text = callNode(expr, factCalls.column, args);
  switch (checking.tables.get(table)?.get(column) ?? 'text') {
    case 'text':
      return { type: scalar('string'), expr: text };
    case 'int':
      return { type: scalar('int'), expr: callNode(expr, 'int', [text]) };
    case 'number':
      return { type: scalar('double'), expr: callNode(expr, 'double', [text]) };
    case 'bool':
      return { type: boolType, expr: callNode(expr, 'bool', [text]) };
    case 'date':
      return {
        type: scalar('timestamp'),
        expr: callNode(expr, 'timestamp', [callNode(expr, factCalls.time, [text])]),
      };
  }
}

interface Entry {
  readonly operand: Checked;
  readonly key: Expr;
  readonly tested: boolean;
}

/** An entry of a map. Entries of a map of facts may be missing. */
function checkEntry(checking: Checking, expr: Expr, { operand, key, tested }: Entry): Checked {
  const type = tested ? boolType : operand.type.kind === 'map' ? operand.type.of : unknownType;
  if (operand.path !== undefined) {
    const args = [textNode(expr, operand.path), key];
    if (tested) return { type, expr: callNode(expr, factCalls.hasEntry, args) };
    const label = textNode(expr, entryLabel(operand.path, constantText(key)));
    return { type, expr: callNode(expr, factCalls.entry, [...args, label]) };
  }
  const has = tested
    ? callNode(expr, '@in', [key, operand.expr])
    : callNode(expr, '_[_]', [operand.expr, key]);
  return { type, expr: has };
}

/** `list[0]`, `host.customFields["Site"]`. */
export function checkIndex(
  checking: Checking,
  expr: Expr,
  args: readonly Expr[],
  variables: Variables,
): Checked {
  const [of, at] = args as readonly [Expr, Expr];
  const operand = checking.check(of, variables);
  const index = checking.value(at, variables);
  const { kind } = operand.type;
  const table = tableOf(checking, operand);
  if (table !== undefined) {
    const column = constantText(at);
    if (column !== undefined) return checkColumn(checking, expr, { table, column, testOnly: false });
    const hint = `write the name in quotation marks: ${table}["…"]`;
    return fault(checking, at, { message: 'the name of a column must be constant', hint });
  }
  if (kind === 'object') {
    const field = constantText(at) ?? '';
    const hint = /^[a-zA-Z_]\w*$/.test(field) ? `write .${field}` : undefined;
    return fault(checking, expr, { message: 'write a dot before the field of an object', hint });
  }
  if (kind !== 'list' && kind !== 'map') {
    if (kind === 'unknown') return { type: unknownType, expr };
    return fault(checking, expr, { message: `[ ] does not work on ${aOrAn(operand.type)}` });
  }
  const expected = kind === 'list' ? scalar('int') : operand.type.key;
  if (index.type.kind !== 'unknown' && showType(index.type) !== showType(expected)) {
    const message = `the index of a ${kind} must be ${aOrAn(expected)}, not ${aOrAn(index.type)}`;
    return fault(checking, at, { message });
  }
  if (kind === 'map') return checkEntry(checking, expr, { operand, key: index.expr, tested: false });
  const ofFacts = operand.type.of.kind === 'object' ? factCalls.objectItem : factCalls.textItem;
  const name = operand.ofFacts === true ? ofFacts : factCalls.item;
  const label = textNode(expr, labelOf(checking, expr));
  return { type: operand.type.of, expr: callNode(expr, name, [operand.expr, index.expr, label]) };
}

/** `"Site" in host.customFields`: reads the map of facts itself, without copying it. */
export function checkInFacts(expr: Expr, key: Checked, map: Checked): Checked | undefined {
  if (map.path === undefined || map.type.kind !== 'map') return undefined;
  return { type: boolType, expr: callNode(expr, factCalls.hasEntry, [textNode(expr, map.path), key.expr]) };
}

function labelOf(checking: Checking, expr: Expr): string {
  const source = checking.spans.source(expr).replaceAll(/\s+/g, ' ');
  return source.length <= 120 ? source : `${source.slice(0, 119)}…`;
}

export function aOrAn(type: CelType): string {
  const text = type.kind === 'object' ? 'object' : showType(type);
  return text === 'nothing' ? text : `${/^[aeiou]/.test(text) ? 'an' : 'a'} ${text}`;
}
