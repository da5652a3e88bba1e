import { quoted } from '../../core/lib/words.ts';
import type { Member } from '../sources/source-text.ts';
import { describeKind, type Reading, report, valueSpan } from './reading.ts';

/** A whole number from 0 on. */
export function readCount(reading: Reading, member: Member, what: string): number | undefined {
  const node = member.value;
  const at = valueSpan(member);
  if (node.kind !== 'scalar' || node.text === '') {
    return report(reading, at, 'wrong-type', `${what} must be a number, not ${describeKind(node)}`);
  }
  if (node.plain && /^(?:0|[1-9]\d{0,8})$/.test(node.text)) return Number(node.text);
  return report(reading, at, 'invalid-value', `${what} must be a whole number, not ${quoted(node.text)}`, {
    hint: 'write digits, without quotation marks',
  });
}
