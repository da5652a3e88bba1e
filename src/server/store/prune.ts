import { hostname } from 'node:os';
import { type RawBuilder, sql } from 'kysely';
import { uncover } from '../../run/state/audit/covers.ts';
import { auditAtEnd, inTransaction } from '../../run/state/postgres/in-transaction.ts';
import { hourlyDays } from '../accounts/records/history.ts';
import { type StoreDb, statesOfOpenPlans } from '../database/query.ts';
import { inPortions } from './in-portions.ts';

/** Each statement removes this many rows at most. */
const portion = 5_000;

/** Fewer plans, because one record of the audit log lists them. */
const plansOfRecord = 500;

/** Answers to repeated requests are kept this long, in milliseconds. */
const answersMs = 24 * 3_600_000;

/** Events are only for readers that were away for a while: they are kept this long at most, in milliseconds. */
const eventsMs = 7 * 24 * 3_600_000;

/**
 * Replaces the hours of each old day in the history by one row, and removes what is older than the retention: ended
 * runs with their logs, plans that are no longer open, events, history, messages that were sent or given up, and
 * accounts that are no longer configured; and everything that has expired. Returns how many rows of each kind.
 */
export async function pruneStore(
  db: StoreDb,
  retentionMs: number,
): Promise<Readonly<Record<string, number>>> {
  const kept = before(retentionMs);
  return {
    hours: await rollUpHours(db),
    runs: await remove(db, 'run', sql`ended_at < ${kept}`),
    plans: await removePlans(db, kept),
    events: await remove(db, 'event', sql`at < ${before(Math.min(retentionMs, eventsMs))}`),
    history: await remove(db, 'history', sql`at < ${kept}`),
    notifications: await remove(
      db,
      'notification',
      sql`state in ('sent', 'dead', 'replaced') and due_at < ${kept}`,
    ),
    accounts: await remove(db, 'account', sql`removed_at < ${kept}`),
    tokens: await remove(db, 'token', sql`least(expires_at, revoked_at) < ${kept}`),
    sessions: await remove(db, 'session', sql`expires_at < now()`),
    tickets: await remove(db, 'ticket', sql`expires_at < now()`),
    usedTokens: await remove(db, 'used_jti', sql`expires_at < now()`),
    answers: await remove(db, 'idempotency', sql`at < ${before(answersMs)}`),
    pauses: await remove(db, 'pause', sql`until < now()`),
    ignores: await remove(db, 'ignored_drift', sql`until < now()`),
    causes: await remove(
      db,
      'cause',
      sql`since < ${before(answersMs)}
        and not exists (select from rampart_server.account_cause where account_cause.cause = cause.id)
        and not exists (select from rampart_server.drift where drift.cause = cause.id)`,
    ),
  };
}

/** Merges the hours of old days into one row for each account and day, at midnight UTC. Returns the merged hours. */
function rollUpHours(db: StoreDb): Promise<number> {
  const fine = sql`date_trunc('day', now() - make_interval(days => ${hourlyDays}), 'UTC')`;
  return inPortions(portion, async (size) => {
    const { rows } = await sql<{ merged: number }>`
      with hours as (
        delete from rampart_server.history where ctid in (
          select ctid from rampart_server.history
          where at < ${fine} and at <> date_trunc('day', at, 'UTC') limit ${size}
        ) returning *
      ),
      days as (
        insert into rampart_server.history as old (at, account, drifted, changes, checks, rate_limited)
        select date_trunc('day', at, 'UTC'), account, max(drifted), sum(changes), sum(checks), sum(rate_limited)
        from hours group by 1, 2
        on conflict (at, account) do update set drifted = greatest(old.drifted, excluded.drifted),
          changes = old.changes + excluded.changes, checks = old.checks + excluded.checks,
          rate_limited = old.rate_limited + excluded.rate_limited
      )
      select count(*)::integer as merged from hours
    `.execute(db);
    return rows[0]?.merged ?? 0;
  });
}

/** VACUUM ANALYZE of the whole database: the embedded one does not do it by itself. Not inside a transaction. */
export async function vacuumStore(db: StoreDb): Promise<void> {
  await sql`vacuum analyze`.execute(db);
}

function before(ms: number): RawBuilder<unknown> {
  return sql`now() - make_interval(secs => ${ms / 1_000})`;
}

/** The audit log covers plans that were approved or rejected, so it records that plans are removed. */
function removePlans(db: StoreDb, kept: RawBuilder<unknown>): Promise<number> {
  return inPortions(plansOfRecord, (size) =>
    inTransaction(db, async (transaction) => {
      const { rows } = await sql<{ readonly id: string; readonly by: readonly string[] }>`
        with gone as (
          delete from rampart_server.plan where ctid in (
            select ctid from rampart_server.plan
            where state not in (${statesOfOpenPlans}) and created_at < ${kept}
              and not exists (select from rampart_server.run where run.plan = plan.id)
            limit ${size}
          ) returning id
        )
        select id, array(select subject_key from rampart_server.approval where plan = id) as by from gone
      `.execute(transaction);
      if (rows.length > 0)
        auditAtEnd(transaction, [
          {
            kind: 'prune',
            origin: { actor: 'rampart', host: hostname(), command: 'server' },
            what: {
              plans: rows.length,
              covers: {
                ...uncover(
                  'plan',
                  rows.map(({ id }) => id),
                ),
                ...uncover(
                  'approval',
                  rows.flatMap(({ id, by }) => by.map((each) => `${id}/${each}`)),
                ),
              },
            },
          },
        ]);
      return rows.length;
    }),
  );
}

function remove(db: StoreDb, table: string, condition: RawBuilder<unknown>): Promise<number> {
  const name = sql.table(`rampart_server.${table}`);
  return inPortions(portion, async (size) => {
    const { rows } = await sql<{ removed: number }>`
      with gone as (
        delete from ${name} where ctid in (select ctid from ${name} where ${condition} limit ${size}) returning 1
      )
      select count(*)::integer as removed from gone
    `.execute(db);
    return rows[0]?.removed ?? 0;
  });
}
