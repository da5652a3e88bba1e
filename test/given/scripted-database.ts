import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { StoreDb } from '../../src/server/database/query.ts';

/** A database that keeps nothing: it records each statement, and returns what `rowsOf` returns for it. */
export function scriptedDatabase(rowsOf: (statement: CompiledQuery) => readonly object[] = () => []) {
  const statements: CompiledQuery[] = [];
  class ScriptedDriver extends DummyDriver {
    override acquireConnection = async () => ({
      async executeQuery<Row>(statement: CompiledQuery) {
        statements.push(statement);
        return { rows: [...rowsOf(statement)] as Row[] };
      },
      async *streamQuery() {},
    });
  }
  const db: StoreDb = new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new ScriptedDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return { db, statements };
}
