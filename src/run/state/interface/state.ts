import type { Clock } from '../../../core/lib/clock.ts';
import type { Account } from '../../../core/model/account.ts';
import type { Observed } from '../../../core/model/observed.ts';
import type { Snapshot } from '../../../core/model/snapshot.ts';
import type { Result } from '../../../core/problem/result.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Journal } from '../journal/journal.ts';
import type { Run } from '../journal/parse-run.ts';
import type { Origin } from '../journal/record.ts';
import type { RunState } from '../journal/replay.ts';
import type { RunDigest } from '../journal/run-digest.ts';
import type { Lease } from '../lease/lease.ts';
import type { LockHolder } from '../lease/lease-holder.ts';

/**
 * What Rampart knows about runs, shared by everyone who uses the same backend: a folder of files, or PostgreSQL. Each
 * method answers with a failure as a value; none of them rejects.
 */
export interface State {
  /** Where it is, for messages, without anything secret: `the folder .rampart`. */
  readonly place: string;
  /** Takes the lock of an account, or waits for it. */
  acquire(account: Account, request: LockRequest): Promise<Result<Lease>>;
  /** Null if nobody holds it. */
  holder(account: Account): Promise<Result<LockHolder | null>>;
  /** Takes the lock away from whoever holds it; false if nobody did. */
  unlock(account: Account): Promise<Result<boolean>>;
  /** Opens the record of a run. Its `begin` fails once the lease is lost. */
  startRun(lease: Lease, head: RunHead): Promise<Result<Journal>>;
  /** Latest first. A run that can't be read is a warning among the problems, never a failure of the rest. */
  listRuns(query: RunQuery): Promise<Result<readonly RunDigest[]>>;
  readRun(runId: string): Promise<Result<Run>>;
  /** The fleet as the last run of an account left it; null if no run left one. */
  readFleet(account: Account): Promise<Result<Snapshot | null>>;
  saveFleet(account: Account, observed: Observed): Promise<Result<null>>;
  /** When lists that the service limits were last read, by anyone who shares this state. */
  listTimes(account: Account): Promise<Result<readonly ListTime[]>>;
  saveListTimes(account: Account, times: readonly ListTime[]): Promise<Result<null>>;
  /** The fleets that runs left, one after another; a failure of `visit` ends it. */
  eachFleet(visit: (fleet: Snapshot) => Promise<Result<null>>): Promise<Result<null>>;
  /** Copies a run of another state, record by record; false if a run with its id is there already. */
  importRun(run: Run): Promise<Result<boolean>>;
  /** Removes all records of these runs, and says how many runs there were. */
  removeRuns(runIds: readonly string[]): Promise<Result<number>>;
  /** Everyone who holds a lock at this moment. */
  listLocks(): Promise<Result<readonly LockHolder[]>>;
  /** Creates the tables, or brings them up to date. Returns the versions that were applied now; none for a folder. */
  migrate(): Promise<Result<{ readonly applied: readonly string[] }>>;
  readonly audit: AuditLog;
  /** Can it be read and written by this user, at this moment? */
  check(): Promise<Result<{ readonly runs: number }>>;
  close(): Promise<void>;
}

export interface ListTime {
  /** The action of the API. */
  readonly action: string;
  /** How long ago it was read, in milliseconds. */
  readonly ageMs: number;
  /** The time between two reads that the service allows, in milliseconds; null if it has never refused one. */
  readonly everyMs: number | null;
}

export interface LockRequest {
  readonly clock: Clock;
  /** How long to wait for another run to end, in milliseconds. */
  readonly timeoutMs: number;
  readonly holder: LockHolder;
  /** Called once, when the wait begins; null where nobody knows whom it is for. */
  readonly onWait?: (holder: LockHolder | null) => void;
  readonly signal?: AbortSignal;
}

export interface RunHead {
  readonly account: Account;
  readonly clock: Clock;
  readonly planChecksum: string;
  readonly steps: number;
  /** How many hosts the fleet had. */
  readonly fleetSize: number;
  readonly origin?: Origin;
}

/** All that is given must hold. */
export interface RunQuery {
  readonly account?: Account;
  /** Only runs that began before this one. */
  readonly before?: string;
  readonly limit?: number;
  /** Runs that began since then (milliseconds since the epoch), and at least `atLeast` of those before. */
  readonly since?: number;
  readonly atLeast?: number;
  /** Runs that began no later than then (milliseconds since the epoch). */
  readonly until?: number;
  /** The exact name. */
  readonly actor?: string;
  /** The Git commit, or its first digits. */
  readonly commit?: string;
  readonly state?: RunState;
}
