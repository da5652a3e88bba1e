import type { Clock } from '../../src/core/lib/surroundings.ts';
import type { Account } from '../../src/core/model/account.ts';
import { type InstallRecall, nothingRecalled } from '../../src/core/model/install-request.ts';
import { planChecksum } from '../../src/core/plan/document/plan-document.ts';
import type { Plan } from '../../src/core/plan/types/plan.ts';
import { problem } from '../../src/core/problem/problem.ts';
import type { Journal } from '../../src/run/state/journal/journal.ts';
import { headRecord, journalOn } from '../../src/run/state/journal/journal-on.ts';
import { parseRun, type Run } from '../../src/run/state/journal/parse-run.ts';
import { recallInstalls } from '../../src/run/state/journal/recall.ts';
import type { JournalRecord } from '../../src/run/state/journal/record.ts';
import { digestOf } from '../../src/run/state/journal/run-digest.ts';

/** The file of one run, as a disk would have it. */
export interface RunFile {
  text: string;
  /** This much of it is on disk whatever happens; the rest may be lost with the process. */
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
      return journalInMemory(file, { account, plan, clock, isAlive, runId: `run-${files.length}` });
    },
    recall() {
      const runs = files.flatMap(({ text }): readonly Run[] => {
        const run = parseRun(text, 'run.ndjson');
        return run.ok ? [run.value] : [];
      });
      return {
        ...nothingRecalled,
        requests: recallInstalls(runs.map(digestOf), {
          account,
          now: clock.now(),
          windowMs: nothingRecalled.windowMs,
        }),
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

/** The real journal on a file in memory. */
function journalInMemory(file: RunFile, { account, plan, clock, isAlive, runId }: JournalParts): Journal {
  const write = async (record: JournalRecord, durable: boolean): Promise<void> => {
    if (!isAlive()) return new Promise(() => {});
    file.text += `${JSON.stringify(record)}\n`;
    if (durable) file.synced = file.text.length;
  };
  const run = {
    account,
    clock,
    planChecksum: planChecksum(plan),
    steps: plan.steps.length,
    fleetSize: plan.observed.hosts,
  };
  const head = { ...headRecord(run, 1), run_id: runId };
  file.text = `${JSON.stringify(head)}\n`;
  file.synced = file.text.length;
  const sink = {
    commit: (record: JournalRecord) => write(record, true),
    append: (record: JournalRecord) => write(record, false),
    close: async () => {},
    problemOf: () => problem('journal', "it can't be written"),
  };
  return journalOn(sink, head, clock);
}
