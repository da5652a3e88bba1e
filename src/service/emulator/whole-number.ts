import { z } from 'zod';

/** A whole number that fits a JSON number, from YAML whose integers are read as bigints. */
export function wholeNumber(least: number, expected: string): z.ZodType<number> {
  return z.preprocess(
    (value) => (typeof value === 'bigint' ? Number(value) : value),
    z.int(expected).min(least, expected),
  );
}
