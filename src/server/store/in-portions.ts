/**
 * Repeats statements that each change at most `size` rows, so that none holds its locks for long, until one changes
 * fewer. `change` returns the rows that it changed. Returns the sum.
 */
export async function inPortions(size: number, change: (size: number) => Promise<number>): Promise<number> {
  for (let sum = 0; ; ) {
    const changed = await change(size);
    sum += changed;
    if (changed < size) return sum;
  }
}
