import { quoted } from '../../core/lib/quoted.ts';
import type { Limit } from '../../core/model/limits.ts';
import type { Span } from '../sources/source-text.ts';
import type { YamlNode } from '../sources/yaml-tree.ts';
import { type Reading, report } from './reading.ts';
import { describeKind, kindOf } from './scalar-kind.ts';

/** A percentage, or a whole number of hosts. */
export function readLimit(reading: Reading, node: YamlNode, what: string, at: Span): Limit | undefined {
  if (node.kind !== 'scalar' || node.text === '') {
    const message = `the limit ${what} must be a percentage or a number, not ${describeKind(node)}`;
    const hint = 'write 10% for a percentage of the fleet, or 10 for ten hosts';
    return report(reading, at, 'wrong-type', message, { hint });
  }
  const share = /^(\d+(?:\.\d+)?)%$/.exec(node.text);
  if (share !== null && Number(share[1]) <= 100) return { kind: 'share', percent: Number(share[1]) };
  if (
    kindOf(node) === 'integer' &&
    /^(?:0|[1-9]\d*)$/.test(node.text) &&
    Number.isSafeInteger(Number(node.text))
  ) {
    return { kind: 'count', count: Number(node.text) };
  }
  return report(reading, at, 'invalid-value', `the limit ${what} can't be ${quoted(node.text)}`, {
    hint: hintFor(node.text, share !== null),
  });
}

function hintFor(text: string, isShare: boolean): string {
  if (/^\d[\d.]*\s+%$/.test(text)) return `write ${text.replace(/\s+/, '')}`;
  if (isShare) return 'a percentage must be from 0% to 100%';
  if (/^0?\.\d{1,6}$/.test(text)) return `did you mean ${Number((Number(text) * 100).toFixed(4))}%?`;
  return 'write a percentage of the fleet, such as 10%, or a whole number of hosts, without quotation marks';
}
