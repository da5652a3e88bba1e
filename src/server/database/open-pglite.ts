import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { brotliDecompressSync } from 'node:zlib';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { defined } from '../../core/lib/defined.ts';

/** An archive of an empty database, which the build writes. A checkout that was never built or tested has none. */
export const emptyDatabaseFile = new URL('./empty-database.tar.br', import.meta.url);

/**
 * Opens the database in a folder, or creates it there; undefined for the folder keeps it in memory. Unpacking the
 * archive takes much less time than creating a database.
 */
export async function openPglite(
  dataDir: string | undefined,
  archive = emptyDatabaseFile,
  create = (options: PGliteOptions): Promise<PGlite> => PGlite.create(options),
): Promise<PGlite> {
  // The optimizing compiler takes hundreds of megabytes for PostgreSQL, and more time than it saves in a small database.
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
  const options = {
    ...defined({ dataDir }),
    extensions: { pg_trgm },
    // The driver `pg` returns big integers as text too.
    parsers: { 20: (value: string) => value },
  };
  if (dataDir !== undefined && existsSync(dataDir)) return create(options);
  try {
    const empty = new Blob([brotliDecompressSync(readFileSync(archive))]);
    return await create({ ...options, loadDataDir: empty });
  } catch {
    // The archive is missing, damaged or of another version.
    if (dataDir !== undefined) rmSync(dataDir, { recursive: true, force: true });
    return create(options);
  }
}
