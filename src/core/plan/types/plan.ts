import type { Account } from '../../model/account.ts';
import type { PendingState } from '../../model/install-request.ts';
import type { NumberRange } from '../../model/numbered-name.ts';
import type { GroupId, HostId, ListRead } from '../../model/observed.ts';
import type { ChangeKind, Freeze, LimitName } from '../../model/policy.ts';
import type { WriteAction } from '../../model/write-action.ts';
import type { Place, Problem } from '../../problem/problem.ts';
import type { Forecast, Rehearsal } from './forecast.ts';
import type { Reason, Step } from './step.ts';

/** A limit that the plan exceeds, and the exact approval that lifts it. */
export interface Breach {
  readonly limit: LimitName;
  /** The place of the limit; absent for a default. */
  readonly place?: Place;
  /** The group that has the limit; absent for the limit of the whole fleet. No approval lifts the limit of a group. */
  readonly group?: string;
  readonly count: number;
  readonly allowed: number;
  /** True if `--ack` named exactly this count. */
  readonly acknowledged: boolean;
}

/** How many changes of a kind the plan may have without approval. */
export interface PlannedLimit {
  readonly limit: ChangeKind;
  /** The group whose hosts are counted; absent for the whole fleet. */
  readonly groupId?: GroupId;
  readonly allowed: number;
}

/** Hours in which changes of these kinds are made. */
export interface PlannedWindow {
  readonly name: string;
  /** The kinds of the policy that the plan contains. */
  readonly kinds: readonly ChangeKind[];
  /** As written; any of them may be open. */
  readonly only: readonly string[];
  readonly message?: string;
  readonly place: Place;
}

/** When the plan may be applied. Every apply checks this at its start. */
export interface Constraints {
  readonly windows: readonly PlannedWindow[];
  readonly freezes: readonly Freeze[];
}

export type AckKind = ChangeKind;

export type Acks = Readonly<Partial<Record<AckKind, number>>>;

/** Minor versions add members; major versions change their meaning. */
export const planFormatVersion = '5.0';

/** Installs that no read shows yet, counted in hosts. */
export interface PendingCounts {
  /** Hosts whose install the service accepted. */
  readonly installsInProgress: number;
  /** Hosts whose install may have been requested: it was not acknowledged. */
  readonly installsInDoubt: number;
}

/** Changes by kind, counted in hosts rather than calls. */
export interface Summary extends PendingCounts {
  readonly rename: number;
  readonly temporaryRename: number;
  readonly move: number;
  readonly antivirus: number;
  /** Hosts that are asked to report, to settle installs in doubt. This is not a change. */
  readonly refresh: number;
  readonly delete: number;
  /** Hosts that an entry or a rule claims and that need no change; hosts with a pending install do not count. */
  readonly unchanged: number;
  readonly awaitingEnrollment: number;
  /** Hosts that no entry and no rule claims. */
  readonly unmanaged: number;
}

/** Calls that a plan sends: those that change the fleet, and refreshes. Lists and other reads do not count. */
export interface CallCount {
  readonly planned: number;
  readonly minimum: number;
  readonly byAction: Readonly<Record<WriteAction, number>>;
}

/** A change that can be reverted. */
export type UndoItem =
  | { readonly kind: 'rename'; readonly hostId: HostId; readonly from: string; readonly to: string }
  | { readonly kind: 'move'; readonly hostId: HostId; readonly from: GroupId; readonly to: GroupId };

/** An install that an earlier run requested and that no read has shown yet: it is not requested again. */
export interface PendingInstall {
  readonly hostId: HostId;
  readonly name: string | null;
  readonly state: PendingState;
  /** An RFC 3339 time. */
  readonly requestedAt: string;
  /** The time of the last status refresh delivered to the host since; absent if there was none. */
  readonly refreshedAt?: string;
}

/** The current or new group of a host in the plan, as the list showed it. */
export interface TouchedGroup {
  readonly id: GroupId;
  /** Null: no group, or one that the list does not name. */
  readonly name: string | null;
  /** How many hosts are in it before the plan. */
  readonly hosts: number;
}

/** What the list showed of a host that the plan changes in a way that can't be undone. */
export interface HostState {
  readonly hostId: HostId;
  readonly online: boolean;
  /** The last time it came online or went offline, in the service's own format; absent if the list has no time. */
  readonly stateChangedAt?: string;
}

export interface ObservedSummary {
  readonly takenAt: string;
  readonly hosts: number;
  /** Groups that can have hosts, without the service's group for ungrouped hosts. */
  readonly groups: number;
  readonly lists: readonly ListRead[];
  /** SHA-256 over ids, names and groups. */
  readonly fingerprint: string;
}

/** A table as the plan used it. A saved plan does not read it again. */
export interface PlannedTable {
  readonly name: string;
  readonly origin: string;
  readonly rows: number;
  /** SHA-256 of its content. */
  readonly hash: string;
  /** When the content was last changed, as the source reports it. */
  readonly changedAt?: string;
  /** The hosts that get a name made of its cells. */
  readonly named: number;
}

/** A plan is a value: the same inputs give the same bytes, except for times. */
export interface Plan {
  readonly formatVersion: string;
  readonly account: Account;
  readonly files: readonly string[];
  /** The tables that the plan relies on; absent if there are none. */
  readonly tables?: readonly PlannedTable[];
  /** The numbers that `next` gives; absent if there are none. */
  readonly numbers?: readonly NumberRange[];
  /** The number of the change ticket that the plan is for. Applying it with another ticket is refused. */
  readonly ticket?: string;
  readonly createdAt: string;
  readonly observed: ObservedSummary;
  /** In the order of their ids. */
  readonly groups: readonly TouchedGroup[];
  /** The hosts to be deleted or to get the anti-virus. */
  readonly hostStates: readonly HostState[];
  /** In an order in which they can be executed one after another. */
  readonly steps: readonly Step[];
  /** In the order of the intents. */
  readonly pendingInstalls: readonly PendingInstall[];
  readonly problems: readonly Problem[];
  /** Each limit in force, as numbers of hosts of this fleet. */
  readonly limits: readonly PlannedLimit[];
  readonly breaches: readonly Breach[];
  readonly acks: Acks;
  /** Absent if no policy constrains times, or there is nothing to do. */
  readonly constraints?: Constraints;
  /** Can it be applied? False if any problem is an error. */
  readonly applicable: boolean;
  readonly deleteFirst: boolean;
  /** The most hosts in one call. */
  readonly batchSize: number;
  readonly summary: Summary;
  readonly calls: CallCount;
  readonly undo: readonly UndoItem[];
  /** Does it cover only some hosts (`--target`, `--exclude`)? */
  readonly partial: boolean;
  /** Absent if no pace is known. */
  readonly forecast?: Forecast;
  /** Present if the plan was compared with that of a base. */
  readonly comparison?: Comparison;
  /** Present if the plan was rehearsed. */
  readonly rehearsal?: Rehearsal;
}

export function isEmpty(plan: Plan): boolean {
  // The number of calls is known before the steps are made.
  return plan.calls.planned === 0 && plan.steps.length === 0;
}

/** Does the fleet differ from the desired state? An install in doubt may be missing, although the plan does not repeat it. */
export function showsDifference(plan: Plan): boolean {
  return !isEmpty(plan) || plan.summary.installsInDoubt > 0;
}

/** One change of one host, from its observed value to the intended one; temporary renames are left out. */
export interface IntendedChange {
  readonly kind: ChangeKind;
  readonly hostId: HostId;
  /** The current name. */
  readonly name: string | null;
  /** The intended name, or the name of the intended group; null for no group, and for the other kinds. */
  readonly to: string | null;
  readonly reason: Reason;
}

/** A plan compared with the one that the base of a change would make on the same fleet. */
export interface Comparison {
  /** The base, unchanged. */
  readonly base: string;
  /** What the change itself requests. */
  readonly introduced: readonly IntendedChange[];
  /** Changes that would also happen without it, because nobody has applied them yet. */
  readonly pending: readonly IntendedChange[];
  /** Changes that would also happen without it, because someone changed the fleet since the last run. */
  readonly drift: readonly IntendedChange[];
  /** Changes that would happen without it, but not with it. */
  readonly reverted: readonly IntendedChange[];
}
