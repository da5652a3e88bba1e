import type { Plan } from '../../core/plan/types/plan.ts';
import type { Hazard, Reason } from '../../core/plan/types/step.ts';
import { noLine } from '../../core/problem/place.ts';
import { rawGroupName } from './group-changes.ts';
import { type HostChange, hostChanges } from './host-changes.ts';
import type { PlanRows } from './rows.ts';

export interface ReviewPlace {
  readonly file: string;
  /** Absent: the place has no lines, such as the run that an undo reverses. */
  readonly line?: number;
  readonly column?: number;
}

/** `install` is an anti-virus install, `refresh` asks a host for its status. */
export type ReviewAction = 'rename' | 'move' | 'delete' | 'install' | 'refresh';

/** Everything that a plan does to one host. Names are raw: painters escape them. */
export interface PlannedHost {
  readonly host_id: string;
  readonly name: string | null;
  readonly new_name: string | null;
  readonly group: string;
  readonly new_group: string | null;
  readonly action: readonly ReviewAction[];
  readonly hazards: readonly Hazard[];
  /** Why the row deserves a second look. */
  readonly remarks: readonly string[];
  /** Whether it was online when the list was read; null if the plan does not depend on it. */
  readonly online: boolean | null;
  /** When it last came online or went offline, in the service's own format. */
  readonly last_seen: string | null;
  readonly place: ReviewPlace;
  /** The rule or the line that requests it, with the title of its cause. */
  readonly cause: string;
}

/** One row for each host of the plan, in the order of host ids. */
export function plannedHosts(rows: PlanRows): readonly PlannedHost[] {
  return hostChanges(rows)
    .map((change): PlannedHost => {
      const { hostId, name, newName, group, newGroup, hazards, remarks, state } = change;
      const { file, line, col, rule } = change.reasons[0] as Reason;
      return {
        host_id: hostId,
        name,
        new_name: newName ?? null,
        group: rawGroupName(group.id, group.name),
        new_group: newGroup === undefined ? null : rawGroupName(newGroup.id, newGroup.name),
        action: actionsOf(change),
        hazards,
        remarks,
        online: state?.online ?? null,
        last_seen: state?.stateChangedAt ?? null,
        place: line === noLine ? { file } : { file, line, column: col },
        cause: causeTitle({ file, line, rule }),
      };
    })
    .sort((a, b) => compareIds(a.host_id, b.host_id));
}

function actionsOf({ deleted, install, newName, newGroup, refresh }: HostChange): readonly ReviewAction[] {
  return [
    ...(deleted ? (['delete'] as const) : []),
    ...(install ? (['install'] as const) : []),
    ...(newName === undefined ? [] : (['rename'] as const)),
    ...(newGroup === undefined ? [] : (['move'] as const)),
    ...(refresh ? (['refresh'] as const) : []),
  ];
}

/** Ids are 64-bit integers, which a number would round. */
function compareIds(a: string, b: string): number {
  const [left, right] = [BigInt(a), BigInt(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The names of the groups of a plan, by their ids. */
export function groupNamer({ groups }: Plan): (groupId: string) => string {
  const names = new Map<string, string | null>(groups.map(({ id, name }) => [id, name]));
  return (groupId) => rawGroupName(groupId, names.get(groupId) ?? null);
}

/** What requests changes: a rule, a line, or a whole file. */
export function causeTitle({
  file,
  line,
  rule,
}: {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly rule?: string | undefined;
}): string {
  if (rule !== undefined) return `rule "${rule}"`;
  if (file === undefined) return 'other rules and lines';
  if (line === noLine) return file;
  return line === undefined ? `several lines of ${file}` : `entry at ${file}:${line}`;
}

/** How the changes of a plan differ from those of the plan before it. */
export function planDifference(
  hosts: readonly PlannedHost[],
  previous: readonly PlannedHost[],
): { readonly added: number; readonly removed: number; readonly same: number } {
  const before = new Set(previous.flatMap(changesOf));
  const now = new Set(hosts.flatMap(changesOf));
  const same = [...now].filter((each) => before.has(each)).length;
  return { added: now.size - same, removed: before.size - same, same };
}

function changesOf({ host_id, action, new_name, new_group }: PlannedHost): readonly string[] {
  return action.map((each) => {
    const to = each === 'rename' ? new_name : each === 'move' ? new_group : null;
    return JSON.stringify([host_id, each, to]);
  });
}
