import { parseDuration } from '../../../core/lib/parse-duration.ts';
import { type Validator, validator } from '../../protocol/schema/schema.ts';

/** `90s`, `10m`, `24h` or `2d` in milliseconds; undefined for anything else. */
export function durationMs(text: string | null): number | undefined {
  return text === null ? undefined : parseDuration(text);
}

export const isDuration: Validator = validator<string>(
  'a duration such as `90s`, `10m` or `24h`',
  (text) => durationMs(text) !== undefined,
);
