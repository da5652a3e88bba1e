import {
  type Numeric,
  numericFromBigInt,
  numericFromFloat,
  numericFromText,
  textOfNumeric,
} from '../value/numeric.ts';
import { MessagePackError, type Token } from './reader.ts';
import type { Writer } from './writer.ts';

/** Terraform sends whole numbers of up to 64 bits as integers, what a double holds as a float, and all else as text. */
export function numericOfToken(token: Token): Numeric {
  try {
    switch (token.kind) {
      case 'integer':
        return numericFromBigInt(token.value);
      case 'float':
        return numericFromFloat(token.value);
      case 'text':
        return numericFromText(token.value);
      default:
        throw new MessagePackError(`a ${token.kind} where a number belongs`);
    }
  } catch (error) {
    if (error instanceof RangeError) throw new MessagePackError(error.message);
    throw error;
  }
}

/** Fractions go as their decimal text, which Terraform reads as exactly what configuration would have said. */
export function writeNumeric(writer: Writer, value: Numeric): void {
  if (Number.isSafeInteger(value)) {
    writer.integer(BigInt(value as number));
    return;
  }
  const text = textOfNumeric(value);
  const whole = /^-?\d+$/.test(text) ? BigInt(text) : null;
  if (whole !== null && BigInt.asIntN(64, whole) === whole) writer.integer(whole);
  else writer.text(text);
}
