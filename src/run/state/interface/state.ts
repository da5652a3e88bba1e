import type { Account } from '../../../core/model/account.ts';
import type { Observed, ObservedHost } from '../../../core/model/observed.ts';
import type { Snapshot } from '../../../core/model/snapshot.ts';
import type { Result } from '../../../core/problem/problem.ts';
import type { SignedAudit } from '../audit/sign-audit.ts';
import type { SealedJournal } from '../journal/journal.ts';
import type { RunHead } from '../journal/journal-on.ts';
import type { Run } from '../journal/parse-run.ts';
import type { RunRecord } from '../journal/record.ts';
import type { RunState } from '../journal/replay.ts';
import type { RunDigest } from '../journal/run-digest.ts';
import type { RunSeal } from '../journal/seal-run.ts';
import type { Lease } from '../lease/lease.ts';
import type { LockHolder } from '../lease/lease-holder.ts';
import type { LockRequest } from '../lease/wait-for-lock.ts';
import type { RolloutStore } from '../rollout/rollout-store.ts';
import type { InventoryStore } from './inventory-store.ts';

/**
 * Rampart's records of runs, shared by all users of the same backend: a folder of files, or PostgreSQL. Each method
 * returns a failure as a value; none rejects.
 */
export interface State {
  /** Its location for messages, without secrets: `the folder .rampart`. */
  readonly place: string;
  /**
   * How far the backend's clock is ahead of this machine's, in milliseconds; 0 where they agree within a few seconds. The
   * times of records are the backend's, so that a machine whose clock is wrong neither forgets nor repeats anything.
   */
  clockSkewMs(): Promise<Result<number>>;
  /** Takes the lock of an account, or waits for it. */
  acquire(account: Account, request: LockRequest): Promise<Result<Lease>>;
  /** Null if the lock is free. */
  holder(account: Account): Promise<Result<LockHolder | null>>;
  /** Removes the lock from its holder, or only from the holder of this epoch; false if there was none. */
  unlock(account: Account, epoch?: number): Promise<Result<boolean>>;
  /** Opens the record of a run. Its `begin` fails once the lease is lost. */
  startRun(lease: Lease, head: RunHead): Promise<Result<SealedJournal>>;
  /** Latest first. A run that can't be read is a warning among the problems; the other runs are still returned. */
  listRuns(query: RunQuery): Promise<Result<readonly ListedRun[]>>;
  /** The same runs, and when the lists of the account were last read, in one round trip. */
  readEarlier(account: Account, query: RunQuery): Promise<Result<Earlier>>;
  /** With its account, a run among those of thousands of accounts is found sooner. */
  readRun(runId: string, account?: RunRecord['account']): Promise<Result<RecordedRun>>;
  /** The ids of all runs. */
  runIds(): Promise<Result<readonly string[]>>;
  /** The digests of these runs as they are stored now; without those that do not exist. */
  sealsOf(runIds: readonly string[]): Promise<Result<ReadonlyMap<string, RunSeal>>>;
  /** The fleet as the last run of an account left it; null if no run left one. */
  readFleet(account: Account): Promise<Result<Snapshot | null>>;
  /** `earlier`: hosts that others changed before the run, as an earlier run left them; none if absent. */
  saveFleet(account: Account, observed: Observed, earlier?: readonly ObservedHost[]): Promise<Result<null>>;
  /** When lists that the service limits were last read, by anyone who shares this state. */
  listTimes(account: Account): Promise<Result<readonly ListTime[]>>;
  saveListTimes(account: Account, times: readonly ListTime[]): Promise<Result<null>>;
  /** The fleets that runs left, one after another; stops if `visit` fails. */
  eachFleet(visit: (fleet: Snapshot) => Promise<Result<null>>): Promise<Result<null>>;
  /** Copies a run from another state, record by record; false if it already has a run with this id. */
  importRun(run: Run): Promise<Result<boolean>>;
  /** Removes all records of these runs, and returns how many runs there were. */
  removeRuns(runIds: readonly string[]): Promise<Result<number>>;
  /** All current lock holders. */
  listLocks(): Promise<Result<readonly LockHolder[]>>;
  /** Creates the tables, or updates them. Returns the versions that were applied now; none for a folder. */
  migrate(): Promise<Result<{ readonly applied: readonly string[] }>>;
  readonly audit: SignedAudit;
  readonly rollouts: RolloutStore;
  readonly inventories: InventoryStore;
  /** Checks that this user can read and write it now. */
  check(): Promise<Result<{ readonly runs: number }>>;
  close(): Promise<void>;
}

export interface ListedRun extends RunDigest {
  /** Present if the run is in progress. */
  readonly holder?: LockHolder;
}

export interface RecordedRun extends Run {
  /** Present if the run is in progress. */
  readonly holder?: LockHolder;
}

/** The parts of a state that planning needs. */
export interface Earlier {
  readonly runs: readonly ListedRun[];
  readonly listTimes: readonly ListTime[];
}

export interface ListTime {
  /** The action of the API. */
  readonly action: string;
  /** How long ago it was read, in milliseconds. */
  readonly ageMs: number;
  /** The time between two reads that the service allows, in milliseconds; null if it has never refused one. */
  readonly everyMs: number | null;
}

/** All given conditions must hold. */
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
