import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../../src/run/state/audit/audit-record.ts';
import { parseRecord } from '../../../../src/run/state/audit/chain.ts';
import { connectDatabase, type Database } from '../../../../src/run/state/postgres/connect.ts';
import { auditAtEnd, inTransaction } from '../../../../src/run/state/postgres/in-transaction.ts';
import { migrate } from '../../../../src/run/state/postgres/migrations.ts';
import { postgresAudit } from '../../../../src/run/state/postgres/postgres-audit.ts';
import { sharedPostgres } from '../../../given/postgres.ts';

let url: string;
let database: Database;
const server = sharedPostgres();
beforeAll(async () => {
  url = server.createDatabase();
  database = connectDatabase(url, 8);
  await migrate(database.db);
  server.run(url, 'create table box (id integer primary key, content text); grant all on box to rampart');
  server.run(url, `insert into box values (1, ''), (2, '')`);
}, 60_000);
afterAll(() => database.close());

const entry = (reason: string): AuditEntry => ({
  kind: 'unlock',
  origin: { actor: 'alice', host: 'vm', reason },
  what: { holder: null },
});
const fill = (id: number, content: string) =>
  sql`update box set content = content || ${content} where id = ${id}`;
const reasons = async () => {
  const page = await postgresAudit(database).page(0);
  return page.ok ? page.value.records.map(({ text }) => parseRecord(text)?.origin.reason) : undefined;
};

describe('a transaction on PostgreSQL', () => {
  it('forgets the audit entries of a repeated attempt', async () => {
    const before = (await reasons())?.length;
    let isFirst = true;
    await inTransaction(database.db, async (transaction) => {
      auditAtEnd(transaction, [entry('once')]);
      const fails = isFirst;
      isFirst = false;
      if (fails) await sql`do $$ begin raise exception using errcode = '40P01'; end $$`.execute(transaction);
    });
    expect((await reasons())?.slice(before)).toEqual(['once']);
  });

  it('takes the lock of the audit log last, so that it blocks nobody whose rows it waits for', async () => {
    const isRecorded = Promise.withResolvers<void>();
    const isFilled = Promise.withResolvers<void>();
    const attempts = { recording: 0, filling: 0 };
    const recording = inTransaction(database.db, async (transaction) => {
      attempts.recording += 1;
      auditAtEnd(transaction, [entry('recording')]);
      isRecorded.resolve();
      await isFilled.promise;
      await fill(1, 'r').execute(transaction);
    });
    const filling = inTransaction(database.db, async (transaction) => {
      attempts.filling += 1;
      await fill(1, 'f').execute(transaction);
      isFilled.resolve();
      await isRecorded.promise;
      auditAtEnd(transaction, [entry('filling')]);
    });
    await Promise.all([recording, filling]);
    expect(attempts).toEqual({ recording: 1, filling: 1 });
  });

  it('waits for the lock of the audit log one at a time in each process', async () => {
    const before = (await reasons())?.length;
    const holder = connectDatabase(url, 1);
    const isHeld = Promise.withResolvers<void>();
    const isFree = Promise.withResolvers<void>();
    // Another process has the lock, for example because it is frozen.
    const held = inTransaction(holder.db, async (transaction) => {
      await sql`select pg_advisory_xact_lock(7241803415)`.execute(transaction);
      isHeld.resolve();
      await isFree.promise;
    });
    await isHeld.promise;
    let ready = 0;
    const appending = ['a', 'b', 'c'].map((each) =>
      inTransaction(database.db, async (transaction) => {
        auditAtEnd(transaction, [entry(each)]);
        ready += 1;
      }),
    );
    const clock = { now: () => 0, sleep: async () => {} };
    const alone = postgresAudit(database).append(clock, [entry('d')]);
    const waiting = () =>
      Number(
        server.run(
          url,
          `select count(*) from pg_locks where locktype = 'advisory' and not granted
             and database = (select oid from pg_database where datname = current_database())`,
        ),
      );
    while (ready < 3 || waiting() === 0) await pause(5);
    const idle = `select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in%'`;
    // The holder of the lock, and all that wait for their turn.
    while (Number(server.run(url, idle)) < 4) await pause(5);
    expect(waiting()).toBe(1);
    isFree.resolve();
    await Promise.all([held, alone, ...appending]);
    expect((await reasons())?.slice(before).toSorted()).toEqual(['a', 'b', 'c', 'd']);
    await holder.close();
  });
});
