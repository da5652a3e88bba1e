import { join } from 'node:path';
import type { Clock } from '../lib/clock.ts';
import type { Account } from '../model/account.ts';
import { problem } from '../problem/problem.ts';
import { failed, ok, type Result } from '../problem/result.ts';
import { createAppendLog } from './append-log.ts';
import type { Journal } from './journal.ts';
import { changesOf, type JournalRecord, journalFormatVersion } from './record.ts';

export interface JournalOptions {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly account: Account;
  readonly planChecksum: string;
  readonly steps: number;
  /** How many hosts the fleet had. */
  readonly fleetSize: number;
  /** A few random characters, which tell two runs of one moment apart. */
  readonly suffix: string;
}

export function runsFolder(stateDir: string): string {
  return join(stateDir, 'runs');
}

/** Opens a run's file and writes its head. */
export async function createJournal(options: JournalOptions): Promise<Result<Journal>> {
  const { clock, account } = options;
  const time = () => new Date(clock.now()).toISOString();
  const runId = `${time().replace(/[-:]|\.\d+/g, '')}-${options.suffix}`;
  const path = join(runsFolder(options.stateDir), `${runId}.ndjson`);
  const write = async (record: JournalRecord): Promise<void> => log.sync(JSON.stringify(record));
  let log: Awaited<ReturnType<typeof createAppendLog>>;
  try {
    log = await createAppendLog(path);
    await write({
      type: 'run',
      format_version: journalFormatVersion,
      run_id: runId,
      at: time(),
      account: { company_id: account.companyId, service: account.service },
      plan_checksum: options.planChecksum,
      steps: options.steps,
      fleet_size: options.fleetSize,
    });
  } catch (error) {
    return failed(unwritable(path, error));
  }
  return ok({
    runId,
    async begin(step) {
      try {
        await write({ type: 'begin', at: time(), step: step.id, kind: step.kind, changes: changesOf(step) });
        return ok(null);
      } catch (error) {
        return failed(unwritable(path, error));
      }
    },
    async outcome(step, outcome, details = {}) {
      const { problem: cause, failedHostIds } = details;
      await write({
        type: 'outcome',
        at: time(),
        step,
        outcome,
        ...(cause === undefined ? {} : { problem: { code: cause.code, message: cause.message } }),
        ...(failedHostIds === undefined ? {} : { failed_host_ids: [...failedHostIds] }),
      }).catch(() => undefined);
    },
    async end(exitCode, pace) {
      const record = {
        type: 'end',
        at: time(),
        exit_code: exitCode,
        ...(pace === undefined ? {} : { pace }),
      } as const;
      await write(record).catch(() => undefined);
      await log.close();
    },
  });
}

function unwritable(path: string, error: unknown) {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return problem('journal', `the journal ${path} can't be written (${reason}), so nothing is sent`, {
    hint: 'make room, or name another folder with --state-dir',
  });
}
