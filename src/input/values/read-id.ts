import { isInt64 } from '../../core/lib/int64.ts';
import { quoted } from '../../core/lib/words.ts';
import type { Span, YamlNode } from '../sources/source-text.ts';
import { describeKind, type Reading, report } from './reading.ts';

/** A 64-bit integer, quoted or not, as its canonical decimal text; never rounded. */
export function readId(reading: Reading, node: YamlNode, what: string, at: Span = node): string | undefined {
  if (node.kind !== 'scalar' || node.text === '') {
    return report(reading, at, 'invalid-id', `${what} must be an integer, not ${describeKind(node)}`);
  }
  if (isInt64(node.text)) return node.text;
  const beyond = /^[-+]?\d{19,}$/.test(node.text) && !/^[-+]?0/.test(node.text);
  const message = beyond
    ? `${what} is beyond 64 bits`
    : `${what} must be a plain decimal integer, not ${quoted(node.text)}`;
  return report(reading, at, 'invalid-id', message, { hint: hintFor(node.text) });
}

function hintFor(text: string): string {
  if (/^[-+]?\d+(?:[.,]\d+)?[eE][-+]?\d+$/.test(text)) {
    return 'an id with an exponent was rounded by a spreadsheet: copy the id again from "rampart hosts"';
  }
  if (/^[-+]?\d+\.0*$/.test(text)) return 'write it without the decimal point';
  if (/^'[-+]?\d+$/.test(text)) return `write it without the apostrophe: ${text.slice(1)}`;
  if (text.length <= 24) {
    if (/^0[xX][\da-fA-F]+$|^0[oO][0-7]+$|^[-+]?\d+$/.test(text)) {
      const decimal = String(BigInt(text.toLowerCase()));
      if (isInt64(decimal)) return `write it as ${decimal}`;
    }
    const digits = text.replace(/[\s_,.']/g, '');
    const isGrouped = /^\d[\d\s_,']*\d$/.test(text.trim()) || /^\d{1,3}(?:\.\d{3}){2,}$/.test(text);
    if (isGrouped && isInt64(digits)) return `write it as ${digits}`;
  }
  if (/^[-+]?\d+$/.test(text)) return 'ids must be from -9223372036854775808 to 9223372036854775807';
  return 'an id is a number, as "rampart hosts" and "rampart hosts groups" show it';
}
