import { createPriorityQueue } from '../../core/lib/priority-queue.ts';

/**
 * Calls that wait for their turn. The one with the highest priority goes first; among equals, the one that came first.
 */
export interface CallQueue<T> {
  readonly first: T | undefined;
  readonly size: number;
  join(item: T, rank: number): void;
  /** Removes an item, at any time. */
  leave(item: T): void;
  [Symbol.iterator](): Iterator<T>;
}

interface Place<T> {
  readonly item: T;
  readonly rank: number;
  readonly order: number;
}

export function createCallQueue<T>(): CallQueue<T> {
  const places = new Map<T, Place<T>>();
  const heap = createPriorityQueue<Place<T>>(
    (a, b) => a.rank > b.rank || (a.rank === b.rank && a.order < b.order),
  );
  let joined = 0;
  return {
    get first() {
      for (let place = heap.peek(); place !== undefined; place = heap.peek()) {
        if (places.get(place.item) === place) return place.item;
        heap.pop();
      }
      return undefined;
    },
    get size() {
      return places.size;
    },
    join(item, rank) {
      const place = { item, rank, order: joined++ };
      places.set(item, place);
      heap.push(place);
    },
    leave: (item) => void places.delete(item),
    [Symbol.iterator]: () => places.keys(),
  };
}
