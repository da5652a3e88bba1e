import type { PGlite } from '@electric-sql/pglite';
import { PGliteDialect } from 'kysely';
import { open } from '../../src/run/state/postgres/connect.ts';
import { migrate } from '../../src/run/state/postgres/migrations.ts';
import { openPglite } from '../../src/server/database/open-pglite.ts';
import type { StoreDatabase } from '../../src/server/database/store-database.ts';
import { openStore } from '../../src/server/store/open-store.ts';

/** PostgreSQL in this process, with the empty tables of the state and the store. */
export interface TakenPglite {
  readonly pglite: PGlite;
  readonly database: StoreDatabase;
  /** Empties the tables. */
  clear(): Promise<void>;
  /** For the next test file that takes one. */
  giveBack(): Promise<void>;
}

interface Opened {
  readonly pglite: PGlite;
  readonly schema: string;
}

/** Opening a database takes longer than most test files, so the files of a process take turns with few. */
const free: Opened[] = [];

export async function takePglite(): Promise<TakenPglite> {
  const { pglite, schema } = free.pop() ?? (await openNew());
  const listening = new Set<Promise<() => Promise<void>>>();
  const database = { ...open(new PGliteDialect({ pglite }), 'PGlite'), close: async () => {} };
  const clear = async () => {
    const { rows } = await pglite.query<{ readonly all: string }>(`
      select string_agg(format('%I.%I', schemaname, tablename), ', ') as all from pg_tables
      where schemaname in ('rampart', 'rampart_server') and tablename not like 'migration%'`);
    await pglite.exec(`truncate ${rows[0]?.all} restart identity`);
  };
  return {
    pglite,
    database: {
      ...database,
      notifier(channel, onWake) {
        const stop = pglite.listen(channel, onWake);
        listening.add(stop);
        return async () => (await stop)();
      },
    },
    clear,
    async giveBack() {
      for (const stop of listening) await (await stop)();
      // A test may change the tables themselves.
      if ((await schemaOf(pglite)) !== schema) return pglite.close();
      await clear();
      free.push({ pglite, schema });
    },
  };
}

async function openNew(): Promise<Opened> {
  const pglite = await openPglite(undefined);
  const database = open(new PGliteDialect({ pglite }), 'PGlite');
  await migrate(database.db);
  await openStore({ ...database, notifier: () => async () => {} }).migrate();
  return { pglite, schema: await schemaOf(pglite) };
}

/** Everything that is not the content of a table. */
async function schemaOf(pglite: PGlite): Promise<string> {
  const { rows } = await pglite.query(`
    select md5(string_agg(line, '' order by line)) from (
      select concat_ws(' ', attrelid::regclass, attname, atttypid, attnotnull, atthasdef) as line from pg_attribute
      where attrelid::regclass::text like 'rampart%' and attnum > 0
      union all select pg_get_indexdef(indexrelid) from pg_index where indrelid::regclass::text like 'rampart%'
      union all select pg_get_constraintdef(oid) from pg_constraint where conrelid::regclass::text like 'rampart%'
      union all select pg_get_triggerdef(oid) from pg_trigger where tgrelid::regclass::text like 'rampart%'
    ) as lines`);
  return JSON.stringify(rows);
}
