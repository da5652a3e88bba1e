import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../core/lib/surroundings.ts';
import { createTimeStamps } from '../../../core/lib/time-stamps.ts';
import { type Account, recordOfAccount } from '../../../core/model/account.ts';
import type { TableRecord } from '../../../core/model/asset-table.ts';
import type { NumberRecord } from '../../../core/model/numbered-name.ts';
import { isDoneOutcome } from '../../../core/model/run-event.ts';
import { failed, ok, type Problem } from '../../../core/problem/problem.ts';
import type { SealedJournal } from './journal.ts';
import {
  type BeginRecord,
  changesOfStep,
  type Digest,
  type JournalRecord,
  journalFormatVersion,
  type Origin,
  type RunRecord,
} from './record.ts';
import { sumUp } from './run-digest.ts';
import { startSeal } from './seal-run.ts';

/** Where a backend stores the records of one run, in the given order. */
export interface RecordSink {
  /** Resolves when the record is durable; rejects if it or one before it can't be written, or if the run has lost its lease. */
  commit(record: JournalRecord): Promise<void>;
  /** Resolves when the record is handed over; the next commit makes it durable. */
  append(record: JournalRecord): Promise<void>;
  close(): Promise<void>;
  /** The problem that describes a rejection. */
  problemOf(error: unknown): Problem;
}

/** What is known of a run when it begins. */
export interface RunHead {
  readonly account: Account;
  readonly clock: Clock;
  readonly planChecksum: string;
  readonly steps: number;
  /** How many hosts the fleet had. */
  readonly fleetSize: number;
  /** The tables that the plan relied on. */
  readonly tables?: readonly TableRecord[] | undefined;
  /** The numbers that the plan gives to hosts. */
  readonly numbers?: readonly NumberRecord[] | undefined;
  readonly origin?: Origin;
}

/** A run's id: its time and a few random characters, which distinguish two runs of the same moment. */
export function runIdOf(startedAt: string, suffix: string = randomBytes(3).toString('hex')): string {
  return `${stampOf(startedAt)}-${suffix}`;
}

/** Every run that began later than this time (milliseconds since the epoch) has an id that sorts after it. */
export function runIdAfter(time: number): string {
  return stampOf(new Date(time + 1).toISOString());
}

function stampOf(time: string): string {
  return time.replace(/[-:.]/g, '');
}

/** The first record of a run that begins now. */
export function headRecord(
  { account, clock, planChecksum, steps, fleetSize, tables, numbers = [], origin }: RunHead,
  epoch: number,
  suffix?: string,
): RunRecord {
  const at = new Date(clock.now()).toISOString();
  return {
    type: 'run',
    format_version: journalFormatVersion,
    run_id: runIdOf(at, suffix),
    at,
    account: recordOfAccount(account),
    plan_checksum: planChecksum,
    steps,
    fleet_size: fleetSize,
    ...(tables === undefined ? {} : { tables: tables.map(({ name, rows, hash }) => ({ name, rows, hash })) }),
    ...(numbers.length === 0
      ? {}
      : { numbers: numbers.map(({ prefix, digits, last }) => ({ prefix, digits, last })) }),
    epoch,
    ...(origin === undefined ? {} : { origin }),
  };
}

/** Writes what a run does as records into a sink that already has the run's head. */
export function journalOn(sink: RecordSink, head: RunRecord, clock: Clock): SealedJournal {
  const stamp = createTimeStamps();
  const at = () => stamp(clock.now());
  const digest = startDigest(head);
  const seal = startSeal();
  seal.add(head);
  return {
    runId: head.run_id,
    seal: seal.digest(),
    async begin(step) {
      const record: BeginRecord = {
        type: 'begin',
        at: at(),
        step: step.id,
        kind: step.kind,
        changes: changesOfStep(step),
      };
      try {
        seal.add(record);
        await sink.commit(record);
        digest.add(record);
        return ok(null);
      } catch (error) {
        return failed(sink.problemOf(error));
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
      digest.add(record);
      seal.add(record);
      await sink.append(record).catch(() => undefined);
    },
    async end(exitCode, pace) {
      const record: JournalRecord = {
        type: 'end',
        at: at(),
        exit_code: exitCode,
        digest: digest.end(),
        ...(pace === undefined ? {} : { pace }),
      };
      seal.add(record);
      try {
        // A sink that failed once fails from then on, so this also says whether the outcomes were written.
        await sink.commit(record);
        return ok(seal.digest());
      } catch (error) {
        return failed(sink.problemOf(error));
      } finally {
        await sink.close().catch(() => undefined);
      }
    },
  };
}

/** The kinds of steps that later runs need. */
const rememberedKinds: readonly BeginRecord['kind'][] = ['antivirus', 'refresh', 'delete'];

/** For a long run, keeps only counts and the steps that later runs need. */
function startDigest(head: RunRecord) {
  const remembered = new Set<string>();
  const records: JournalRecord[] = [];
  let done = 0;
  return {
    add(record: JournalRecord): void {
      if (record.type === 'begin') {
        if (!rememberedKinds.includes(record.kind)) return;
        remembered.add(record.step);
        records.push(record);
      } else if (record.type === 'outcome') {
        if (isDoneOutcome(record.outcome)) done += 1;
        if (remembered.has(record.step)) records.push(record);
      }
    },
    end: (): Digest => ({ ...sumUp({ head, records }), done }),
  };
}
