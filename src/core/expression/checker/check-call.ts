import { didYouMean, nearest } from '../../lib/words.ts';
import { nowFact } from '../facts/declared-facts.ts';
import { callText, formsOf, functionNames, macroNames, resultOf } from '../functions/functions.ts';
import { patternFault } from '../functions/regex.ts';
import { callNode, constantText, type Expr, type ExprOf, exprLike, textNode } from '../syntax/syntax-tree.ts';
import { type CelType, isScalar, scalar, showType, unknownType } from './cel-type.ts';
import { aOrAn, checkIndex, checkInFacts, factAt, factCalls } from './check-fact.ts';
import { type Checked, type Checking, fault, type Variables } from './checking.ts';
import { macroCalls } from './macro-calls.ts';
import { isOperator, resultOfOperator, signOf } from './operators.ts';

export function checkCall(
  checking: Checking,
  expr: Expr,
  call: ExprOf<'callExpr'>,
  variables: Variables,
): Checked {
  if (call.function === '_[_]') return checkIndex(checking, expr, call.args, variables);
  return isOperator(call.function)
    ? checkOperator(checking, expr, call, variables)
    : checkFunction(checking, expr, call, variables);
}

function checkOperator(
  checking: Checking,
  expr: Expr,
  call: ExprOf<'callExpr'>,
  variables: Variables,
): Checked {
  const name = call.function;
  const args = call.args.map((arg) => checking.value(arg, variables));
  if (name === '_&&_' || name === '_||_' || name === '!_') {
    for (const [index, { type }] of args.entries()) {
      if (type.kind === 'unknown' || isScalar(type, 'bool')) continue;
      fault(checking, call.args[index] as Expr, {
        message: `${signOf(name)} takes bools, not ${aOrAn(type)}`,
        hint: isScalar(type, 'string') ? 'compare it with a value: == "…"' : undefined,
      });
    }
    return { type: scalar('bool'), expr: rebuilt(expr, call, args) };
  }
  const type = resultOfOperator(
    name,
    args.map((arg) => arg.type),
  );
  if (type === undefined) return operatorFault(checking, expr, { name, args });
  const [left, right] = args;
  const asked = name === '@in' && left && right ? checkInFacts(expr, left, right) : undefined;
  return asked ?? { type, expr: rebuilt(expr, call, weighed.has(name) ? args.map(weigh) : args) };
}

/** Operators that evaluate every item of a list or a map. */
const weighed: ReadonlySet<string> = new Set(['_==_', '_!=_', '@in']);

function weigh(value: Checked): Checked {
  const { kind } = value.type;
  if ((kind !== 'list' && kind !== 'map') || value.expr.exprKind.case === 'listExpr') return value;
  return { ...value, expr: callNode(value.expr, macroCalls.weigh, [value.expr]) };
}

function operatorFault(
  checking: Checking,
  expr: Expr,
  { name, args }: { readonly name: string; readonly args: readonly Checked[] },
): Checked {
  const types = args.map(({ type }) => type);
  const names = types.map(aOrAn);
  if (name === '_?_:_') {
    const [condition, yes, no] = names;
    const message =
      condition === 'a bool' || condition === 'nothing'
        ? `both results of ? : must have the same type, not ${yes} and ${no}`
        : `the condition before ? must be a bool, not ${condition}`;
    return fault(checking, expr, { message });
  }
  if (name === '@in') {
    const message = `${names[0]} can't be in ${names[1]}`;
    const text = types.every((type) => isScalar(type, 'string'));
    return fault(checking, expr, {
      message,
      hint: text ? 'use .contains(…) to search a string' : undefined,
    });
  }
  const verb = /^_(?:[=!]=|[<>]=?)_$/.test(name) ? 'does not compare' : 'does not take';
  return fault(checking, expr, {
    message: `${signOf(name)} ${verb} ${names.join(' with ')}`,
    hint: numberHint(types),
  });
}

function numberHint(types: readonly CelType[]): string | undefined {
  const has = (name: 'int' | 'double' | 'string') => types.some((type) => isScalar(type, name));
  if (has('string') && has('int'))
    return 'int(…) converts a string to a number, and string(…) a number to a string';
  if (has('string') && has('double'))
    return 'double(…) converts a string to a number, and string(…) a number to a string';
  return has('int') && has('double') ? 'double(…) converts an int to a double' : undefined;
}

function checkFunction(
  checking: Checking,
  expr: Expr,
  call: ExprOf<'callExpr'>,
  variables: Variables,
): Checked {
  const name = call.function;
  const forms = formsOf(name);
  const span = checking.spans.nameOf(expr);
  const macro = macroNames.find((each) => each === name);
  if (macro !== undefined) return fault(checking, expr, { message: macroUse[macro], span });
  if (forms.length === 0) {
    const hint = synonyms.get(name) ?? didYouMean(nearest(name, functionNames()));
    return fault(checking, expr, {
      message: `the function ${JSON.stringify(name)} does not exist`,
      hint,
      span,
    });
  }
  const target = call.target === undefined ? undefined : checking.value(call.target, variables);
  const args = call.args.map((arg) => checking.value(arg, variables));
  const types = [...(target === undefined ? [] : [target]), ...args].map(({ type }) => type);
  const results = forms
    .filter(({ receiver }) => (receiver === undefined) === (target === undefined))
    .flatMap((form) => resultOf(form, types) ?? []);
  const [type] = results;
  if (type === undefined) {
    const shown = `${target === undefined ? '' : `${showType(target.type)}.`}${name}(${args.map((arg) => showType(arg.type)).join(', ')})`;
    if (types.some(({ kind }) => kind === 'unknown')) return { type: unknownType, expr };
    const calls = forms.map(
      (form) => `${form.receiver === undefined ? '' : `${showType(form.receiver)}.`}${callText(form)}`,
    );
    const hint = `call it as ${[...new Set(calls)].join(' or ')}`;
    return fault(checking, expr, { message: `${shown} does not exist`, hint, span });
  }
  checkPattern(checking, call);
  const rewrite = rewrites[name];
  if (rewrite !== undefined) {
    const part = { checking, expr, args, sources: call.args, isNested: variables.size > 0 };
    return { type, expr: rewrite(part) };
  }
  const checked = exprLike(expr, {
    case: 'callExpr',
    value: {
      ...call,
      ...(target === undefined ? {} : { target: target.expr }),
      args: args.map((arg) => arg.expr),
    },
  });
  return { type, expr: checked };
}

interface Rewriting {
  readonly checking: Checking;
  readonly expr: Expr;
  readonly args: readonly Checked[];
  /** The arguments as they are written. */
  readonly sources: readonly Expr[];
  /** Is the call inside a macro? */
  readonly isNested: boolean;
}

/** Functions that the library does not have: each becomes calls of functions that it has. */
const rewrites: Readonly<Record<string, (part: Rewriting) => Expr>> = {
  age: ({ checking, expr, args: [time] }) => {
    const { type, expr: value } = time as Checked;
    const now = factAt(checking, expr, 'now', nowFact).expr;
    return callNode(expr, '_-_', [now, isScalar(type, 'string') ? timestampOf(value, 'past') : value]);
  },
  duration: ({ expr, args: [value] }) => {
    const { type, expr: text } = value as Checked;
    return callNode(expr, 'duration', [
      isScalar(type, 'string') ? callNode(expr, factCalls.span, [text]) : text,
    ]);
  },
  timestamp: ({ args: [value] }) => {
    const { type, expr: text } = value as Checked;
    return isScalar(type, 'string') ? timestampOf(text, 'time') : text;
  },
  next: ({ checking, expr, args }) => {
    if (!checking.isName)
      fault(checking, expr, { message: 'next can only be used in the "rename" of a rule' });
    return callNode(
      expr,
      factCalls.next,
      args.map((arg) => arg.expr),
    );
  },
  twins: ({ checking, expr, args: [value], sources: [written], isNested }) => {
    const { type, expr: text } = value as Checked;
    if (isNested) {
      const hint = 'write twins(…) outside of exists, all, map and filter';
      fault(checking, expr, { message: 'twins does not work inside a macro', hint });
    }
    const source = checking.spans.source(written as Expr);
    const compared = isScalar(type, 'string') ? text : callNode(expr, 'string', [text]);
    checking.twins.set(source, compared);
    return callNode(expr, factCalls.twins, [textNode(expr, source), compared]);
  },
};

function timestampOf(text: Expr, form: 'time' | 'past'): Expr {
  return callNode(text, 'timestamp', [callNode(text, factCalls[form], [text])]);
}

/** Reads a constant pattern once, not once per host. */
function checkPattern(checking: Checking, call: ExprOf<'callExpr'>): void {
  const [arg] = call.args;
  if ((call.function !== 'matches' && call.function !== 'extract') || arg === undefined) return;
  const pattern = constantText(arg);
  const message = pattern === undefined ? undefined : patternFault(pattern);
  if (message !== undefined) fault(checking, arg, { message });
}

function rebuilt(expr: Expr, call: ExprOf<'callExpr'>, args: readonly Checked[]): Expr {
  return exprLike(expr, { case: 'callExpr', value: { ...call, args: args.map((arg) => arg.expr) } });
}

const macroUse: Readonly<Record<(typeof macroNames)[number], string>> = {
  has: 'has takes a field, such as has(host.hostName)',
  exists: 'exists takes a name and a condition, such as list.exists(x, x == "a")',
  all: 'all takes a name and a condition, such as list.all(x, x == "a")',
  exists_one: 'exists_one takes a name and a condition, such as list.exists_one(x, x == "a")',
  map: 'map takes a name and a value, such as list.map(x, x.lower())',
  filter: 'filter takes a name and a condition, such as list.filter(x, x != "")',
};

/** Names that other languages use for these functions. */
const synonyms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    toLowerCase: 'lower',
    tolower: 'lower',
    toUpperCase: 'upper',
    toupper: 'upper',
    strip: 'trim',
    length: 'size',
    len: 'size',
    count: 'size',
    includes: 'contains',
    substr: 'substring',
    slice: 'substring',
    padLeft: 'padStart',
    padRight: 'padEnd',
    replaceAll: 'replace',
    regex: 'matches',
    match: 'matches',
    toString: 'string',
    str: 'string',
    parseInt: 'int',
    number: 'int',
    float: 'double',
    any: 'exists',
    some: 'exists',
    every: 'all',
  }).map(([theirs, ours]) => [theirs, `did you mean "${ours}"?`]),
);
