import { nearest, quoted } from '../../core/lib/words.ts';
import type { Span, YamlNode } from '../sources/source-text.ts';
import { describeKind, type Reading, report } from './reading.ts';

/** One of a few words. */
export function readWord<const W extends string>(
  reading: Reading,
  node: YamlNode,
  what: string,
  words: readonly W[],
  at: Span = node,
): W | undefined {
  const choice = words.map((word) => `"${word}"`).join(' or ');
  if (node.kind !== 'scalar' || node.text === '') {
    return report(reading, at, 'wrong-type', `${what} must be ${choice}, not ${describeKind(node)}`);
  }
  const found = words.find((word) => word === node.text);
  if (found !== undefined) return found;
  const [near] = nearest(node.text, words);
  return report(reading, at, 'invalid-value', `${what} must be ${choice}, not ${quoted(node.text)}`, {
    hint: near === undefined ? `write ${choice}, or remove the key` : `did you mean "${near}"?`,
  });
}
