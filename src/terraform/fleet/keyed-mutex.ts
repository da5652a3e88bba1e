/** Work for one key waits until all earlier work for the same key is done. */
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
