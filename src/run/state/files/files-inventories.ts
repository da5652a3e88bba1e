import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import type { InventoryStore } from '../interface/inventory-store.ts';
import { makeFolder } from './make-folder.ts';
import { unwritable } from './unwritable.ts';

/** The inventory caches of `rampart hosts inventory pull`. SQLite is loaded only for them. */
export function filesInventories(stateDir: string): InventoryStore {
  const pathOf = (key: string) => join(stateDir, `inventory-${key}.sqlite`);
  return {
    async read(key) {
      const [{ readCache }, { printCache }] = await Promise.all([
        import('../../../service/inventory/with-cache.ts'),
        import('../../../service/inventory/cache-text.ts'),
      ]);
      const read = readCache(pathOf(key), printCache);
      return read.ok ? ok(read.value ?? null) : read;
    },
    async save(key, text): Promise<Result<null>> {
      const [{ withCache }, { parseCache }] = await Promise.all([
        import('../../../service/inventory/with-cache.ts'),
        import('../../../service/inventory/cache-text.ts'),
      ]);
      const contents = parseCache(text);
      if (contents === undefined)
        return failed(problem('inventory-cache', 'the inventory to save is damaged, so nothing was saved'));
      try {
        makeFolder(stateDir, 0o700);
      } catch (error) {
        return failed(unwritable(`the folder ${stateDir}`, error));
      }
      return withCache(pathOf(key), async (cache) => {
        cache.replace(contents);
        return null;
      });
    },
    async keys() {
      const names = await readdir(stateDir).catch(() => []);
      const keys = names.flatMap((name) => /^inventory-([0-9a-f]{16})\.sqlite$/.exec(name)?.[1] ?? []);
      return ok(keys.toSorted());
    },
  };
}
