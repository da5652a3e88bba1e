/** Where each share of a list with this many items ends. It is rounded up, so that the first share has an item. */
export function endsOfShares(shares: readonly number[], total: number): readonly number[] {
  // Without the correction, 0.1% of 1,000 might be 1.0000000000000002.
  return shares.map((percent) => Math.ceil((percent * total) / 100 - 1e-9));
}
