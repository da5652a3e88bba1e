import {
  type Compiled,
  compileCondition,
  compileTemplate,
  compileText,
  type ExpressionScope,
} from '../../core/expression/compile.ts';
import type { Condition, Template } from '../../core/model/expression.ts';
import type { Span, YamlNode } from '../sources/source-text.ts';
import { readText } from './read-text.ts';
import { type Reading, report } from './reading.ts';
import { spanInScalar } from './span-in-scalar.ts';

/** Reads a boolean CEL expression. Faults are reported at their position inside the scalar. */
export function readCondition(
  reading: Reading,
  node: YamlNode,
  what: string,
  at: Span,
  scope: ExpressionScope,
): Condition | undefined {
  return readCompiled(reading, node, what, at, (text) => compileCondition(text, scope, reading.tables));
}

/** Reads a text with `${…}` in it. */
export function readTemplate(reading: Reading, node: YamlNode, what: string, at: Span): Template | undefined {
  return readCompiled(reading, node, what, at, (text) => compileTemplate(text, reading.tables));
}

/** Reads a CEL expression of type string or int. It reads no tables, because it joins one to hosts. */
export function readKeyExpression(
  reading: Reading,
  node: YamlNode,
  what: string,
  at: Span,
): Template | undefined {
  return readCompiled(reading, node, what, at, (text) => compileText(text));
}

function readCompiled<T>(
  reading: Reading,
  node: YamlNode,
  what: string,
  at: Span,
  compile: (text: string) => Compiled<T>,
): T | undefined {
  const text = readText(reading, node, what, at);
  if (text === undefined || node.kind !== 'scalar') return undefined;
  const compiled = compile(text);
  if (compiled.ok) return compiled.value;
  for (const { message, hint, ...part } of compiled.faults) {
    const span = spanInScalar(reading.source, node, part);
    report(reading, span, 'invalid-expression', message, hint === undefined ? {} : { hint });
  }
  return undefined;
}
