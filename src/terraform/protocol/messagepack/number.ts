import {
  type Numeric,
  numericFromBigInt,
  numericFromFloat,
  numericFromText,
  textOfNumeric,
} from '../value/numeric.ts';
import { decodeText, MessagePackError, type MessagePackTree } from './tree.ts';

/**
 * Terraform sends integers of up to 64 bits as integers, values that a double holds exactly as floats, and all others
 * as text.
 */
export function numericOf(tree: MessagePackTree): Numeric {
  try {
    if (typeof tree === 'bigint') return numericFromBigInt(tree);
    if (typeof tree === 'number') return numericFromFloat(tree);
    if (tree instanceof Uint8Array) return numericFromText(decodeText(tree));
  } catch (error) {
    if (error instanceof RangeError) throw new MessagePackError(error.message);
    throw error;
  }
  throw new MessagePackError('expected a number');
}

/** Fractions are sent as their decimal text, which Terraform reads exactly as if it were in the configuration. */
export function treeOfNumeric(value: Numeric): number | bigint | string {
  const text = textOfNumeric(value);
  if (!/^-?\d+$/.test(text)) return text;
  const whole = BigInt(text);
  if (BigInt.asIntN(64, whole) !== whole) return text;
  return whole >= -0x80000000n && whole <= 0xffffffffn ? Number(whole) : whole;
}
