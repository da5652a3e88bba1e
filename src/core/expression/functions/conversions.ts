import { isInt64 } from '../../lib/int64.ts';
import { quoted } from '../../lib/words.ts';
import { faultAbout } from '../running/running.ts';
import type { FunctionSource } from './function-source.ts';

const number = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|Infinity|inf)$|^NaN$/;
const longestNumber = 400;

/** Conversions between types. Those from texts are our own, because the library reads "" and blanks as 0. */
export const conversions: readonly FunctionSource[] = [
  {
    signature: 'int(string): int',
    about: 'the integer in the text; a fault if the text is not an integer',
    run: (text: string) => {
      const plain = /^[+-]?\d+$/.test(text) ? text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1') : '';
      if (plain === '-0') return 0n;
      if (!isInt64(plain)) throw faultAbout`int(${quoted(text)}): the string is not a 64-bit integer`;
      return BigInt(plain);
    },
  },
  { signature: 'int(double): int', about: 'the number without its fraction' },
  { signature: 'int(int): int', about: 'the same number' },
  { signature: 'int(timestamp): int', about: 'the seconds since 1970-01-01T00:00:00Z' },
  {
    signature: 'double(string): double',
    about: 'the number in the text; a fault if the text is not a number',
    run: (text: string) => {
      if (text.length > longestNumber || !number.test(text)) {
        throw faultAbout`double(${quoted(text)}): the string is not a number`;
      }
      return Number(text.replace(/inf$/, 'Infinity'));
    },
  },
  { signature: 'double(int): double', about: 'the number as a double' },
  { signature: 'double(double): double', about: 'the same number' },
  { signature: 'string(int): string', about: 'the number as text' },
  { signature: 'string(double): string', about: 'the number as text' },
  { signature: 'string(bool): string', about: '"true" or "false"' },
  { signature: 'string(string): string', about: 'the same text' },
  { signature: 'string(timestamp): string', about: 'the time as RFC 3339 text, in UTC' },
  { signature: 'string(duration): string', about: 'the duration in seconds, such as "90s"' },
  { signature: 'bool(string): bool', about: 'the value of "true" or "false"' },
  { signature: 'bool(bool): bool', about: 'the same value' },
  {
    signature: 'timestamp(string): timestamp',
    about: 'the time in a text such as "2026-01-31T00:00:00Z" or "2026-01-31"; UTC without a time zone',
  },
  { signature: 'timestamp(timestamp): timestamp', about: 'the same time' },
  {
    signature: 'duration(string): duration',
    about: 'the duration in a text such as "36h" or "90m", or in whole days or weeks, such as "30d" or "2w"',
  },
  { signature: 'duration(duration): duration', about: 'the same duration' },
];
