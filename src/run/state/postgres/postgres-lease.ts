import { sql } from 'kysely';
import { type Account, accountKey } from '../../../core/model/account.ts';
import { ok, type Problem, type Result, warning } from '../../../core/problem/problem.ts';
import { holdLease, type Lease } from '../lease/lease.ts';
import { describeHolder, type LockHolder } from '../lease/lease-holder.ts';
import { leaseMs } from '../lease/lease-rules.ts';
import { type Stopwatch, startStopwatch } from '../lease/stopwatch.ts';
import { hasDiedHere } from '../lease/this-process.ts';
import { type LockRequest, waitForLock } from '../lease/wait-for-lock.ts';
import type { Database } from './connect.ts';
import { toJson } from './in-transaction.ts';

const pollMs = 500;
/** The database's clock; `now()` would be the beginning of the transaction. */
const until = sql`clock_timestamp() + ${`${leaseMs} milliseconds`}::interval`;

interface Taken {
  readonly epoch: number;
  /** The holder whose lease had lapsed. */
  readonly prior: LockHolder | null;
}

/** Takes the lease, or waits for it. */
export async function acquireLease(
  database: Database,
  account: Account,
  request: LockRequest,
): Promise<Result<Lease>> {
  const key = accountKey(account);
  return waitForLock(request, pollMs, async () => {
    const asked = startStopwatch();
    const found = await currentLease(database, key);
    // Only a holder's process on this machine can be checked; any other lease must lapse.
    const dead = found !== undefined && isDeadHere(found.holder) ? found.epoch : 0;
    const taken = await take(database, key, request.holder, dead);
    if (taken === undefined)
      return { holder: () => leaseHolder(database, account), unknown: 'of another run' };
    const lease = leaseOn(database, { key, epoch: taken.epoch, asked });
    return ok(lease, taken.prior === null ? [] : [takenOver(taken.prior)]);
  });
}

async function currentLease({ db }: Database, key: string) {
  const { rows } = await sql<{ readonly epoch: number; readonly holder: LockHolder }>`
    select epoch, holder from rampart.lease where account = ${key} and holder is not null
  `.execute(db);
  return rows[0];
}

/** One statement. It takes a lease that is free, that has lapsed, or whose holder with that epoch is dead. */
async function take(
  { db }: Database,
  key: string,
  holder: LockHolder,
  deadEpoch: number,
): Promise<Taken | undefined> {
  const { rows } = await sql<Taken>`
    with prior as (select holder from rampart.lease where account = ${key})
    insert into rampart.lease as lease (account, epoch, holder, until)
    values (${key}, 1, ${toJson(holder)}, ${until})
    on conflict (account) do update
      set epoch = lease.epoch + 1, holder = excluded.holder, until = ${until}
      where lease.holder is null or lease.until <= clock_timestamp() or lease.epoch = ${deadEpoch}
    returning epoch, (select holder from prior) as prior
  `.execute(db);
  return rows[0];
}

function leaseOn(
  { db }: Database,
  { key, epoch, asked }: { readonly key: string; readonly epoch: number; readonly asked: Stopwatch },
): Lease {
  const mine = sql`account = ${key} and epoch = ${epoch} and holder is not null`;
  return holdLease({
    epoch,
    asked,
    async confirm() {
      const { rows } = await sql`
        select epoch from rampart.lease where ${mine} and until > clock_timestamp()
      `.execute(db);
      return rows.length > 0;
    },
    async renew() {
      const { rows } = await sql`
        update rampart.lease set until = ${until} where ${mine} and until > clock_timestamp() returning epoch
      `.execute(db);
      return rows.length > 0;
    },
    async release() {
      // A leftover lease lapses by itself.
      await sql`update rampart.lease set holder = null, until = clock_timestamp() where ${mine}`
        .execute(db)
        .catch(() => undefined);
    },
  });
}

/** The latest run of the account, if it is of the same epoch. */
const runOfLease = sql`(
  select run_id from (
    select run_id, head from rampart.run where account = lease.account order by run_id desc limit 1
  ) as latest
  where (head ->> 'epoch')::integer = lease.epoch
)`;

/** Null if the lease is free. A lapsed lease has no holder. */
export async function leaseHolder({ db }: Database, account: Account): Promise<LockHolder | null> {
  const { rows } = await sql<{ holder: LockHolder; epoch: number; run: string | null }>`
    select holder, epoch, ${runOfLease} as run from rampart.lease
    where account = ${accountKey(account)} and holder is not null and until > clock_timestamp()
  `.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  return { ...row.holder, epoch: row.epoch, ...(row.run === null ? {} : { run: row.run }) };
}

/** The lease if this epoch holds it; `for share` keeps it from passing to another run before the statement ends. */
export function heldLease(account: Account, epoch: number | null) {
  return sql`
    select from rampart.lease
    where account = ${accountKey(account)} and epoch = ${epoch} and holder is not null
      and until > clock_timestamp()
    for share
  `;
}

/** All current lease holders. */
export async function listLeases({ db }: Database): Promise<readonly LockHolder[]> {
  const { rows } = await sql<{ readonly holder: LockHolder }>`
    select holder from rampart.lease where holder is not null and until > clock_timestamp()
    order by account
  `.execute(db);
  return rows.map(({ holder }) => holder);
}

/** Starts the next epoch, so the holder notices. False if there was no holder, or not of this epoch. */
export async function breakLease({ db }: Database, account: Account, epoch?: number): Promise<boolean> {
  const { rows } = await sql`
    update rampart.lease set epoch = epoch + 1, holder = null, until = clock_timestamp()
    where account = ${accountKey(account)} and holder is not null and until > clock_timestamp()
      and epoch = coalesce(${epoch ?? null}::integer, epoch) returning epoch
  `.execute(db);
  return rows.length > 0;
}

/**
 * Machines that share a database may have the same name, so only a holder with a start time can be recognized as dead.
 */
function isDeadHere(holder: LockHolder): boolean {
  return holder.started !== undefined && hasDiedHere(holder);
}

function takenOver(prior: LockHolder): Problem {
  return warning(
    'lock-held',
    `the run ${describeHolder(prior)} has died or has not renewed its lock for ${leaseMs / 1000} s, so this run takes over its lock`,
  );
}
