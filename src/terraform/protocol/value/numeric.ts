/**
 * A number of any size and precision in its normal form: a `number` if JavaScript prints exactly the given digits, a
 * `bigint` for integers beyond 2^53, a `Decimal` for all others.
 */
export type Numeric = number | bigint | Decimal;

/** A decimal text that neither `number` nor `bigint` holds exactly. */
export class Decimal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Throws a RangeError if the text is not a decimal number. */
export function numericFromText(text: string): Numeric {
  const meant = digitsOf(text);
  if (meant.exponent >= 0) {
    if (meant.exponent > longestExponent) throw new RangeError('a number with too many digits');
    const whole = BigInt(meant.digits + '0'.repeat(meant.exponent)) * (meant.negative ? -1n : 1n);
    return isSafe(whole) ? Number(whole) : whole;
  }
  const near = Number(text);
  return Number.isFinite(near) && sameDigits(digitsOf(String(near)), meant) ? near : new Decimal(text);
}

export function numericFromBigInt(value: bigint): Numeric {
  return isSafe(value) ? Number(value) : value;
}

/** Throws a RangeError for infinities and NaN. */
export function numericFromFloat(value: number): Numeric {
  if (!Number.isFinite(value)) throw new RangeError('a number that is not finite');
  return Number.isInteger(value) ? numericFromBigInt(BigInt(value)) : value;
}

export function textOfNumeric(value: Numeric): string {
  if (value instanceof Decimal) return value.text;
  return Number.isInteger(value) ? BigInt(value).toString() : value.toString();
}

export function isNumeric(value: unknown): value is Numeric {
  return (
    typeof value === 'bigint' ||
    value instanceof Decimal ||
    (typeof value === 'number' && Number.isFinite(value))
  );
}

/** Equal for all ways to write one number. */
export function keyOfNumeric(value: Numeric): string {
  const { negative, digits, exponent } = digitsOf(textOfNumeric(value));
  return `${negative ? '-' : ''}${digits}e${exponent}`;
}

interface Digits {
  readonly negative: boolean;
  /** Without leading or trailing zeros; `0` for zero. */
  readonly digits: string;
  readonly exponent: number;
}

const decimal = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d{1,6}))?$/;
const longestExponent = 100_000;

function digitsOf(text: string): Digits {
  const match = decimal.exec(text);
  if (match === null || `${match[2]}${match[3] ?? ''}` === '') throw new RangeError('not a decimal number');
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  if (digits === '') return { negative: false, digits: '0', exponent: 0 };
  return {
    negative: sign === '-',
    digits,
    exponent: Number(power) - fraction.length + all.length - digits.length,
  };
}

function sameDigits(a: Digits, b: Digits): boolean {
  return a.negative === b.negative && a.digits === b.digits && a.exponent === b.exponent;
}

function isSafe(value: bigint): boolean {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
}
