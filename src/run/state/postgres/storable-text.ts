import { type Dialect, PostgresQueryCompiler } from 'kysely';

/**
 * The same dialect, for texts of people and services: they may hold a NUL, which PostgreSQL refuses in every statement. It
 * becomes U+FFFD.
 */
export function withStorableText(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => dialect.createDriver(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => new StorableTextCompiler(),
  };
}

class StorableTextCompiler extends PostgresQueryCompiler {
  protected override addParameter(parameter: unknown): void {
    super.addParameter(storable(parameter));
  }
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
  return Array.isArray(value) ? value.map(storable) : value;
}
