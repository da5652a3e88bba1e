import { describe, expect, it, onTestFinished } from 'vitest';
import { accountKey } from '../../../src/core/model/account.ts';
import { isHeld, type LeaseRow, mayTake, takenBy } from '../../../src/run/state/lease/lease-rules.ts';
import { connectDatabase } from '../../../src/run/state/postgres/connect.ts';
import { acquireLease } from '../../../src/run/state/postgres/postgres-lease.ts';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import { hasPostgres, sharedPostgres } from '../../given/postgres.ts';
import { migratedDatabase } from '../../reliability/shared-state.ts';

const account = { companyId: '42', service: 'https://service.example' };
const holder = { pid: 1, machine: 'elsewhere', user: 'ada', since: '2026-11-22T09:00:00Z' };
const hour = 3_600_000;

/** Every row that the rules distinguish: `until` is relative to the present. */
const rows: readonly LeaseRow[] = [1, 2].flatMap((epoch) =>
  [null, 'ada'].flatMap((name) => [-hour, hour].map((until) => ({ epoch, holder: name, until }))),
);

describe.skipIf(!hasPostgres)('the statements of PostgreSQL follow the rules of the lease', () => {
  const server = sharedPostgres;

  it('takes and confirms in each row exactly what the rules allow', { timeout: 60_000 }, async () => {
    const url = await migratedDatabase(server());
    const database = connectDatabase(url);
    onTestFinished(() => database.close());
    const put = (row: LeaseRow) =>
      server().run(
        url,
        `insert into rampart.lease (account, epoch, holder, until) values ('${accountKey(account)}', ${row.epoch},
          ${row.holder === null ? 'null' : `'${JSON.stringify(holder)}'`}, clock_timestamp() + interval '${row.until} milliseconds')
          on conflict (account) do update set epoch = excluded.epoch, holder = excluded.holder, until = excluded.until`,
      );
    const request = { clock: systemClock, timeoutMs: 0, holder };
    for (const row of rows) {
      put(row);
      const taken = await acquireLease(database, account, request);
      expect([row, taken.ok]).toEqual([row, mayTake(row, 0)]);
      if (!taken.ok) continue;
      const { epoch, confirm, release } = taken.value;
      expect(epoch).toBe(takenBy(row, 'ada', 0).epoch);
      for (const later of rows) {
        put(later);
        expect([later, epoch, await confirm()]).toEqual([later, epoch, isHeld(later, epoch, 0)]);
      }
      await release();
    }
  });
});
