import { accountKey } from '../../../src/core/model/account.ts';
import { failed, ok, type Result } from '../../../src/core/problem/problem.ts';
import { startGroupCommit } from '../../../src/run/state/journal/group-commit.ts';
import type { SealedJournal } from '../../../src/run/state/journal/journal.ts';
import { headRecord, journalOn, type RunHead } from '../../../src/run/state/journal/journal-on.ts';
import type { JournalRecord } from '../../../src/run/state/journal/record.ts';
import { type Lease, LeaseIsLost, leaseLost } from '../../../src/run/state/lease/lease.ts';
import { isHeld } from '../../../src/run/state/lease/lease-rules.ts';
import { databaseProblem, isPassingFault } from '../../../src/run/state/postgres/database-problem.ts';
import type { MemoryStateParts } from './memory-state.ts';

const retryMs = 250;

/** A record that is written again after its response was lost is written once. */
interface Numbered {
  readonly seq: number;
  readonly record: JournalRecord;
}

/** Opens the record of a run. Every write checks the epoch of the lease. */
export async function startRunIn(
  { records, now, statement, suffix }: MemoryStateParts,
  lease: Lease,
  run: RunHead,
  skewMs: number,
): Promise<Result<SealedJournal>> {
  const clock = { ...run.clock, now: () => run.clock.now() + skewMs };
  const { epoch } = lease;
  const head = headRecord({ ...run, clock }, epoch, suffix());
  const { run_id: runId } = head;
  const key = accountKey(run.account);
  const mustHold = () => {
    if (!isHeld(records.leases.get(key) ?? null, epoch, now())) throw new LeaseIsLost();
  };
  const problemOf = (error: unknown) =>
    error instanceof LeaseIsLost ? leaseLost() : databaseProblem(error, 'memory');
  try {
    await statement(() => {
      mustHold();
      records.runs.set(runId, { head, records: [head], account: key });
    });
  } catch (error) {
    return failed(problemOf(error));
  }
  const write = async (entries: readonly Numbered[]): Promise<void> => {
    for (;;) {
      if (lease.refusal() !== undefined) throw new LeaseIsLost();
      try {
        return await statement(() => {
          mustHold();
          const written = records.runs.get(runId)?.records;
          for (const { seq, record } of entries) if (written?.length === seq) written.push(record);
        });
      } catch (error) {
        if (!isPassingFault(error)) throw error;
        await clock.sleep(retryMs);
      }
    }
  };
  let last = 0;
  const numbered = (record: JournalRecord): Numbered => ({ seq: (last += 1), record });
  const { commit, append, idle } = startGroupCommit<Numbered>(write);
  const sink = {
    // As the database returns it, without members that are undefined.
    commit: (record: JournalRecord) => commit(numbered(stored(record))),
    append: async (record: JournalRecord) => void append(numbered(stored(record))).catch(() => undefined),
    close: idle,
    problemOf,
  };
  return ok(journalOn(sink, head, clock));
}

function stored(record: JournalRecord): JournalRecord {
  return JSON.parse(JSON.stringify(record)) as JournalRecord;
}
