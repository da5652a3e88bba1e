import { isInt64 } from '../../lib/int64.ts';

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;

/** A number with this many digits always fits in 64 bits. */
const mostDigits = 18;

/** Bytes of a string that are not its end, an escape or forbidden. */
const isPlain = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== quote && byte !== backslash ? 1 : 0,
);

const isPlainAscii = isPlain.map((plain, byte) => (byte < 0x80 ? plain : 0));

const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const longestEscape = 6;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const numberCharacters = '+-.0123456789Ee';
const isOfNumber = Uint8Array.from({ length: 256 }, (_, byte) =>
  numberCharacters.includes(String.fromCharCode(byte)) ? 1 : 0,
);

const trueBytes: Uint8Array = Buffer.from('true');
const falseBytes: Uint8Array = Buffer.from('false');
const nullBytes: Uint8Array = Buffer.from('null');

/** The end of the value at an offset; -1 for a list, an object and anything that is not JSON. */
export function endOfValue(bytes: Buffer, at: number): number {
  switch (bytes[at]) {
    case quote:
      return endOfStringBytes(bytes, at);
    case 0x74:
      return endOf(bytes, at, trueBytes);
    case 0x66:
      return endOf(bytes, at, falseBytes);
    case 0x6e:
      return endOf(bytes, at, nullBytes);
    default:
      return endOfNumber(bytes, at);
  }
}

/** A string or null. */
export function endOfTextBytes(bytes: Buffer, at: number): number {
  return bytes[at] === quote ? endOfStringBytes(bytes, at) : endOf(bytes, at, nullBytes);
}

export function endOfFlag(bytes: Buffer, at: number): number {
  return endOf(bytes, at, bytes[at] === 0x74 ? trueBytes : falseBytes);
}

/** A 64-bit integer without leading zeros. */
export function endOfInteger(bytes: Buffer, at: number): number {
  const first = bytes[at] === minus ? at + 1 : at;
  let end = first;
  while ((bytes[end] as number) >= zero && (bytes[end] as number) <= nine) end += 1;
  if (end === first || (bytes[first] === zero && end > at + 1)) return -1;
  return end - first <= mostDigits || isInt64(bytes.toString('latin1', at, end)) ? end : -1;
}

/** The end of the expected bytes at an offset; -1 if other bytes are there. */
function endOf(bytes: Buffer, at: number, expected: Uint8Array): number {
  for (let index = 0; index < expected.length; index += 1) {
    if (bytes[at + index] !== expected[index]) return -1;
  }
  return at + expected.length;
}

export function endOfStringBytes(bytes: Buffer, at: number): number {
  let end = endOfPlainBytes(bytes, at + 1);
  while (bytes[end] === backslash) {
    escape.lastIndex = 0;
    if (!escape.test(bytes.toString('latin1', end, end + longestEscape))) return -1;
    end = endOfPlainBytes(bytes, end + escape.lastIndex);
  }
  return bytes[end] === quote ? end + 1 : -1;
}

/** The end of the characters in a string that need no escape. */
export function endOfPlainBytes(bytes: Buffer, at: number): number {
  let end = at;
  while (isPlain[bytes[end] as number] === 1) end += 1;
  return end;
}

/** The same, but ASCII only. */
export function endOfPlainAscii(bytes: Buffer, at: number): number {
  let end = at;
  while (isPlainAscii[bytes[end] as number] === 1) end += 1;
  return end;
}

function endOfNumber(bytes: Buffer, at: number): number {
  let end = at;
  while (isOfNumber[bytes[end] as number] === 1) end += 1;
  return number.test(bytes.toString('latin1', at, end)) ? end : -1;
}
