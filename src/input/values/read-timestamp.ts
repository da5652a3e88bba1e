import { quoted } from '../../core/lib/words.ts';
import type { Span, YamlNode } from '../sources/source-text.ts';
import { describeKind, type Reading, report } from './reading.ts';

const pattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|[+-](\d\d):(\d\d))$/;

/** An RFC 3339 time with capital `T` and a time zone. Leap seconds are refused because `Date` does not support them. */
export function readTimestamp(
  reading: Reading,
  node: YamlNode,
  what: string,
  at: Span = node,
): string | undefined {
  if (node.kind !== 'scalar' || node.text === '') {
    return report(reading, at, 'wrong-type', `${what} must be a time, not ${describeKind(node)}`, {
      hint: example,
    });
  }
  if (isTimestamp(node.text)) return node.text;
  return report(reading, at, 'invalid-value', `${what} is not a time: ${quoted(node.text)}`, {
    hint: hintFor(node.text),
  });
}

const example = 'write it like 2027-01-31T00:00:00Z, or 2027-01-31T00:00:00+01:00';

function isTimestamp(text: string): boolean {
  const match = pattern.exec(text);
  if (match === null) return false;
  const [year, month, day, hour, minute, second, zoneHour, zoneMinute] = match
    .slice(1)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number, number, number, number];
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59 &&
    zoneHour <= 23 &&
    zoneMinute <= 59
  );
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}

function hintFor(text: string): string {
  if (isTimestamp(`${text}Z`))
    return `it has no time zone: write ${text}Z for UTC, or add an offset such as +01:00`;
  if (isTimestamp(`${text}T00:00:00Z`)) return `write ${text}T00:00:00Z`;
  const joined = text
    .toUpperCase()
    .replace(/^(\S+) +/, '$1T')
    .replaceAll(' ', '');
  if (isTimestamp(joined)) return `write ${joined}`;
  return pattern.test(text) ? 'this day or hour does not exist' : example;
}
