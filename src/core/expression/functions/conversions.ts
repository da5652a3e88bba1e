import { isInt64 } from '../../lib/int64.ts';
import { quoted } from '../../lib/quoted.ts';
import { PlainFault } from '../running/running.ts';
import type { FunctionSource } from './function-source.ts';

const number = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|Infinity|inf)$|^NaN$/;
const longestNumber = 400;

/** Between types. Those of texts are ours: the library takes "" and blanks for 0. */
export const conversions: readonly FunctionSource[] = [
  {
    signature: 'int(string): int',
    about: 'the whole number that the text is; a fault where it is none',
    run: (text: string) => {
      const plain = /^[+-]?\d+$/.test(text) ? text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1') : '';
      if (plain === '-0') return 0n;
      if (!isInt64(plain)) throw new PlainFault(`int(${quoted(text)}): that is no whole number of 64 bits`);
      return BigInt(plain);
    },
  },
  { signature: 'int(double): int', about: 'the number without what is after its point' },
  { signature: 'int(int): int', about: 'the number itself' },
  { signature: 'int(timestamp): int', about: 'the seconds since 1970' },
  {
    signature: 'double(string): double',
    about: 'the number that the text is; a fault where it is none',
    run: (text: string) => {
      if (text.length > longestNumber || !number.test(text)) {
        throw new PlainFault(`double(${quoted(text)}): that is no number`);
      }
      return Number(text.replace(/inf$/, 'Infinity'));
    },
  },
  { signature: 'double(int): double', about: 'the number with a point' },
  { signature: 'double(double): double', about: 'the number itself' },
  { signature: 'string(int): string', about: 'the number as a text' },
  { signature: 'string(double): string', about: 'the number as a text' },
  { signature: 'string(bool): string', about: '"true" or "false"' },
  { signature: 'string(string): string', about: 'the text itself' },
  { signature: 'string(timestamp): string', about: 'as RFC 3339, in UTC' },
  { signature: 'string(duration): string', about: 'in seconds, such as "90s"' },
  { signature: 'bool(string): bool', about: '"true" or "false" as what they mean' },
  { signature: 'bool(bool): bool', about: 'the value itself' },
  {
    signature: 'timestamp(string): timestamp',
    about: 'the moment that an RFC 3339 text such as "2026-01-31T00:00:00Z" names',
  },
  { signature: 'timestamp(timestamp): timestamp', about: 'the moment itself' },
  { signature: 'duration(string): duration', about: 'a length of time such as "36h" or "90m"' },
  { signature: 'duration(duration): duration', about: 'the length of time itself' },
];
