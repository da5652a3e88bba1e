import { once } from '../../core/lib/once.ts';
import { count, countIfAny, grouped } from '../../core/lib/words.ts';
import type { GroupId, HostId } from '../../core/model/observed.ts';
import { type CallCount, isEmpty, type Plan, type Summary } from '../../core/plan/types/plan.ts';
import type { Expectation, Hazard, Reason } from '../../core/plan/types/step.ts';
import type { Problem, Severity } from '../../core/problem/problem.ts';
import { pendingWords, type Standing, standingOf } from './pending-words.ts';
import { type RenameComponent, renameComponents } from './rename-rows.ts';

/** A host in a batch: deleted, moved, given the anti-virus, or asked to report. */
export interface HostRow {
  readonly hostId: HostId;
  readonly name: string | null;
  readonly hazards: readonly Hazard[];
  readonly reason: Reason;
  /** Its name and group before the plan. */
  readonly expects: Expectation;
}

export interface MoveRows {
  readonly groupId: GroupId;
  readonly groupName: string | null;
  readonly hosts: readonly HostRow[];
}

/**
 * A plan in the form that a reviewer reads, computed once for all painters. The rows of hosts are made on first use,
 * because a summary needs neither most of them nor the steps of which they are made. Irreversible changes are separate, renames
 * are grouped by chain or cycle, and moves by target group. Names are raw: painters escape them.
 */
export interface PlanRows {
  readonly plan: Plan;
  readonly deletions: readonly HostRow[];
  readonly installs: readonly HostRow[];
  /** Hosts that are asked to report, to settle installs in doubt. */
  readonly refreshes: readonly HostRow[];
  readonly renames: readonly RenameComponent[];
  readonly moves: readonly MoveRows[];
  /** Does a single file request all changes, so that a line number is enough? */
  readonly inOneFile: boolean;
  readonly problems: Readonly<Record<Severity, readonly Problem[]>>;
  /** The statement to show if there is nothing to send and nothing blocks the plan. */
  readonly standing: Standing | undefined;
}

export function toRows(plan: Plan): PlanRows {
  const deletions = once(() => batchRows(plan, 'delete'));
  const installs = once(() => batchRows(plan, 'antivirus'));
  const refreshes = once(() => batchRows(plan, 'refresh'));
  const renames = once(() => renameComponents(plan.steps));
  const moves = once(() => moveRows(plan));
  const inOneFile = once(() => isInOneFile(plan));
  const bySeverity = (severity: Severity) => plan.problems.filter((each) => each.severity === severity);
  return {
    plan,
    get deletions() {
      return deletions();
    },
    get installs() {
      return installs();
    },
    get refreshes() {
      return refreshes();
    },
    get renames() {
      return renames();
    },
    get moves() {
      return moves();
    },
    get inOneFile() {
      return inOneFile();
    },
    problems: { error: bySeverity('error'), warning: bySeverity('warning'), note: bySeverity('note') },
    standing: standingOf(plan),
  };
}

/** Tables and scripts that the file names, and the origins that a script gives for entries, are separate files. */
function isInOneFile({ files, steps }: Plan): boolean {
  const [file] = files;
  return (
    files.length === 1 &&
    steps.every((step) =>
      'hosts' in step ? step.hosts.every(({ reason }) => reason.file === file) : step.reason.file === file,
    )
  );
}

function batchRows(plan: Plan, kind: 'delete' | 'antivirus' | 'refresh'): readonly HostRow[] {
  return plan.summary[kind] === 0 ? [] : plan.steps.flatMap((step) => (step.kind === kind ? step.hosts : []));
}

function moveRows(plan: Plan): readonly MoveRows[] {
  const groups = new Map<GroupId, { groupId: GroupId; groupName: string | null; hosts: HostRow[] }>();
  for (const step of plan.steps) {
    if (step.kind !== 'move') continue;
    const known = groups.get(step.groupId);
    if (known !== undefined) known.hosts.push(...step.hosts);
    else
      groups.set(step.groupId, { groupId: step.groupId, groupName: step.groupName, hosts: [...step.hosts] });
  }
  return [...groups.values()];
}

/** `Plan: 12 renames (plus 2 temporary renames), 7 moves, 2 deletions; 3 renames blocked, 31 unchanged, 1 awaiting enrollment, 9 unmanaged.` */
export function summaryLine({ summary, problems }: Plan): string {
  return totalsLine(summary, blockedRenames(problems));
}

/** The same for any counts of changes and blocked renames. */
export function totalsLine(summary: Summary, blocked: number): string {
  const changes = changeCountWords(summary);
  const rest = [
    ...heldWords(summary, blocked),
    `${grouped(summary.unchanged)} unchanged`,
    ...(summary.awaitingEnrollment === 0 ? [] : [`${summary.awaitingEnrollment} awaiting enrollment`]),
    ...(summary.unmanaged === 0 ? [] : [`${grouped(summary.unmanaged)} unmanaged`]),
  ];
  return `Plan: ${changes.length === 0 ? 'no changes' : changes.join(', ')}; ${rest.join(', ')}.`;
}

/** `3 renames blocked`, `1 install in doubt`: what the plan does not change. */
export function heldWords(summary: Summary, blocked: number): readonly string[] {
  return [...countIfAny(blocked, 'rename').map((words) => `${words} blocked`), ...pendingWords(summary)];
}

/** `12 renames (plus 2 temporary renames)`, `7 moves`; kinds without changes are left out. */
export function changeCountWords(summary: Summary): readonly string[] {
  return [
    ...(summary.rename + summary.temporaryRename === 0 ? [] : [renames(summary)]),
    ...countIfAny(summary.move, 'move'),
    ...countIfAny(summary.antivirus, 'anti-virus install'),
    ...countIfAny(summary.delete, 'deletion'),
    ...countIfAny(summary.refresh, 'status refresh', 'status refreshes'),
  ];
}

/** `17 API calls (the minimum possible).`; undefined if there is nothing to send. */
export function callsLine(plan: Plan): string | undefined {
  return isEmpty(plan) ? undefined : callWords(plan.calls);
}

export function callWords({ planned, minimum }: Pick<CallCount, 'planned' | 'minimum'>): string {
  const calls = count(planned, 'API call');
  return planned === minimum
    ? `${calls} (the minimum possible).`
    : `${calls}; the minimum possible is ${minimum}.`;
}

function renames({ rename, temporaryRename }: Summary): string {
  const temporaryRenames =
    temporaryRename === 0 ? '' : ` (plus ${count(temporaryRename, 'temporary rename')})`;
  return `${count(rename, 'rename')}${temporaryRenames}`;
}

/** Renames blocked by name conflicts, including those that wait for them. */
export function blockedRenames(problems: readonly Problem[]): number {
  const all = problems.find(({ code }) => code === 'blocked')?.hostIds;
  const hit = problems.flatMap(({ code, hostIds = [] }) =>
    code === 'name-conflict' ? hostIds.slice(0, 1) : [],
  );
  return (all ?? hit).length;
}
