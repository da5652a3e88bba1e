import type { Result } from '../../core/problem/problem.ts';
import type { Store } from './open-store.ts';

/** Works in a transaction, which is rolled back if the work is refused. */
export async function allOrNothing<Value>(
  store: Pick<Store, 'transaction'>,
  work: (inside: Store) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  let refused: Result<Value> | undefined;
  try {
    return await store.transaction(async (inside) => {
      const result = await work(inside);
      if (result.ok) return result;
      refused = result;
      throw new Error('the work was refused');
    });
  } catch (error) {
    if (refused !== undefined) return refused;
    throw error;
  }
}
