import { longestRise } from '../../core/lib/longest-rise.ts';
import { figure } from '../../output/components/numbers.ts';

/** How a list differs from the one on the page. */
export interface OrderChange {
  readonly added: number;
  readonly removed: number;
  readonly moved: number;
}

/** Compares two orders of unique keys. The fewest rows that explain the new order count as moved. */
export function orderChange(shown: readonly string[], fresh: readonly string[]): OrderChange {
  const places = new Map(shown.map((key, index) => [key, index]));
  const common = fresh.flatMap((key) => places.get(key) ?? []);
  return {
    added: fresh.length - common.length,
    removed: shown.length - common.length,
    moved: common.length - longestRise(common),
  };
}

/** `3 new, 1 moved`, or null if nothing changed. */
export function orderChangeText({ added, removed, moved }: OrderChange): string | null {
  const parts = [
    added > 0 && `${figure(added)} new`,
    moved > 0 && `${figure(moved)} moved`,
    removed > 0 && `${figure(removed)} no longer listed`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : parts.join(', ');
}
