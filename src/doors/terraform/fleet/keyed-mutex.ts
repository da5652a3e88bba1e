/** Work on one thing waits until all that came before it for the same thing is over. */
export interface KeyedMutex<Key> {
  after<T>(key: Key, work: () => Promise<T>): Promise<T>;
}

export function createKeyedMutex<Key>(): KeyedMutex<Key> {
  const last = new Map<Key, Promise<unknown>>();
  return {
    after(key, work) {
      const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
      last.set(key, turn);
      return turn;
    },
  };
}
