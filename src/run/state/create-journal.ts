import { join } from 'node:path';
import type { Clock } from '../../core/lib/clock.ts';
import { createTimeStamps } from '../../core/lib/time-stamps.ts';
import type { Account } from '../../core/model/account.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { type AppendLog } from './append-log.ts';
import { createAppendLog } from './create-append-log.ts';
import type { Journal } from './journal.ts';
import { codeOf } from './lock-file.ts';
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
  const { clock } = options;
  const startedAt = new Date(clock.now()).toISOString();
  const runId = `${startedAt.replace(/[-:.]/g, '')}-${options.suffix}`;
  const path = join(runsFolder(options.stateDir), `${runId}.ndjson`);
  let log: AppendLog | undefined;
  try {
    log = await createAppendLog(path);
    await log.sync(lineOf(headOf(runId, startedAt, options)));
    return ok(journalOn(log, { runId, path, clock }));
  } catch (error) {
    await log?.close().catch(() => undefined);
    return failed(unwritable(path, error));
  }
}

function headOf(runId: string, at: string, options: JournalOptions): JournalRecord {
  return {
    type: 'run',
    format_version: journalFormatVersion,
    run_id: runId,
    at,
    account: { company_id: options.account.companyId, service: options.account.service },
    plan_checksum: options.planChecksum,
    steps: options.steps,
    fleet_size: options.fleetSize,
  };
}

interface Run {
  readonly runId: string;
  readonly path: string;
  readonly clock: Clock;
}

function journalOn(log: AppendLog, { runId, path, clock }: Run): Journal {
  const stamp = createTimeStamps();
  const at = () => stamp(clock.now());
  return {
    runId,
    async begin(step) {
      try {
        await log.sync(
          lineOf({ type: 'begin', at: at(), step: step.id, kind: step.kind, changes: changesOf(step) }),
        );
        return ok(null);
      } catch (error) {
        return failed(unwritable(path, error));
      }
    },
    async outcome(step, outcome, { problem: cause, failedHostIds, inDoubtHostIds } = {}) {
      const record: JournalRecord = {
        type: 'outcome',
        at: at(),
        step,
        outcome,
        ...(cause === undefined ? {} : { problem: { code: cause.code, message: cause.message } }),
        ...(failedHostIds === undefined ? {} : { failed_host_ids: [...failedHostIds] }),
        ...(inDoubtHostIds === undefined ? {} : { in_doubt_host_ids: [...inDoubtHostIds] }),
      };
      await log.append(lineOf(record)).catch(() => undefined);
    },
    async end(exitCode, pace) {
      const record: JournalRecord = {
        type: 'end',
        at: at(),
        exit_code: exitCode,
        ...(pace === undefined ? {} : { pace }),
      };
      await log.sync(lineOf(record)).catch(() => undefined);
      await log.close().catch(() => undefined);
    },
  };
}

function lineOf(record: JournalRecord): string {
  return JSON.stringify(record);
}

function unwritable(path: string, error: unknown): Problem {
  return problem('journal', `the journal ${path} can't be written (${codeOf(error)}), so nothing is sent`, {
    hint: 'free some disk space, or choose another folder with --state-dir',
  });
}
