import type { Store } from '../../src/server/store/open-store.ts';

/**
 * The same store, whose transactions are all undone once at their end, and repeated, as after a deadlock. So every test
 * that uses it also checks that the work of a transaction can be repeated.
 */
export function repeatingStore(store: Store): Store {
  return {
    ...store,
    transaction(work) {
      let isFirst = true;
      return store.transaction(async (inside) => {
        const value = await work(inside);
        if (!isFirst) return value;
        isFirst = false;
        throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
      });
    },
  };
}
