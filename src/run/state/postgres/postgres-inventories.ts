import { sql } from 'kysely';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import type { InventoryStore } from '../interface/inventory-store.ts';
import { unzipText, zipText } from '../journal/zip-text.ts';
import type { Database } from './connect.ts';

/** A larger inventory is neither saved nor read, because it must fit into memory. In bytes. */
export interface InventoryLimits {
  readonly compressed: number;
  readonly text: number;
}

const usualLimits: InventoryLimits = { compressed: 64 * 2 ** 20, text: 256 * 2 ** 20 };

export function postgresInventories(
  { db, place }: Database,
  limits: InventoryLimits = usualLimits,
): InventoryStore {
  const damaged = () =>
    failed(
      problem('inventory-cache', `the inventory in ${place} is damaged`, {
        hint: 'replace it: rampart hosts inventory pull',
      }),
    );
  return {
    async read(key): Promise<Result<string | null>> {
      const { rows } = await sql<{ text: Uint8Array | null }>`
        select case when octet_length(text) <= ${limits.compressed} then text end as text
        from rampart.inventory where account = ${key}
      `.execute(db);
      const [row] = rows;
      if (row === undefined) return ok(null);
      if (row.text === null) return damaged();
      const text = await unzipText(row.text, limits.text).catch(() => undefined);
      return text === undefined ? damaged() : ok(text);
    },
    async save(key, text) {
      const bytes = await zipText(text);
      if (bytes.length > limits.compressed || Buffer.byteLength(text) > limits.text) {
        return failed(
          problem('inventory-cache', `the inventory is too large for ${place}`, {
            hint: 'set RAMPART_INVENTORY_CACHE=local, or fetch fewer fields with --fields',
          }),
        );
      }
      await sql`
        insert into rampart.inventory (account, text) values (${key}, ${bytes})
        on conflict (account) do update set text = excluded.text, saved_at = clock_timestamp()
      `.execute(db);
      return ok(null);
    },
    async keys() {
      const { rows } = await sql<{ account: string }>`
        select account from rampart.inventory order by account collate "C"
      `.execute(db);
      return ok(rows.map(({ account }) => account));
    },
  };
}
