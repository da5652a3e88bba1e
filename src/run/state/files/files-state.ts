import { access, constants, readdir } from 'node:fs/promises';
import { once } from '../../../core/lib/once.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import { inventoryCachePath } from '../../../service/inventory/cache-path.ts';
import type { AuditKeys } from '../audit/audit-keys.ts';
import { signedAudit } from '../audit/sign-audit.ts';
import type { InventoryStore } from '../interface/inventory-store.ts';
import type { State } from '../interface/state.ts';
import { isProcessAlive } from '../lease/this-process.ts';
import { auditInTurn } from './audit-in-turn.ts';
import { createJournal } from './create-journal.ts';
import { filesAudit } from './files-audit.ts';
import { filesRollouts } from './files-rollouts.ts';
import { eachFleet, readLastFleet, saveLastFleet } from './last-fleet.ts';
import { readListTimes, saveListTimes } from './list-times.ts';
import { acquireLock, breakLock, holderOfRun, listLocks, readLock } from './lock.ts';
import { type HolderOf, listRunIds, listRuns, readRun, sealFilesRuns } from './read-runs.ts';
import { makeFolder } from './replace-file.ts';
import { unwritable } from './unwritable.ts';
import { importRun, removeRuns } from './write-runs.ts';

/** The state in a folder, for all processes that share it. `shown` is the folder as the user gave it. */
export function openFilesState(stateDir: string, shown: string = stateDir, keys?: AuditKeys): State {
  const holderOf: HolderOf = (head) => holderOfRun(stateDir, head);
  const earlierRuns = once(async () => new Set(await listRunIds(stateDir)));
  return {
    place: `the folder ${shown}`,
    clockSkewMs: async () => ok(0),
    acquire: (account, request) => acquireLock({ ...request, stateDir, account, isAlive: isProcessAlive }),
    holder: async (account) => ok((await readLock(stateDir, account)) ?? null),
    unlock: (account, epoch) => breakLock(stateDir, account, epoch),
    startRun: (lease, head) => createJournal(stateDir, lease, head),
    listRuns: (query) => listRuns(stateDir, query, holderOf),
    async readEarlier(account, query) {
      const [runs, listTimes] = await Promise.all([
        listRuns(stateDir, query, holderOf),
        readListTimes(stateDir, account),
      ]);
      return runs.ok ? ok({ runs: runs.value, listTimes }, runs.problems) : runs;
    },
    async readRun(runId, owner) {
      const run = await readRun(stateDir, runId, owner);
      if (!run.ok || run.value.records.at(-1)?.type === 'end') return run;
      const holder = await holderOf(run.value.head);
      return holder === undefined ? run : ok({ ...run.value, holder });
    },
    runIds: async () => ok(await listRunIds(stateDir)),
    sealsOf: (runIds) => sealFilesRuns(stateDir, runIds),
    readFleet: (account) => readLastFleet(stateDir, account),
    async saveFleet(account, observed, earlier = []) {
      try {
        await saveLastFleet(stateDir, { account, observed, earlier });
        return ok(null);
      } catch (error) {
        return failed(unwritable(`the fleet in ${shown}`, error));
      }
    },
    listTimes: async (account) => ok(await readListTimes(stateDir, account)),
    async saveListTimes(account, times) {
      try {
        await saveListTimes(stateDir, account, times);
        return ok(null);
      } catch (error) {
        return failed(unwritable(`the folder ${shown}`, error));
      }
    },
    eachFleet: (visit) => eachFleet(stateDir, visit),
    importRun: async (run) => importRun(stateDir, run, await earlierRuns()),
    removeRuns: (runIds) => removeRuns(stateDir, runIds),
    listLocks: async () => ok(await listLocks(stateDir)),
    migrate: async () => ok({ applied: [] }),
    audit: signedAudit(auditInTurn(filesAudit(stateDir)), keys),
    rollouts: filesRollouts(stateDir),
    inventories: filesInventories(stateDir),
    async check() {
      try {
        makeFolder(stateDir, 0o700);
        await access(stateDir, constants.W_OK);
      } catch (error) {
        return failed(unwritable(shown, error));
      }
      return ok({ runs: (await listRunIds(stateDir)).length });
    },
    close: async () => {},
  };
}

/** The inventory caches of `rampart hosts inventory pull`. SQLite is loaded only for them. */
function filesInventories(stateDir: string): InventoryStore {
  return {
    async read(key) {
      const [{ readCache }, { printCache }] = await Promise.all([
        import('../../../service/inventory/with-cache.ts'),
        import('../../../service/inventory/cache-text.ts'),
      ]);
      const read = readCache(inventoryCachePath(stateDir, key), printCache);
      return read.ok ? ok(read.value ?? null) : read;
    },
    async save(key, text): Promise<Result<null>> {
      const [{ withLocalCache }, { parseCache }] = await Promise.all([
        import('./with-local-cache.ts'),
        import('../../../service/inventory/cache-text.ts'),
      ]);
      const contents = parseCache(text);
      if (contents === undefined)
        return failed(problem('inventory-cache', 'the inventory to save is damaged, so nothing was saved'));
      return withLocalCache(stateDir, key, async (cache) => {
        cache.replace(contents);
        return null;
      });
    },
    async keys() {
      const names = await readdir(stateDir).catch(() => []);
      const keys = names.flatMap((name) => /^inventory-([0-9a-f]{16})\.sqlite$/.exec(name)?.[1] ?? []);
      return ok(keys.toSorted());
    },
  };
}
