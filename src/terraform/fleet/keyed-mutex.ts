import { memo } from '../../core/lib/memo.ts';
import { createTurns } from '../../core/lib/turns.ts';

/** Work for one key waits until all earlier work for the same key is done. */
export interface KeyedMutex<Key> {
  after<T>(key: Key, work: () => Promise<T>): Promise<T>;
}

export function createKeyedMutex<Key>(): KeyedMutex<Key> {
  const turnsOf = memo((_key: Key) => createTurns());
  return { after: (key, work) => turnsOf(key)(work) };
}
