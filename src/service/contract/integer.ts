import { z } from 'zod';
import { exactInteger } from '../../core/lib/exact-json.ts';
import { isInt64 } from '../../core/lib/int64.ts';
import { once } from '../../core/lib/once.ts';

/**
 * A 64-bit integer on the wire: there a JSON number, here a decimal string, because a number would round it beyond
 * 2^53. `parseExactJson` has already quoted integers that are too long for a number (specification section 2).
 */
export const int64 = once(() =>
  z
    .codec(z.unknown(), z.string().refine(isInt64), { decode: digitsOf, encode: exactInteger })
    .meta({ type: 'integer', format: 'int64' }),
);

function digitsOf(value: unknown, { issues }: { readonly issues: z.core.$ZodRawIssue[] }): string {
  if (typeof value === 'string' && isInt64(value)) return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  issues.push({ code: 'custom', message: 'expected a 64-bit integer', input: value });
  return z.NEVER;
}

/** The number of an enumeration; unknown numbers pass through. */
export function openEnum(values: Readonly<Record<string, number>>) {
  return z.number().meta({ type: 'integer', 'x-known-values': { ...values } });
}
