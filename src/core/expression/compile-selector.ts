import type { Evaluated } from '../model/expression.ts';
import { isScalar, scalar } from './checker/cel-type.ts';
import { aOrAn } from './checker/check-fact.ts';
import { createTextEvaluator } from './running/engine.ts';
import { readExpression } from './syntax/read-expression.ts';
import { type Compiled, faulty } from './syntax/source-fault.ts';

/** Whether an expression holds for these texts. A name without a text reads as "". */
export type Selector = (texts: Readonly<Record<string, string>>) => Evaluated<boolean>;

/** Compiles a CEL expression of type bool that reads only texts with these names, such as the labels of accounts. */
export function compileSelector(source: string, names: ReadonlySet<string>): Compiled<Selector> {
  const texts = new Map([...names].map((name) => [name, scalar('string')]));
  const read = readExpression(source, 'texts', { texts });
  if (!read.ok) return read;
  const { type, expr } = read.value;
  if (!isScalar(type, 'bool')) {
    const hint = isScalar(type, 'string') ? { hint: 'compare it with a value: == "…"' } : {};
    return faulty({
      message: `a selector must be a bool, and this is ${aOrAn(type)}`,
      start: 0,
      end: source.length,
      ...hint,
    });
  }
  const evaluate = createTextEvaluator(expr);
  const empty = Object.fromEntries([...names].map((name) => [name, '']));
  return {
    ok: true,
    value: (texts) => {
      const result = evaluate({ ...empty, ...texts });
      return result.ok ? { ok: true, value: result.value === true } : result;
    },
  };
}
