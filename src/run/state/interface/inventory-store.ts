import type { Result } from '../../../core/problem/problem.ts';

/**
 * The inventory of each account as one text. A key is that of `accountKey`. If two machines save at the same time, the
 * later one wins as a whole.
 */
export interface InventoryStore {
  /** Null if there is none. A damaged inventory is a problem with the code `inventory-cache`. */
  read(key: string): Promise<Result<string | null>>;
  save(key: string, text: string): Promise<Result<null>>;
  /** The keys of all accounts with an inventory. */
  keys(): Promise<Result<readonly string[]>>;
}
