import type { Span } from '../sources/source-text.ts';
import type { YamlNode } from '../sources/yaml-tree.ts';
import { type Reading, report } from './reading.ts';
import { describeKind, kindOf } from './scalar-kind.ts';

/** The version of the format, which is 1 without quotation marks. */
export function readVersion(reading: Reading, node: YamlNode, at: Span): 1 | undefined {
  if (node.kind !== 'scalar' || node.text === '') {
    return report(reading, at, 'wrong-version', `the version must be 1, not ${describeKind(node)}`, {
      hint: 'write "version: 1"',
    });
  }
  if (node.text === '1' && node.plain) return 1;
  const newer = kindOf(node) === 'integer' && Number(node.text) > 1;
  const found = node.plain ? node.text.slice(0, 20) : 'text';
  return report(reading, node, 'wrong-version', `the version must be 1, not ${found}`, {
    hint: newer
      ? 'the file may be for a newer Rampart; this one reads version 1'
      : 'write "version: 1", without quotation marks',
  });
}
