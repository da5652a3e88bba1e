import { quoted } from '../../core/lib/words.ts';
import type { Span, YamlNode } from '../sources/source-text.ts';
import { describeKind, kindOf, type Reading, report } from './reading.ts';

const meanings: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', 'no', 'off'].map((word) => [word, false] as const),
]);

export function readBoolean(
  reading: Reading,
  node: YamlNode,
  what: string,
  at: Span = node,
): boolean | undefined {
  if (node.kind === 'scalar' && kindOf(node) === 'boolean') return node.text.toLowerCase() === 'true';
  const meant = node.kind === 'scalar' ? meanings.get(node.text.toLowerCase()) : undefined;
  const shown = node.kind === 'scalar' && node.text !== '' ? quoted(node.text) : describeKind(node);
  return report(
    reading,
    at,
    'wrong-type',
    `${what} must be true or false, not ${shown}`,
    meant === undefined ? {} : { hint: `write ${meant}, without quotation marks` },
  );
}
