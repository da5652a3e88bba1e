import { sql } from 'kysely';
import type { Clock } from '../../../core/lib/surroundings.ts';
import { accountKey } from '../../../core/model/account.ts';
import { failed, ok, type Result } from '../../../core/problem/problem.ts';
import { startGroupCommit } from '../journal/group-commit.ts';
import type { SealedJournal } from '../journal/journal.ts';
import { headRecord, journalOn, type RunHead } from '../journal/journal-on.ts';
import type { JournalRecord } from '../journal/record.ts';
import { type Lease, LeaseIsLost, leaseLost } from '../lease/lease.ts';
import type { Database } from './connect.ts';
import { databaseProblem, isPassingFault } from './database-problem.ts';
import { toJson } from './in-transaction.ts';
import { heldLease } from './postgres-lease.ts';
import { type RecordRow, rowsAsTable, startRows } from './record-rows.ts';

/** The delay before a write is retried after the database could not be reached, in milliseconds. */
const retryMs = 250;

/**
 * Opens the record of a run. Every write is one statement that checks the epoch of the lease, so a run that has lost
 * its lease writes nothing, whatever it assumes. Records are numbered, so a write whose response was lost can be
 * repeated.
 */
export async function createPostgresJournal(
  database: Database,
  lease: Lease,
  run: RunHead,
): Promise<Result<SealedJournal>> {
  const { db, place } = database;
  const { account, clock } = run;
  const { epoch } = lease;
  const head = headRecord(run, epoch);
  const { run_id: runId } = head;
  const row = startRows();

  const write = async (rows: readonly RecordRow[]): Promise<void> => {
    const end = rows.find(({ type }) => type === 'end');
    const { rows: counted } = await sql<{ held: number }>`
      with held as (${heldLease(account, epoch)}),
      written as (
        insert into rampart.record (run_id, seq, type, kind, body)
        select ${runId}, row.seq, row.type, row.kind, row.body
        from ${rowsAsTable(rows)}, held
        on conflict do nothing
      ),
      ended as (
        update rampart.run set last = ${toJson(end?.body)}
        where run_id = ${runId} and ${end !== undefined} and exists (select from held)
      )
      select count(*)::integer as held from held
    `.execute(db);
    if (counted[0]?.held !== 1) throw new LeaseIsLost();
  };
  const { commit, append, idle } = startGroupCommit<RecordRow>((rows) =>
    untilWritten(lease, clock, () => write(rows)),
  );

  try {
    const { rows: created } = await sql`
      with held as (${heldLease(account, epoch)})
      insert into rampart.run (run_id, account, head, started_at)
      select ${runId}, ${accountKey(account)}, ${toJson(head)}, ${head.at}::timestamptz from held
      returning run_id
    `.execute(db);
    if (created.length === 0) return failed(leaseLost());
  } catch (error) {
    return failed(databaseProblem(error, place));
  }
  const sink = {
    commit: (record: JournalRecord) => commit(row(record)),
    // The run does not wait for the outcome of a step to be written.
    append: async (record: JournalRecord) => void append(row(record)).catch(() => undefined),
    close: idle,
    problemOf: (error: unknown) =>
      error instanceof LeaseIsLost ? leaseLost() : databaseProblem(error, place),
  };
  return ok(journalOn(sink, head, clock));
}

/** Retries while the database is briefly unavailable, as long as the lease lasts. */
async function untilWritten(lease: Lease, clock: Clock, write: () => Promise<void>): Promise<void> {
  for (;;) {
    if (lease.refusal() !== undefined) throw new LeaseIsLost();
    try {
      return await write();
    } catch (error) {
      if (!isPassingFault(error)) throw error;
      await clock.sleep(retryMs);
    }
  }
}
