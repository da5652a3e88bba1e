const decimal = /^-?(?:0|[1-9]\d*)$/;

/** Is this text the canonical decimal form of a 64-bit signed integer? */
export function isInt64(text: string): boolean {
  if (!decimal.test(text) || text === '-0') return false;
  const isNegative = text.startsWith('-');
  const digits = isNegative ? text.length - 1 : text.length;
  if (digits !== 19) return digits < 19;
  return text <= (isNegative ? '-9223372036854775808' : '9223372036854775807');
}

/** Orders decimal texts as the integers they are. */
export function compareInt64(a: string, b: string): number {
  const x = BigInt(a);
  const y = BigInt(b);
  return x < y ? -1 : x > y ? 1 : 0;
}
