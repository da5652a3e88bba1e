const quote = 0x22;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;

/** No number is so long that it is none of 64 bits. */
const mostDigits = 18;

/** Bytes of a string that are neither its end nor an escape, nor forbidden. */
const isPlain = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== quote && byte !== 0x5c ? 1 : 0,
);

const trueBytes: Uint8Array = Buffer.from('true');
const falseBytes: Uint8Array = Buffer.from('false');
const nullBytes: Uint8Array = Buffer.from('null');

/** Where the value that begins at an offset ends; -1 for a list, an object and what is not written in the plain form. */
export function endOfValue(bytes: Uint8Array, at: number): number {
  switch (bytes[at]) {
    case quote:
      return endOfString(bytes, at);
    case 0x74:
      return endOf(bytes, at, trueBytes);
    case 0x66:
      return endOf(bytes, at, falseBytes);
    case 0x6e:
      return endOf(bytes, at, nullBytes);
    default:
      return endOfInteger(bytes, at);
  }
}

/** A string without escapes, or null. */
export function endOfText(bytes: Uint8Array, at: number): number {
  return bytes[at] === quote ? endOfString(bytes, at) : endOf(bytes, at, nullBytes);
}

export function endOfFlag(bytes: Uint8Array, at: number): number {
  return endOf(bytes, at, bytes[at] === 0x74 ? trueBytes : falseBytes);
}

/** An integer of eighteen digits at most, without zeros before it. */
export function endOfInteger(bytes: Uint8Array, at: number): number {
  const first = bytes[at] === minus ? at + 1 : at;
  let end = first;
  while ((bytes[end] as number) >= zero && (bytes[end] as number) <= nine) end += 1;
  if (end === first || end - first > mostDigits) return -1;
  return bytes[first] === zero && end > at + 1 ? -1 : end;
}

/** Where bytes end that stand at an offset; -1 where others stand there. */
export function endOf(bytes: Uint8Array, at: number, expected: Uint8Array): number {
  for (let index = 0; index < expected.length; index += 1) {
    if (bytes[at + index] !== expected[index]) return -1;
  }
  return at + expected.length;
}

function endOfString(bytes: Uint8Array, at: number): number {
  let end = at + 1;
  while (isPlain[bytes[end] as number] === 1) end += 1;
  return bytes[end] === quote ? end + 1 : -1;
}
