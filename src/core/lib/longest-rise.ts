import { countWhile } from './binary-search.ts';
/** The length of the longest increasing subsequence. */
export function longestRise(numbers: readonly number[]): number {
  const ends: number[] = [];
  for (const number of numbers) {
    ends[countWhile(ends.length, (at) => (ends[at] as number) < number)] = number;
  }
  return ends.length;
}
