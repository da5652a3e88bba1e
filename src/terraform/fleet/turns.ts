/** Work on one thing waits until all that came before it for the same thing is over. */
export interface Turns<Key> {
  after<T>(key: Key, work: () => Promise<T>): Promise<T>;
}

export function createTurns<Key>(): Turns<Key> {
  const last = new Map<Key, Promise<unknown>>();
  return {
    after(key, work) {
      const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
      last.set(key, turn);
      return turn;
    },
  };
}
