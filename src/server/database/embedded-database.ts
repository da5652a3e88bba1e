import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGliteDialect } from 'kysely';
import { codeOf } from '../../core/lib/error-code.ts';
import { quoted } from '../../core/lib/quoted.ts';
import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { makeFolder } from '../../run/state/files/make-folder.ts';
import { type OnFailure, open } from '../../run/state/postgres/connect.ts';
import { type DatabaseLock, lockDatabase } from './database-lock.ts';
import { startPglite, type ThreadedPglite } from './pglite-over-thread.ts';
import type { StoreDatabase } from './store-database.ts';
import { freeBytesOf, unopenedProblem } from './unopened-database.ts';

export type { ThreadedPglite };

/** PostgreSQL in this process. Stop everyone who uses `pglite` before `close`. */
export interface EmbeddedDatabase extends StoreDatabase {
  readonly pglite: ThreadedPglite;
}

/** The thread has the same ending as this file: `.ts` in a checkout, `.js` when built. */
const ending = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const threadFile = new URL(`./pglite-thread${ending}`, import.meta.url);

/**
 * Opens the database in a folder, or creates it. Only one process at a time can have it open. With null for the folder
 * it is in memory and ends with the process.
 */
export async function openEmbeddedDatabase({
  folder,
  onFailure,
}: {
  readonly folder: string | null;
  readonly onFailure?: OnFailure;
}): Promise<Result<EmbeddedDatabase>> {
  const place = folder === null ? 'the database in memory' : `the embedded database in ${quoted(folder)}`;
  if (!existsSync(threadFile))
    return failed(
      problem('configuration', 'this build of Rampart has no embedded database', {
        hint: 'install the npm package, or set RAMPART_STATE_URL to the address of a PostgreSQL database',
      }),
    );
  let lock: DatabaseLock | undefined;
  try {
    if (folder === null)
      return ok(databaseOn(await startPglite(threadFile, undefined), place, { release() {} }, onFailure));
    // PGlite creates its files readable for everyone, so nobody else may enter the folder.
    makeFolder(folder, 0o700);
    chmodSync(folder, 0o700);
    lock = lockDatabase(join(folder, 'lock'));
  } catch (error) {
    return failed(
      problem('state', `${place} can't be opened (${codeOf(error)})`, {
        hint: 'check that this user may write to the folder',
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
    return ok(databaseOn(await openOrCreate(folder), place, lock, onFailure));
  } catch {
    lock.release();
    return failed(unopenedProblem(place, freeBytesOf(folder)));
  }
}

/** While the file `creating` exists, the files of the database are incomplete, and nobody has used them. */
async function openOrCreate(folder: string): Promise<ThreadedPglite> {
  const data = join(folder, 'data');
  const creating = join(folder, 'creating');
  if (existsSync(creating)) rmSync(data, { recursive: true, force: true });
  if (existsSync(data)) return startPglite(threadFile, data);
  writeFileSync(creating, '');
  const pglite = await startPglite(threadFile, data);
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
