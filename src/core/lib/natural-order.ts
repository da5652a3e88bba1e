const collator = new Intl.Collator('en', { numeric: true });

/**
 * Compares names as people sort them: numbers in them count as numbers, so account-2 comes before account-10. Names that
 * this order does not distinguish come in the order of their characters.
 */
export function compareNaturally(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
