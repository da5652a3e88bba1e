import type { GroupId, HostId } from '../../model/observed.ts';
import type { WriteAction } from '../../model/write-action.ts';

export type StepId = string & { readonly __brand: 'StepId' };

/** Why a step deserves a review. */
export type Hazard =
  /** It can't be undone. */
  | 'irreversible'
  /** The old name is null, which no call can restore. */
  | 'no-previous-name'
  /** Only letter case changes: the service may return 409, which costs one or two more calls. */
  | 'case-only'
  /** The host is online while it is deleted. */
  | 'online';

/** The place in the desired state that requested it. */
export interface Reason {
  readonly file: string;
  /** 0: the place has no lines, such as the run that an undo reverses. */
  readonly line: number;
  readonly col: number;
  /** The rule at that place; absent for an entry. */
  readonly rule?: string;
  /** The cells of tables that the name was made of. */
  readonly cells?: readonly ReasonCell[];
}

/** A cell of a table, such as the asset register, and its position in the source of the table. */
export interface ReasonCell {
  readonly table: string;
  readonly column: string;
  readonly file: string;
  /** 0: the source has no lines. */
  readonly line: number;
  readonly col: number;
}

/** The state of one host that the plan relied on. A saved plan is stale if one of these no longer holds. */
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

/** One host gets its desired name. */
export interface RenameStep extends StepBase {
  readonly kind: 'rename';
  readonly hostId: HostId;
  /** The name just before this step: the observed one, or the temporary one. */
  readonly from: string | null;
  readonly to: string;
  readonly reason: Reason;
  readonly expects: Expectation;
}

/**
 * One host gets a temporary name: to break a cycle, or because it will be deleted and another host needs its name.
 */
export interface TemporaryRenameStep extends StepBase {
  readonly kind: 'temporary-rename';
  readonly why: 'cycle' | 'deletion';
  readonly hostId: HostId;
  readonly from: string;
  readonly to: string;
  /** The new name of the host, or the previous name of a host to be deleted. */
  readonly finalName: string;
  readonly reason: Reason;
  readonly expects: Expectation;
}

/** One host's part in a batch. */
export interface BatchMember {
  readonly hostId: HostId;
  /** The name that readers know the host by: its name before the plan. */
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

/** One call requests installs. */
export interface AntivirusStep extends StepBase {
  readonly kind: 'antivirus';
  readonly hosts: readonly BatchMember[];
}

/**
 * One call asks hosts to report their anti-virus status, to settle installs in doubt. It changes nothing on the hosts.
 */
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
/** A step that gives one host a name. */
export type NameStep = RenameStep | TemporaryRenameStep;

export function isNameStep(step: Step): step is NameStep {
  return step.kind === 'rename' || step.kind === 'temporary-rename';
}

/** The hosts that a step changes. */
export function hostIdsOf(step: Step): readonly HostId[] {
  return isNameStep(step) ? [step.hostId] : step.hosts.map((each) => each.hostId);
}

export function actionOf(kind: StepKind): WriteAction {
  return kind === 'temporary-rename' ? 'rename' : kind;
}
