import { execFile } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { emptyDatabaseFile } from '../../src/server/database/open-pglite.ts';

/** Writes the archive of an empty database next to the sources, if it is missing or `anew` is set. */
export async function writeEmptyDatabase({ anew = false } = {}): Promise<URL> {
  if (existsSync(emptyDatabaseFile) && !anew) return emptyDatabaseFile;
  const written = new URL(`${emptyDatabaseFile.href}.${process.pid}`);
  await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'empty-database.ts'),
    fileURLToPath(written),
  ]);
  const archive = readFileSync(written);
  writeFileSync(
    written,
    brotliCompressSync(archive, {
      params: {
        // Higher qualities take much longer and save little.
        [constants.BROTLI_PARAM_QUALITY]: 5,
        // The archive contains the same files several times, far apart.
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: archive.length,
      },
    }),
  );
  renameSync(written, emptyDatabaseFile);
  return emptyDatabaseFile;
}
