import type { Evaluated, ExpressionSubject, Template } from '../../model/expression.ts';
import { longestText } from '../expression-limits.ts';

/** A text as it is, or an expression. */
export type RenderedPart = string | Template['begin'];

export function createRenderer(parts: readonly RenderedPart[]): Template['begin'] {
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
