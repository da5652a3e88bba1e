const minimum = -(2n ** 63n);
const maximum = 2n ** 63n - 1n;
const decimal = /^-?(?:0|[1-9]\d*)$/;

/** Is this text the canonical decimal form of a 64-bit signed integer? */
export function isInt64(text: string): boolean {
  if (text.length < 19) return decimal.test(text) && text !== '-0';
  if (text.length > 20 || !decimal.test(text)) return false;
  const value = BigInt(text);
  return value >= minimum && value <= maximum;
}

/** Orders decimal texts as the integers they are. */
export function compareInt64(a: string, b: string): number {
  const x = BigInt(a);
  const y = BigInt(b);
  return x < y ? -1 : x > y ? 1 : 0;
}
