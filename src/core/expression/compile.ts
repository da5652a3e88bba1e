import { once } from '../lib/once.ts';
import { noTables, type TableTypes } from '../model/asset-table.ts';
import type {
  ColumnUse,
  Condition,
  CustomFieldUse,
  Evaluated,
  ExpressionSubject,
  Template,
  TwinUse,
} from '../model/expression.ts';
import { isScalar } from './checker/cel-type.ts';
import type { CheckedExpression } from './checker/check.ts';
import { aOrAn } from './checker/check-fact.ts';
import type { ExpressionScope } from './checker/scope.ts';
import { longestExpression, longestText } from './expression-limits.ts';
import { accountUse, customFieldUses, needsOf } from './facts/fact-needs.ts';
import { carryOutSimple } from './running/carry-out-simple.ts';
import { certainty } from './running/certainty.ts';
import { rememberPlan } from './running/condition-plan.ts';
import { createEvaluator } from './running/engine.ts';
import { openBudget } from './running/running.ts';
import {
  predicateOf,
  type SimplePredicate,
  simpleConjuncts,
  simplePredicate,
} from './running/simple-predicate.ts';
import { carryOutText, factAlone, simpleText } from './running/simple-text.ts';
import { readExpression } from './syntax/read-expression.ts';
import { type Compiled, faulty, type SourceFault } from './syntax/source-fault.ts';
import { splitTemplate } from './syntax/template-parts.ts';

export type { ExpressionScope } from './checker/scope.ts';
export type { Compiled, SourceFault } from './syntax/source-fault.ts';

/** Compiles a CEL expression of type bool, checked against the declared facts and tables. */
export function compileCondition(
  source: string,
  scope: ExpressionScope,
  tables: TableTypes = noTables,
): Compiled<Condition> {
  const read = readExpression(source, scope, { tables });
  if (!read.ok) return read;
  const { type, expr, reads } = read.value;
  if (!isScalar(type, 'bool')) {
    const hint = isScalar(type, 'string') ? { hint: 'compare it with a value: == "…"' } : {};
    const message = `a condition must be a bool, and this is ${aOrAn(type)}`;
    return faulty({ message, ...extentOf(source), ...hint });
  }
  const simple = simplePredicate(expr);
  const begin = simple === undefined ? evaluated(expr, predicateOf(expr)) : planned(simple);
  const account = accountUse(reads, [expr]);
  const condition = {
    source,
    reads: [...reads],
    needs: needsOf(reads),
    customFields: customFieldUses(expr),
    ...(account === undefined ? {} : { account }),
    ...fleetUses([read.value]),
    begin,
  };
  rememberPlan(condition, { conjuncts: simpleConjuncts(expr), ...(simple === undefined ? {} : { simple }) });
  return { ok: true, value: condition };
}

const holds = { ok: true, value: true } as const;
const holdsNot = { ok: true, value: false } as const;
const guessed = { ok: true, value: true, guessed: true } as const;

function planned(simple: SimplePredicate): Condition['begin'] {
  const predicate = carryOutSimple(simple);
  const certainly = certainty(simple);
  const ask: ReturnType<Condition['begin']> = (subject, change) => {
    if (!predicate(subject, change)) return holdsNot;
    return certainly(subject, change) === true ? holds : guessed;
  };
  return () => ask;
}

/**
 * A condition over cells needs the library only if a fact is unknown. A condition that holds is evaluated again with every unknown fact as a fault. CEL's logic ignores such a fault if the
 * result does not depend on it. This decides whether the result was guessed, for all operators and functions.
 */
function evaluated(expr: CheckedExpression['expr'], predicate?: SimplePredicate): Condition['begin'] {
  const evaluate = createEvaluator(expr);
  const certainly = predicate === undefined ? undefined : certainty(predicate);
  return () => {
    const budget = openBudget();
    return (subject, change) => {
      const certain = certainly?.(subject, change);
      if (certain !== undefined) return certain ? holds : holdsNot;
      const result = evaluate(subject, change, { missing: 'reads-empty', budget });
      if (!result.ok) return result;
      if (result.value !== true) return holdsNot;
      if (!result.readEmpty) return holds;
      const strictly = evaluate(subject, change, { missing: 'is-fault', budget });
      return strictly.ok && strictly.value === true ? holds : guessed;
    };
  };
}

/** The columns and twins of checked expressions. */
function fleetUses(parts: readonly CheckedExpression[]): Pick<Condition, 'columns' | 'twins'> {
  const columns: readonly ColumnUse[] = parts.flatMap((part) => part.columns);
  const twins = parts.flatMap((part) =>
    [...part.twins].map(([source, expr]): TwinUse => ({ source, begin: textOf(expr) })),
  );
  return { ...(columns.length === 0 ? {} : { columns }), ...(twins.length === 0 ? {} : { twins }) };
}

/** Compiles a CEL expression of type string or int, such as the value that a table is joined by. */
export function compileText(source: string, tables: TableTypes = noTables): Compiled<Template> {
  const read = readExpression(source, 'rule', { tables });
  if (!read.ok) return read;
  const { type, expr, reads } = read.value;
  if (!isScalar(type, 'string') && !isScalar(type, 'int')) {
    const message = `the value must be a string or an int, not ${aOrAn(type)}`;
    return faulty({ message, ...extentOf(source) });
  }
  const account = accountUse(reads, [expr]);
  return {
    ok: true,
    value: {
      source,
      reads: [...reads],
      needs: needsOf(reads),
      customFields: customFieldUses(expr),
      ...(account === undefined ? {} : { account }),
      ...fleetUses([read.value]),
      begin: textOf(expr),
    },
  };
}

/** Compiles a text with `${…}`, each a CEL expression of type string, int or double; `$${` stands for `${` itself. */
export function compileTemplate(source: string, tables: TableTypes = noTables): Compiled<Template> {
  if (source.length > longestExpression) {
    const message = `a template can have at most ${longestExpression} characters; this one has ${source.length}`;
    return faulty({ message, start: 0, end: source.length });
  }
  const template = splitTemplate(source);
  if (!template.ok) return template;
  const parts: RenderedPart[] = [];
  const faults: SourceFault[] = [];
  const reads = new Set<string>();
  const customFields: CustomFieldUse[] = [];
  const checked: CheckedExpression[] = [];
  for (const part of template.value) {
    if (part.kind === 'text') parts.push(part.text);
    else {
      const read = readPart(part.source, tables);
      if (!read.ok) faults.push(...read.faults.map((fault) => moved(fault, part.start)));
      else {
        for (const path of read.value.reads) reads.add(path);
        customFields.push(...customFieldUses(read.value.expr));
        checked.push(read.value);
        parts.push(textOf(read.value.expr));
      }
    }
  }
  if (faults.length > 0) return faulty(...faults);
  const account = accountUse(
    reads,
    checked.map(({ expr }) => expr),
  );
  return {
    ok: true,
    value: {
      source,
      reads: [...reads],
      needs: needsOf(reads),
      customFields,
      ...(account === undefined ? {} : { account }),
      ...fleetUses(checked),
      begin: createRenderer(parts),
    },
  };
}

function textOf(expr: CheckedExpression['expr']): Template['begin'] {
  const fact = factAlone(expr);
  const simple = simpleText(expr);
  const evaluate = once(() => createEvaluator(expr));
  return () => {
    const budget = openBudget();
    return (subject) => {
      const text =
        fact !== undefined
          ? fact(subject)
          : simple === undefined
            ? undefined
            : carryOutText(simple, subject, budget);
      if (text !== undefined) return { ok: true, value: text };
      const result = evaluate()(subject, undefined, { missing: 'is-fault', budget });
      return result.ok ? { ok: true, value: `${result.value as string | bigint | number}` } : result;
    };
  };
}

function readPart(source: string, tables: TableTypes): Compiled<CheckedExpression> {
  if (source.trim() === '') {
    return faulty({ message: 'the braces are empty', start: -2, end: source.length + 1 });
  }
  const read = readExpression(source, 'rule', { tables, isName: true });
  if (!read.ok) return read;
  const { type } = read.value;
  if (isScalar(type, 'string') || isScalar(type, 'int') || isScalar(type, 'double')) return read;
  const message = `a part of a name must be a string, an int or a double, not ${aOrAn(type)}`;
  const hint = isScalar(type, 'bool') ? { hint: 'write condition ? "one" : "other"' } : {};
  return faulty({ message, ...extentOf(source), ...hint });
}

function moved(fault: SourceFault, by: number): SourceFault {
  return { ...fault, start: fault.start + by, end: fault.end + by };
}

function extentOf(source: string) {
  return { start: source.length - source.trimStart().length, end: source.trimEnd().length };
}

/** A text as it is, or an expression. */
type RenderedPart = string | Template['begin'];

function createRenderer(parts: readonly RenderedPart[]): Template['begin'] {
  return () => {
    const begun = parts.map((part) => (typeof part === 'string' ? part : part()));
    return (subject) => render(begun, subject);
  };
}

function render(
  parts: readonly (string | ReturnType<Template['begin']>)[],
  subject: ExpressionSubject,
): Evaluated<string> {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else {
      const result = part(subject);
      if (!result.ok) return result;
      text += result.value;
    }
    if (text.length > longestText) {
      return { ok: false, fault: { message: `the result has more than ${longestText} characters` } };
    }
  }
  return { ok: true, value: text };
}
