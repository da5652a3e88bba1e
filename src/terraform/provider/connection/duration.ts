import { type Validator, validator } from '../../protocol/schema/validator.ts';

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `10m`, `24h` or `2d` in milliseconds; undefined for anything else. */
export function durationMs(text: string | null): number | undefined {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text ?? '') ?? [];
  return count === undefined || unit === undefined ? undefined : Number(count) * (units[unit] as number);
}

export const isDuration: Validator = validator<string>(
  'a duration such as `90s`, `10m` or `24h`',
  (text) => durationMs(text) !== undefined,
);
