import { once } from '../lib/once.ts';
import type { Condition, Template } from '../model/expression.ts';
import { isScalar } from './checker/cel-type.ts';
import type { CheckedExpression } from './checker/check.ts';
import { aOrAn } from './checker/check-fact.ts';
import type { Scope } from './checker/scope.ts';
import { needsOf } from './facts/fact-needs.ts';
import { carryOutSimple } from './running/carry-out-simple.ts';
import { rememberPlan } from './running/condition-plan.ts';
import { createEvaluator } from './running/engine.ts';
import { createRenderer, type RenderedPart } from './running/render.ts';
import { simpleConjuncts, simplePredicate } from './running/simple-predicate.ts';
import { carryOutText, simpleText } from './running/simple-text.ts';
import { longestExpression, readExpression } from './syntax/read-expression.ts';
import { type Compiled, faulty, type SourceFault } from './syntax/source-fault.ts';
import { readTemplate } from './syntax/template-parts.ts';

export type { Scope } from './checker/scope.ts';
export type { Compiled, SourceFault } from './syntax/source-fault.ts';

/** A CEL expression of type bool, checked against the declared facts. */
export function compileCondition(source: string, scope: Scope): Compiled<Condition> {
  const read = readExpression(source, scope);
  if (!read.ok) return read;
  const { type, expr, reads } = read.value;
  if (!isScalar(type, 'bool')) {
    const hint = isScalar(type, 'string') ? { hint: 'compare it with something: == "…"' } : {};
    const message = `a condition is true or false, and this is ${aOrAn(type)}`;
    return faulty({ message, ...extentOf(source), ...hint });
  }
  const simple = simplePredicate(expr);
  const condition = { source, needs: needsOf(reads), holds: holdsOf(expr, simple) };
  rememberPlan(condition, { conjuncts: simpleConjuncts(expr), ...(simple === undefined ? {} : { simple }) });
  return { ok: true, value: condition };
}

function holdsOf(
  expr: CheckedExpression['expr'],
  simple: ReturnType<typeof simplePredicate>,
): Condition['holds'] {
  if (simple === undefined) {
    const evaluate = createEvaluator(expr, 'reads-empty');
    return (subject, change) => {
      const result = evaluate(subject, change);
      return result.ok ? { ok: true, value: result.value === true } : result;
    };
  }
  const predicate = carryOutSimple(simple);
  return (subject, change) => ({ ok: true, value: predicate(subject, change) });
}

/** A text with `${…}`, each a CEL expression of type string, int or double; `$${` stands for `${` itself. */
export function compileTemplate(source: string): Compiled<Template> {
  if (source.length > longestExpression) {
    const message = `a template has at most ${longestExpression} characters; this one has ${source.length}`;
    return faulty({ message, start: 0, end: source.length });
  }
  const template = readTemplate(source);
  if (!template.ok) return template;
  const parts: RenderedPart[] = [];
  const faults: SourceFault[] = [];
  const reads = new Set<string>();
  for (const part of template.value) {
    if (part.kind === 'text') parts.push(part.text);
    else {
      const read = readPart(part.source);
      if (!read.ok) faults.push(...read.faults.map((fault) => moved(fault, part.start)));
      else {
        for (const path of read.value.reads) reads.add(path);
        parts.push(textOf(read.value.expr));
      }
    }
  }
  if (faults.length > 0) return faulty(...faults);
  return { ok: true, value: { source, needs: needsOf(reads), render: createRenderer(parts) } };
}

function textOf(expr: CheckedExpression['expr']): Template['render'] {
  const simple = simpleText(expr);
  const evaluate = once(() => createEvaluator(expr, 'is-fault'));
  return (subject) => {
    const text = simple === undefined ? undefined : carryOutText(simple, subject);
    if (text !== undefined) return { ok: true, value: text };
    const result = evaluate()(subject);
    return result.ok ? { ok: true, value: `${result.value as string | bigint | number}` } : result;
  };
}

function readPart(source: string): Compiled<CheckedExpression> {
  if (source.trim() === '') {
    return faulty({ message: 'nothing stands between the braces', start: -2, end: source.length + 1 });
  }
  const read = readExpression(source, 'host');
  if (!read.ok) return read;
  const { type } = read.value;
  if (isScalar(type, 'string') || isScalar(type, 'int') || isScalar(type, 'double')) return read;
  const message = `a part of a name is a string, an int or a double, and this is ${aOrAn(type)}`;
  const hint = isScalar(type, 'bool') ? { hint: 'write condition ? "one" : "other"' } : {};
  return faulty({ message, ...extentOf(source), ...hint });
}

function moved(fault: SourceFault, by: number): SourceFault {
  return { ...fault, start: fault.start + by, end: fault.end + by };
}

function extentOf(source: string) {
  return { start: source.length - source.trimStart().length, end: source.trimEnd().length };
}
