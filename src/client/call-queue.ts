/** A queue that anyone may leave at any moment, in constant time. */
export interface CallQueue<T> {
  readonly first: T | undefined;
  join(item: T, where: 'head' | 'tail'): void;
  leave(item: T): void;
  [Symbol.iterator](): Iterator<T>;
}

/** Those who join at the head keep their order among themselves, before all who joined at the tail. */
export function createCallQueue<T>(): CallQueue<T> {
  const head = new Lane<T>();
  const tail = new Lane<T>();
  return {
    get first() {
      return head.first ?? tail.first;
    },
    join: (item, where) => (where === 'head' ? head : tail).join(item),
    leave(item) {
      head.leave(item);
      tail.leave(item);
    },
    *[Symbol.iterator]() {
      yield* head.all();
      yield* tail.all();
    },
  };
}

/** A set in order of arrival; one iterator is kept at its front, as a new one would step over all who have left. */
class Lane<T> {
  readonly #items = new Set<T>();
  #front = this.#items.values();
  #first: T | undefined;

  get first(): T | undefined {
    if (this.#first !== undefined) return this.#first;
    if (this.#items.size === 0) return undefined;
    let next = this.#front.next();
    if (next.done === true) {
      this.#front = this.#items.values();
      next = this.#front.next();
    }
    this.#first = next.value;
    return this.#first;
  }

  join(item: T): void {
    this.#items.add(item);
  }

  leave(item: T): void {
    if (!this.#items.delete(item)) return;
    if (item === this.#first) this.#first = undefined;
  }

  all(): IterableIterator<T> {
    return this.#items.values();
  }
}
