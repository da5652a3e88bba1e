import { quoted } from '../../core/lib/words.ts';
import type { Span, YamlNode } from '../sources/source-text.ts';
import { describeKind, kindOf, type Reading, report } from './reading.ts';

/** A text that is not blank, such as a name. `at` is the span for problems if the value was omitted. */
export function readText(
  reading: Reading,
  node: YamlNode,
  what: string,
  at: Span = node,
): string | undefined {
  const kind = kindOf(node);
  if (node.kind !== 'scalar' || kind !== 'text') {
    return report(
      reading,
      at,
      'wrong-type',
      `${what} must be text, not ${describeKind(node)}`,
      textHint(node),
    );
  }
  if (node.text.trim() === '') return report(reading, at, 'invalid-value', `${what} is empty`);
  if (!node.text.isWellFormed()) {
    return report(reading, at, 'invalid-value', `${what} contains half a character (a lone surrogate)`);
  }
  return node.text;
}

function textHint(node: YamlNode): { hint?: string } {
  if (node.kind === 'mapping') return { hint: 'a value that starts with "{" needs quotation marks' };
  if (node.kind === 'sequence') return { hint: 'a value that starts with "[" needs quotation marks' };
  if (node.text === '') return {};
  return { hint: `for the literal text, use quotation marks: ${quoted(node.text)}` };
}
