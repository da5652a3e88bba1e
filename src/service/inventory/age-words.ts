import { count } from '../../core/lib/words.ts';

const units = [
  ['day', 24 * 60 * 60 * 1000],
  ['hour', 60 * 60 * 1000],
  ['minute', 60 * 1000],
] as const;

/** An age for a reader: `3 days`, `1 hour`, `less than a minute`. */
export function ageWords(ms: number): string {
  for (const [unit, unitMs] of units) {
    const number = Math.floor(ms / unitMs);
    if (number > 0) return count(number, unit);
  }
  return 'less than a minute';
}
