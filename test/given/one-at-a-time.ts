import { expect } from 'vitest';

/** Expects that each piece of work begins after the one before it has ended, and that all have ended at the end. */
export function oneAtATime() {
  let working = 0;
  return {
    alone: async <T>(work: () => T): Promise<T> => {
      expect(working).toBe(0);
      working += 1;
      // Longer than code without an await takes to continue.
      await new Promise((resolve) => void setImmediate(resolve));
      working -= 1;
      return work();
    },
    expectAllEnded: () => expect(working).toBe(0),
  };
}
