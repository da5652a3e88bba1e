import { type Kysely, sql } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';

const schema = 'rampart';
const migrationTable = 'migration';

/** Each migrates the database forward, never back. One statement per call, because PGlite accepts no more. */
const migrations: Readonly<Record<string, Migration>> = {
  '0001': {
    async up(db: Kysely<unknown>) {
      await sql`create table rampart.lease (
        account text primary key,
        epoch integer not null,
        holder jsonb,
        until timestamptz not null
      )`.execute(db);
      await sql`create table rampart.run (
        run_id text collate "C" primary key,
        account text not null,
        head jsonb not null,
        started_at timestamptz not null,
        last jsonb
      )`.execute(db);
      await sql`create index run_of_account on rampart.run (account, run_id desc)`.execute(db);
      await sql`create table rampart.record (
        run_id text collate "C" not null references rampart.run (run_id) on delete cascade,
        seq integer not null,
        type text not null,
        kind text,
        body jsonb not null,
        primary key (run_id, seq)
      )`.execute(db);
      await sql`create table rampart.fleet (
        account text primary key,
        snapshot bytea not null,
        saved_at timestamptz not null default clock_timestamp()
      )`.execute(db);
    },
  },
  '0002': {
    async up(db: Kysely<unknown>) {
      await sql`create index run_of_actor on rampart.run ((head #>> '{origin,actor}'), run_id desc)`.execute(
        db,
      );
      await sql`create index run_of_commit on rampart.run (((head #>> '{origin,commit}') collate "C"))`.execute(
        db,
      );
      await sql`create index run_not_completed on rampart.run (run_id desc)
        where last is null or last ->> 'exit_code' <> '0'`.execute(db);
      await sql`create table rampart.audit (
        seq integer primary key check (seq > 0),
        hash text not null,
        body text not null
      )`.execute(db);
    },
  },
  '0003': {
    async up(db: Kysely<unknown>) {
      await sql`create table rampart.list_time (
        account text not null,
        action text not null,
        read_at timestamptz not null,
        every_ms double precision,
        primary key (account, action)
      )`.execute(db);
    },
  },
};

const provider: MigrationProvider = { getMigrations: async () => migrations };

/** The newest version that this program knows; versions compare as text. */
export const newestVersion = Object.keys(migrations).toSorted().at(-1) ?? '';

/** Waits for another process that is migrating. Returns the versions that were applied now. */
export async function migrate<T>(db: Kysely<T>): Promise<readonly string[]> {
  const migrator = new Migrator({
    db,
    provider,
    migrationTableSchema: schema,
    migrationTableName: migrationTable,
    migrationLockTableName: 'migration_lock',
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error instanceof Error ? error : new Error('the migration failed');
  return results.map(({ migrationName }) => migrationName);
}
