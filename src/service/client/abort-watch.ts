/**
 * Lets many waits share few signals. A signal searches all its listeners on each change, so this adds only one listener
 * to each signal, which makes adding and removing many waits faster.
 */
export interface AbortWatch<T> {
  add(signal: AbortSignal, item: T): void;
  remove(signal: AbortSignal, item: T): void;
}

/** When a signal is aborted, calls `onAbort` with all items that still wait for it. */
export function createAbortWatch<T>(onAbort: (items: readonly T[]) => void): AbortWatch<T> {
  const groups = new Map<AbortSignal, { readonly items: Set<T>; readonly listener: () => void }>();
  return {
    add(signal, item) {
      const known = groups.get(signal);
      if (known !== undefined) {
        known.items.add(item);
        return;
      }
      const items = new Set([item]);
      const listener = () => onAbort([...items]);
      groups.set(signal, { items, listener });
      signal.addEventListener('abort', listener);
    },
    remove(signal, item) {
      const group = groups.get(signal);
      if (group?.items.delete(item) !== true || group.items.size > 0) return;
      groups.delete(signal);
      signal.removeEventListener('abort', group.listener);
    },
  };
}
