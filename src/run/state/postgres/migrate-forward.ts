import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';

/** A schema, and the migrations that lead to its newest version. Versions compare as text. */
export interface SchemaHistory {
  readonly schema: string;
  /** Each migrates the database forward, never back. Its statements end with a semicolon and a line break. */
  readonly migrations: Readonly<Record<string, string>>;
}

/** A newer version of Rampart has updated the tables. */
export class NewerTables extends Error {}

/**
 * Creates the tables of a schema, or updates them. Waits for another process that is migrating. Returns the versions
 * that were applied now.
 */
export async function migrateForward<T>(
  db: Kysely<T>,
  { schema, migrations }: SchemaHistory,
): Promise<readonly string[]> {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(migrations).map(([version, statements]) => [version, migrationOf(statements)]),
        ),
    },
    migrationTableSchema: schema,
    migrationTableName: 'migration',
    migrationLockTableName: 'migration_lock',
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw isMissing(error) ? new NewerTables() : (error as Error);
  return results.map(({ migrationName }) => migrationName);
}

/** Kysely has no code for a version that is recorded and that this program does not know. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && /previously executed migration .* is missing/.test(error.message);
}

/** One statement per call, because PGlite accepts no more. */
function migrationOf(statements: string): Migration {
  return {
    async up(db) {
      for (const statement of statements.split(';\n')) await sql.raw(statement).execute(db);
    },
  };
}
