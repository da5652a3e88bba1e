import { setImmediate as turn } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';
import type { Clock } from '../../src/core/lib/surroundings.ts';
import type { Account } from '../../src/core/model/account.ts';
import { planChecksum } from '../../src/core/plan/document/plan-document.ts';
import type { Database } from '../../src/run/state/postgres/connect.ts';
import { postgresStateOn } from '../../src/run/state/postgres/postgres-state.ts';
import { recallRuns } from '../../src/run/state/recall-runs.ts';
import { valueOf } from '../given/value-of.ts';
import type { RunShelf } from './one-run.ts';

export interface DatabaseShelf {
  shelf(account: Account, clock: Clock): RunShelf;
  /** Resolves once no statement is in progress, so that virtual time does not pass during one. */
  settle(): Promise<void>;
}

/** The journal in a database. Each run has its own state, whose statements end with its process. */
export function databaseShelf(database: Database): DatabaseShelf {
  let underWay = 0;
  const stateOf = (isAlive: () => boolean) => {
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        if (!isAlive()) throw new Error('the process is dead');
        underWay += 1;
        return node;
      },
      async transformResult({ result }) {
        underWay -= 1;
        return result;
      },
    };
    return postgresStateOn({ ...database, db: database.db.withPlugin(plugin) });
  };
  return {
    async settle() {
      do await turn();
      while (underWay > 0);
    },
    shelf: (account, clock) => ({
      async open(plan, isAlive) {
        const state = stateOf(isAlive);
        // The lease of a run that died is still there.
        await state.unlock(account);
        const holder = {
          pid: 1,
          machine: 'elsewhere',
          user: 'ada',
          since: new Date(clock.now()).toISOString(),
        };
        const lease = valueOf(await state.acquire(account, { clock, timeoutMs: 0, holder }));
        const head = {
          account,
          clock,
          planChecksum: planChecksum(plan),
          steps: plan.steps.length,
          fleetSize: plan.observed.hosts,
        };
        const journal = valueOf(await state.startRun(lease, head));
        return {
          ...journal,
          async end(exitCode, pace) {
            const ended = await journal.end(exitCode, pace);
            await lease.release();
            return ended;
          },
        };
      },
      recall: async () =>
        valueOf(
          await recallRuns(
            stateOf(() => true),
            account,
            { now: clock.now() },
          ),
        ).installs,
    }),
  };
}
