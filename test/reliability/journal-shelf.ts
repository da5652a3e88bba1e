import type { Clock } from '../../src/core/lib/clock.ts';
import type { Account } from '../../src/core/model/account.ts';
import { type InstallRecall, nothingRecalled } from '../../src/core/model/install-request.ts';
import { planChecksum } from '../../src/core/plan/document/plan-document.ts';
import type { Plan } from '../../src/core/plan/types/plan.ts';
import { ok } from '../../src/core/problem/result.ts';
import type { Journal } from '../../src/run/state/journal.ts';
import { parseRun, type Run } from '../../src/run/state/parse-run.ts';
import { changesOf, type JournalRecord, journalFormatVersion } from '../../src/run/state/record.ts';
import { recallInstalls } from '../../src/run/state/replay.ts';

/** The file of one run, as a disk would have it. */
export interface RunFile {
  text: string;
  /** So much of it is on disk whatever happens; what follows may be lost with the process. */
  synced: number;
}

/** The state folder in memory. */
export interface JournalShelf {
  readonly files: readonly RunFile[];
  /** A new run's journal; it falls silent when the process is dead. */
  open(plan: Plan, isAlive: () => boolean): Journal;
  /** The installs that the next run is not to request again. */
  recall(): InstallRecall;
  lose(): void;
  fork(clock: Clock): JournalShelf;
}

export function createJournalShelf(
  account: Account,
  clock: Clock,
  kept: readonly RunFile[] = [],
): JournalShelf {
  const files = kept.map((file) => ({ ...file }));
  return {
    files,
    open(plan, isAlive) {
      const file: RunFile = { text: '', synced: 0 };
      files.push(file);
      return journalOn(file, { account, plan, clock, isAlive, runId: `run-${files.length}` });
    },
    recall() {
      const runs = files.flatMap(({ text }): readonly Run[] => {
        const run = parseRun(text, 'run.ndjson');
        return run.ok ? [run.value] : [];
      });
      return {
        ...nothingRecalled,
        requests: recallInstalls(runs, { account, now: clock.now(), windowMs: nothingRecalled.windowMs }),
      };
    },
    lose() {
      files.length = 0;
    },
    fork: (forked) => createJournalShelf(account, forked, files),
  };
}

interface JournalParts {
  readonly account: Account;
  readonly plan: Plan;
  readonly clock: Clock;
  readonly isAlive: () => boolean;
  readonly runId: string;
}

/** The same lines as the real journal writes: test/reliability/journal-shelf.test.ts compares the two. */
function journalOn(file: RunFile, { account, plan, clock, isAlive, runId }: JournalParts): Journal {
  const at = () => new Date(clock.now()).toISOString();
  const write = async (record: JournalRecord, durable: boolean): Promise<void> => {
    if (!isAlive()) return new Promise(() => {});
    file.text += `${JSON.stringify(record)}\n`;
    if (durable) file.synced = file.text.length;
  };
  file.text = `${JSON.stringify({
    type: 'run',
    format_version: journalFormatVersion,
    run_id: runId,
    at: at(),
    account: { company_id: account.companyId, service: account.service },
    plan_checksum: planChecksum(plan),
    steps: plan.steps.length,
    fleet_size: plan.observed.hosts,
  } satisfies JournalRecord)}\n`;
  file.synced = file.text.length;
  return {
    runId,
    async begin(step) {
      await write(
        { type: 'begin', at: at(), step: step.id, kind: step.kind, changes: changesOf(step) },
        true,
      );
      return ok(null);
    },
    async outcome(step, outcome, { problem: cause, failedHostIds, inDoubtHostIds } = {}) {
      await write(
        {
          type: 'outcome',
          at: at(),
          step,
          outcome,
          ...(cause === undefined ? {} : { problem: { code: cause.code, message: cause.message } }),
          ...(failedHostIds === undefined ? {} : { failed_host_ids: [...failedHostIds] }),
          ...(inDoubtHostIds === undefined ? {} : { in_doubt_host_ids: [...inDoubtHostIds] }),
        },
        false,
      );
    },
    async end(exitCode, pace) {
      await write(
        { type: 'end', at: at(), exit_code: exitCode, ...(pace === undefined ? {} : { pace }) },
        true,
      );
    },
  };
}
