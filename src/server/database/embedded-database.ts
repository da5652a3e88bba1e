import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGliteDialect } from 'kysely';
import { codeOf } from '../../core/lib/error-code.ts';
import { quoted } from '../../core/lib/words.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { makeFolder } from '../../run/state/files/replace-file.ts';
import { type OnFailure, open } from '../../run/state/postgres/connect.ts';
import { type DatabaseLock, lockDatabase } from './database-lock.ts';
import { startPglite, type ThreadedPglite } from './pglite-over-thread.ts';
import { findServerPackage } from './server-package.ts';
import type { StoreDatabase } from './store-database.ts';
import { freeBytesOf, unopenedProblem } from './unopened-database.ts';

export type { ThreadedPglite };

/** PostgreSQL in this process. Stop everyone who uses `pglite` before `close`. */
export interface EmbeddedDatabase extends StoreDatabase {
  readonly pglite: ThreadedPglite;
}

/**
 * Opens the database in a folder, or creates it. Only one process at a time can have it open. With null for the folder
 * it is in memory and ends with the process.
 */
export async function openEmbeddedDatabase({
  folder,
  version,
  onFailure,
  start = startPglite,
}: {
  readonly folder: string | null;
  /** Of Rampart, which the installed server must have too. */
  readonly version: string;
  readonly onFailure?: OnFailure;
  readonly start?: typeof startPglite;
}): Promise<Result<EmbeddedDatabase>> {
  const place = folder === null ? 'the database in memory' : `the embedded database in ${quoted(folder)}`;
  const found = findServerPackage(version);
  if (!found.ok) return found;
  const thread = found.value.databaseThread;
  let lock: DatabaseLock | undefined;
  try {
    if (folder === null)
      return ok(databaseOn(await start(thread, undefined), place, { release() {} }, onFailure));
    // PGlite creates its files readable for everyone, so nobody else may enter the folder.
    makeFolder(folder, 0o700);
    chmodSync(folder, 0o700);
    lock = lockDatabase(join(folder, 'lock'));
  } catch (error) {
    return failed(
      problem('state', `${place} can't be opened (${codeOf(error)})`, {
        hint:
          folder === null
            ? 'install Rampart Server again, or free memory'
            : 'check that this user may write to the folder',
      }),
    );
  }
  if (lock === undefined)
    return failed(
      problem('lock-held', `another process has ${place} open`, {
        hint: 'stop that process, or set RAMPART_STATE_URL to a PostgreSQL database, which any number of processes share',
      }),
    );
  try {
    return ok(databaseOn(await openOrCreate(folder, (data) => start(thread, data)), place, lock, onFailure));
  } catch (error) {
    lock.release();
    return failed(unopenedProblem(place, freeBytesOf(folder), error));
  }
}

/** While the file `creating` exists, the files of the database are incomplete, and nobody has used them. */
async function openOrCreate(
  folder: string,
  start: (data: string) => Promise<ThreadedPglite>,
): Promise<ThreadedPglite> {
  const data = join(folder, 'data');
  const creating = join(folder, 'creating');
  if (existsSync(creating)) rmSync(data, { recursive: true, force: true });
  if (existsSync(data)) return start(data);
  writeFileSync(creating, '');
  const pglite = await start(data);
  rmSync(creating);
  return pglite;
}

function databaseOn(
  pglite: ThreadedPglite,
  place: string,
  lock: DatabaseLock,
  onFailure: OnFailure | undefined,
): EmbeddedDatabase {
  let closed: Promise<void> | undefined;
  return {
    ...open(new PGliteDialect({ pglite }), place, onFailure),
    pglite,
    isEmbedded: true,
    notifier(channel, onWake) {
      const listening = pglite.listen(channel, onWake).catch(() => undefined);
      return async () => (await listening)?.();
    },
    close: () => (closed ??= pglite.close().finally(() => lock.release())),
  };
}
