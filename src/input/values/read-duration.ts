import { parseDuration } from '../../core/lib/parse-duration.ts';
import type { Span } from '../sources/source-text.ts';
import type { YamlNode } from '../sources/yaml-tree.ts';
import { readText } from './read-text.ts';
import { type Reading, report } from './reading.ts';

/** A duration such as `7d`, in milliseconds. */
export function readDuration(reading: Reading, node: YamlNode, what: string, at: Span): number | undefined {
  const text = readText(reading, node, what, at);
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  return report(reading, at, 'invalid-value', `${what} must be a duration`, {
    hint: 'write a whole number and a unit, such as 12h or 7d',
  });
}
