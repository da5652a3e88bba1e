import { useEffect, useRef, useState } from 'preact/hooks';
import { orderChange, orderChangeText } from '../words/order-change.ts';

/** A short list whose rows stay in place while someone reads. */
export interface Stable<Item> {
  readonly rows: readonly { readonly item: Item; readonly isGone: boolean }[];
  /** What an update would change, such as `2 new`; null if nothing. */
  readonly waiting: string | null;
  readonly apply: () => void;
}

/** Keeps the order in which a list was first shown. Rows that left it stay, marked, until the reader applies the order. */
export function useStable<Item>(items: readonly Item[], keyOf: (item: Item) => string): Stable<Item> {
  const shown = useRef<ReadonlyMap<string, Item> | null>(null);
  const [, update] = useState(0);
  const fresh = new Map(items.map((item) => [keyOf(item), item]));
  if (shown.current === null || shown.current.size === 0) shown.current = fresh;
  else shown.current = new Map([...shown.current].map(([key, item]) => [key, fresh.get(key) ?? item]));
  const apply = () => {
    shown.current = null;
    update((count) => count + 1);
  };
  const latest = useRef(apply);
  latest.current = apply;
  useEffect(() => {
    // Nobody reads a page in the background.
    const listen = () => {
      if (document.hidden) latest.current();
    };
    document.addEventListener('visibilitychange', listen);
    return () => document.removeEventListener('visibilitychange', listen);
  }, []);
  const rows = [...shown.current].map(([key, item]) => ({ item, isGone: !fresh.has(key) }));
  const waiting = orderChangeText(orderChange([...shown.current.keys()], [...fresh.keys()]));
  return { rows, waiting, apply };
}
