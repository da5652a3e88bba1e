import { type Compiled, faulty } from './source-fault.ts';
import { endOfText } from './tokens.ts';

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'expression'; readonly source: string; readonly start: number };

/** Splits a text with `${…}` into its parts; `$${` stands for `${` itself. */
export function splitTemplate(source: string): Compiled<readonly TemplatePart[]> {
  const parts: TemplatePart[] = [];
  let text = '';
  let at = 0;
  while (at < source.length) {
    if (source.startsWith('$${', at)) {
      text += '${';
      at += 3;
    } else if (source.startsWith('${', at)) {
      const end = endOfExpression(source, at + 2);
      if (end === undefined) return faulty({ message: '${ is never closed', start: at, end: at + 2 });
      if (text !== '') parts.push({ kind: 'text', text });
      text = '';
      parts.push({ kind: 'expression', source: source.slice(at + 2, end), start: at + 2 });
      at = end + 1;
    } else {
      text += source[at];
      at += 1;
    }
  }
  if (text !== '') parts.push({ kind: 'text', text });
  return { ok: true, value: parts };
}

/** The index of the closing brace. Braces in texts do not count, and those of maps come in pairs. */
function endOfExpression(source: string, start: number): number | undefined {
  let open = 0;
  for (let at = start; at < source.length; at += 1) {
    const text = endOfText(source, at);
    if (text?.ok) at = text.value - 1;
    else if (source[at] === '{') open += 1;
    else if (source[at] === '}') {
      if (open === 0) return at;
      open -= 1;
    }
  }
  return undefined;
}
