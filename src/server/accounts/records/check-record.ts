import type { Cause, DriftRow, Health } from '../../../api/accounts.ts';
import type { HostAttribute } from '../../../api/resource.ts';
import type { Account } from '../../../core/model/account.ts';
import type { ShownPlace } from '../../../core/problem/problem.ts';
import type { Failure } from '../decisions/account-state.ts';

export interface CheckedHost {
  readonly hostId: string;
  readonly name: string | null;
  readonly group: string | null;
  /** Such as `online`. */
  readonly state: string | null;
  /** Small facts to show. Absent: those of the last check are kept. */
  readonly facts?: Readonly<Record<string, string | number | boolean | null>>;
}

export interface CheckedDrift {
  readonly hostId: string;
  readonly name: string | null;
  readonly attribute: HostAttribute;
  readonly desired: string | null;
  readonly last: string | null;
  readonly live: string | null;
  readonly changed: DriftRow['changed'];
  /** The id of one of the check's causes. */
  readonly cause: string;
  /** A person decided to ignore it: it is listed, and counted nowhere. */
  readonly ignored: boolean;
}

export interface CheckedCause {
  /** The same for the same cause in every account, such as a hash of kind, rule and place. */
  readonly id: string;
  readonly kind: Cause['kind'];
  readonly title: string;
  readonly rule?: string;
  readonly place?: ShownPlace;
  /** Hosts, or rows of a table, that the cause concerns. Absent: the hosts of its drift. */
  readonly count?: number;
}

/** The commit that a difference came with, or the run that left it. */
export interface CauseOrigin {
  readonly kind: 'commit' | 'run';
  /** The commit, or the id of the run in the shared state. */
  readonly id: string;
  /** The author of the commit, or who started the run, as far as it is known. */
  readonly name: string | null;
}

/** The result of one check of an account. */
export interface CheckRecord {
  readonly account: string;
  /**
   * When the check read the account, before it read the fleet; the time of the database. A check is written once, and
   * never over one that began later, as after its process was frozen. Absent: nothing of this is known.
   */
  readonly beganAt?: Date;
  /** The version of the account that was read. If it has changed since, nothing is written. Absent: not compared. */
  readonly version?: number;
  /** The tenant whose fleet the check read. Nothing is written to an account of another one. Absent: not compared. */
  readonly tenant?: Account;
  readonly health: Health;
  /** Present if the fleet could be read. */
  readonly fleet?: {
    /** Equal for equal hosts with equal values, so hosts are compared only if digests differ. */
    readonly digest: string;
    /** Called only if the digest differs from that of the last check. */
    readonly hosts: () => readonly CheckedHost[];
    readonly count: number;
    /**
     * Ids of hosts that the list has in a form that can't be read: their last known state is kept. `any`: an id is
     * missing.
     */
    readonly unreadable?: readonly string[] | 'any';
    readonly drift: readonly CheckedDrift[];
  };
  /** Who is behind the causes of kind `file` that are new in this check. */
  readonly origin?: CauseOrigin;
  /** The causes of the drift, and that of the failure. */
  readonly causes: readonly CheckedCause[];
  readonly commit: string | null;
  /** Changes that a plan would make now. */
  readonly changes: number;
  readonly irreversible: number;
  readonly failure: Failure | null;
  readonly nextCheckAt: Date | null;
  /** Answers 429 during the check. */
  readonly rateLimited?: number;
  /** What the page of the account shows in addition: windows, coverage, policies. */
  readonly detail?: unknown;
}

/** What a check wrote. */
export interface CheckWritten {
  /** Rows of hosts, of drift and of causes that were inserted, updated or deleted. */
  readonly hosts: number;
  readonly drift: number;
  readonly causes: number;
  /** Whether something that people see has changed, so that an event was appended. */
  readonly changed: boolean;
  /** Someone has decided about the account since it was read, so nothing was written. */
  readonly isOutdated?: true;
  /** The health before and after, if it has changed. */
  readonly healthChange?: {
    readonly from: Health | null;
    readonly to: Health;
    readonly failure: string | null;
  };
}
