/** A binary heap: `pop` returns an item that no other item precedes. */
export interface PriorityQueue<T> {
  readonly size: number;
  push(item: T): void;
  peek(): T | undefined;
  pop(): T | undefined;
}

/** `before` must be a strict order. Items that are equal come out in no particular order. */
export function createPriorityQueue<T>(before: (a: T, b: T) => boolean): PriorityQueue<T> {
  const heap: T[] = [];
  const at = (index: number): T => heap[index] as T;

  function swap(i: number, j: number): void {
    const item = at(i);
    heap[i] = at(j);
    heap[j] = item;
  }

  function rise(start: number): void {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!before(at(index), at(parent))) return;
      swap(index, parent);
      index = parent;
    }
  }

  function sink(start: number): void {
    let index = start;
    while (true) {
      const left = 2 * index + 1;
      const right = left + 1;
      let first = index;
      if (left < heap.length && before(at(left), at(first))) first = left;
      if (right < heap.length && before(at(right), at(first))) first = right;
      if (first === index) return;
      swap(index, first);
      index = first;
    }
  }

  return {
    get size() {
      return heap.length;
    },
    push(item) {
      heap.push(item);
      rise(heap.length - 1);
    },
    peek: () => heap[0],
    pop() {
      const top = heap[0];
      const last = heap.pop();
      if (heap.length > 0) {
        heap[0] = last as T;
        sink(0);
      }
      return top;
    },
  };
}
