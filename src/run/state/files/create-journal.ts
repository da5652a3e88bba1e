import { rm } from 'node:fs/promises';
import { codeOf } from '../../../core/lib/error-code.ts';
import { failed, ok, type Problem, type Result } from '../../../core/problem/problem.ts';
import type { SealedJournal } from '../journal/journal.ts';
import { headRecord, journalOn, type RunHead } from '../journal/journal-on.ts';
import { type Lease, LeaseIsLost, leaseLost } from '../lease/lease.ts';
import { type AppendLog, createAppendLog } from './append-log.ts';
import { runPath } from './run-files.ts';
import { unwritable } from './unwritable.ts';

/** Opens a run's file and writes its head. No record is written after another run has taken the lock file. */
export async function createJournal(
  stateDir: string,
  lease: Pick<Lease, 'epoch' | 'confirm' | 'refusal'>,
  run: RunHead,
  suffix?: string,
): Promise<Result<SealedJournal>> {
  const head = headRecord(run, lease.epoch, suffix);
  const path = runPath(stateDir, head);
  const fence = async () => {
    if (lease.refusal() !== undefined || !(await lease.confirm())) throw new LeaseIsLost();
  };
  let log: AppendLog | undefined;
  try {
    log = await createAppendLog(path, fence);
    await log.commit(JSON.stringify(head));
    const { commit, append, close } = log;
    const sink = {
      commit: (record: object) => commit(JSON.stringify(record)),
      append: (record: object) => append(JSON.stringify(record)),
      close,
      problemOf: (error: unknown) => problemOf(path, error),
    };
    return ok(journalOn(sink, head, run.clock));
  } catch (error) {
    await log?.close().catch(() => undefined);
    // Nothing was sent, so no run has begun. The file of another run with this name is kept.
    if (codeOf(error) !== 'EEXIST') await rm(path, { force: true }).catch(() => undefined);
    return failed(problemOf(path, error));
  }
}

function problemOf(path: string, error: unknown): Problem {
  if (error instanceof LeaseIsLost) return leaseLost();
  return unwritable(`the journal ${path}`, error);
}
