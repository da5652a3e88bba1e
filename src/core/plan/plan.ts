import type { Account } from '../model/account.ts';
import type { LimitName } from '../model/desired.ts';
import type { GroupId } from '../model/group.ts';
import type { HostId } from '../model/host-id.ts';
import type { PendingState } from '../model/install-request.ts';
import type { ListRead } from '../model/observed.ts';
import type { ChangeKind, Freeze } from '../model/policy.ts';
import type { WriteAction } from '../model/write-action.ts';
import type { Place } from '../problem/place.ts';
import type { Problem } from '../problem/problem.ts';
import type { Comparison } from './drift/three-way.ts';

/** Minor versions add members, major versions change meanings. */
export const planFormatVersion = '2.0';

export type StepId = string & { readonly __brand: 'StepId' };

/** Why a step deserves a second look. */
export type Hazard =
  /** It cannot be undone. */
  | 'irreversible'
  /** The old name is null, which no call can restore. */
  | 'no-way-back'
  /** Only letter case changes: the service may answer 409, which costs one call more. */
  | 'case-only'
  /** The host is online while it is deleted. */
  | 'online';

/** The place in the desired state that asked for it. */
export interface Reason {
  readonly file: string;
  readonly line: number;
  readonly col: number;
  /** The rule that stands there; absent for an entry. */
  readonly rule?: string;
}

/** What the plan relied on for one host; a saved plan is stale when one of these no longer holds. */
export interface Expectation {
  readonly hostId: HostId;
  readonly name: string | null;
  readonly groupId: GroupId;
}

interface StepBase {
  readonly id: StepId;
  /** Ids of the steps that it waits for. */
  readonly after: readonly StepId[];
  readonly hazards: readonly Hazard[];
}

/** One host gets the name it is to have. */
export interface RenameStep extends StepBase {
  readonly kind: 'rename';
  readonly hostId: HostId;
  /** The name just before this step: the observed one, or the parked one. */
  readonly from: string | null;
  readonly to: string;
  readonly reason: Reason;
  readonly expects: Expectation;
}

/**
 * One host steps aside: to break a cycle, because it is to be deleted and holds a wanted name, or to cut a long
 * chain in two.
 */
export interface TemporaryRenameStep extends StepBase {
  readonly kind: 'temporary-rename';
  readonly why: 'cycle' | 'deletion' | 'cut';
  readonly hostId: HostId;
  readonly from: string;
  readonly to: string;
  /** The name that the parked one stands for: the wanted name, or the old name of a doomed host. */
  readonly standsFor: string;
  readonly reason: Reason;
  readonly expects: Expectation;
}

/** One host's part in a batch. */
export interface BatchMember {
  readonly hostId: HostId;
  /** The name a reader knows it by: the one it has before the plan. */
  readonly name: string | null;
  readonly reason: Reason;
  readonly expects: Expectation;
  readonly hazards: readonly Hazard[];
}

/** One call moves hosts to one group. */
export interface MoveStep extends StepBase {
  readonly kind: 'move';
  readonly groupId: GroupId;
  /** Null: ungrouped. */
  readonly groupName: string | null;
  readonly hosts: readonly BatchMember[];
}

/** One call asks for installs. */
export interface AntivirusStep extends StepBase {
  readonly kind: 'antivirus';
  readonly hosts: readonly BatchMember[];
}

/** One call asks hosts to report their anti-virus status, to settle installs in doubt. It changes nothing. */
export interface RefreshStep extends StepBase {
  readonly kind: 'refresh';
  readonly hosts: readonly BatchMember[];
}

/** One call deletes hosts. */
export interface DeleteStep extends StepBase {
  readonly kind: 'delete';
  readonly hosts: readonly BatchMember[];
}

export type Step = RenameStep | TemporaryRenameStep | MoveStep | AntivirusStep | RefreshStep | DeleteStep;
export type StepKind = Step['kind'];

/** Changes by kind: hosts, not calls. */
export interface Summary {
  readonly rename: number;
  readonly temporaryRename: number;
  readonly move: number;
  readonly antivirus: number;
  /** Hosts that are asked to report, to settle installs in doubt: no change. */
  readonly refresh: number;
  readonly delete: number;
  /** Hosts whose install the service accepted, and no read has shown yet. */
  readonly installsInProgress: number;
  /** Hosts whose install may have been requested: nobody acknowledged it, and no read has shown it. */
  readonly installsInDoubt: number;
  /** Hosts that an entry or a rule claims and that are already as wanted; those with a pending install are not in it. */
  readonly unchanged: number;
  readonly awaitingEnrolment: number;
  /** Hosts that no entry and no rule claims. */
  readonly unmanaged: number;
}

/** Calls that a plan sends: those that change the fleet, and refreshes. Lists and other reads are not in it. */
export interface CallCount {
  readonly planned: number;
  readonly minimum: number;
  readonly byAction: Readonly<Record<WriteAction, number>>;
}

/** The service's pace, as given or as the last run learned it. */
export interface Pace {
  /** Calls a second. */
  readonly rate: number;
  /** Seconds from a call to its reply. */
  readonly latency: number;
}

/** How long the run is expected to take, with the fewest calls and with long chains cut (`--fast`). */
export interface Forecast {
  readonly pace: Pace;
  readonly fewestCalls: { readonly calls: number; readonly seconds: number };
  readonly fast: { readonly calls: number; readonly seconds: number };
}

/** What became of the plan on an emulator that held the observed fleet. */
export interface RehearsedRun {
  /** Calls that change the fleet, as sent, with those refused and repeated. */
  readonly calls: number;
  /** Answers of 409. */
  readonly conflicts: number;
  /** Answers of 429. */
  readonly refusals: number;
  readonly minutes: number;
  readonly converged: boolean;
}

export interface Rehearsal {
  readonly smooth: RehearsedRun;
  /** With replies lost, errors and refusals injected into about one call in ten. */
  readonly faulty: RehearsedRun;
}

/** A change that can be taken back. */
export type UndoItem =
  | { readonly kind: 'rename'; readonly hostId: HostId; readonly from: string; readonly to: string }
  | { readonly kind: 'move'; readonly hostId: HostId; readonly from: GroupId; readonly to: GroupId };

/** An install that an earlier run requested and that no read has shown yet: it is not requested again. */
export interface PendingInstall {
  readonly hostId: HostId;
  readonly name: string | null;
  readonly state: PendingState;
  /** RFC 3339. */
  readonly requestedAt: string;
  /** When a status refresh was delivered to the host since; absent where none was. */
  readonly refreshedAt?: string;
}

/** A limit that the plan goes over, and the exact consent that lifts it. */
export interface Breach {
  readonly limit: LimitName;
  /** Where the limit stands; absent for a default. */
  readonly place?: Place;
  /** The group whose limit it is; absent for that of the whole fleet. No consent lifts a group's. */
  readonly group?: string;
  readonly count: number;
  readonly allowed: number;
  /** True where `--ack` named exactly this count. */
  readonly acknowledged: boolean;
}

/** A group that a host of the plan is in or goes to, as the list showed it. */
export interface TouchedGroup {
  readonly id: GroupId;
  /** Null: no group, or one that the list does not name. */
  readonly name: string | null;
  /** How many hosts are in it before the plan. */
  readonly hosts: number;
}

export interface ObservedSummary {
  readonly takenAt: string;
  readonly hosts: number;
  /** Those that hosts can be put in: the service's group of all others is not one. */
  readonly groups: number;
  readonly lists: readonly ListRead[];
  /** SHA-256 over ids, names and groups. */
  readonly fingerprint: string;
}

/** Hours in which changes of these kinds are made. */
export interface PlannedWindow {
  readonly name: string;
  /** Of the kinds that the policy is about, those that the plan has. */
  readonly kinds: readonly ChangeKind[];
  /** As they are written: any of them may be open. */
  readonly only: readonly string[];
  readonly message?: string;
  readonly place: Place;
}

/** When the plan may be applied: every apply looks at its start. */
export interface Constraints {
  readonly windows: readonly PlannedWindow[];
  readonly freezes: readonly Freeze[];
}

export type AckKind = ChangeKind;
export type Acks = Readonly<Partial<Record<AckKind, number>>>;

/** A plan is a value: the same inputs give the same bytes, but for times. */
export interface Plan {
  readonly formatVersion: string;
  readonly account: Account;
  readonly files: readonly string[];
  readonly createdAt: string;
  readonly observed: ObservedSummary;
  /** Absent in plans of format 1.1 and before. */
  readonly groups?: readonly TouchedGroup[];
  /** In an order in which they can be carried out one after another. */
  readonly steps: readonly Step[];
  /** In the order of the wishes. */
  readonly pendingInstalls: readonly PendingInstall[];
  readonly problems: readonly Problem[];
  readonly breaches: readonly Breach[];
  readonly acks: Acks;
  /** Absent where no policy speaks of times, and where there is nothing to do. */
  readonly constraints?: Constraints;
  /** Can it be applied? False with any error among the problems. */
  readonly applicable: boolean;
  readonly deleteFirst: boolean;
  readonly summary: Summary;
  readonly calls: CallCount;
  readonly undo: readonly UndoItem[];
  /** Were long chains cut, for more calls and less time? */
  readonly fast: boolean;
  /** Is it about some hosts only (`--target`, `--exclude`)? */
  readonly partial: boolean;
  /** Absent where no pace is known. */
  readonly forecast?: Forecast;
  /** Present where the plan was made beside that of a base. */
  readonly comparison?: Comparison;
  /** Present where the plan was rehearsed. */
  readonly rehearsal?: Rehearsal;
}

/** The hosts that a step changes. */
export function hostIdsOf(step: Step): readonly HostId[] {
  return step.kind === 'rename' || step.kind === 'temporary-rename'
    ? [step.hostId]
    : step.hosts.map((each) => each.hostId);
}

export function actionOf(kind: StepKind): WriteAction {
  return kind === 'temporary-rename' ? 'rename' : kind;
}

export function isEmpty(plan: Plan): boolean {
  // The calls are known before the steps are made.
  return plan.calls.planned === 0 && plan.steps.length === 0;
}
