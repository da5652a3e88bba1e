import type { Plan } from '../../core/plan/types/plan.ts';
import type { Hazard, Reason } from '../../core/plan/types/step.ts';
import { rawGroupName } from './group-changes.ts';
import type { PlanRows } from './rows.ts';

export interface ReviewPlace {
  readonly file: string;
  readonly line: number;
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
  readonly place: ReviewPlace;
  /** The rule or the line that requests it, with the title of its cause. */
  readonly cause: string;
}

interface Draft {
  readonly host: Omit<PlannedHost, 'action' | 'hazards' | 'new_name' | 'new_group'>;
  readonly action: Set<ReviewAction>;
  readonly hazards: Set<Hazard>;
  newName: string | null;
  newGroup: string | null;
}

export function plannedHosts({
  plan,
  renames,
  moves,
  deletions,
  installs,
  refreshes,
}: PlanRows): readonly PlannedHost[] {
  const groupName = groupNamer(plan);
  const drafts = new Map<string, Draft>();
  const draftOf = (row: {
    readonly hostId: string;
    readonly reason: Reason;
    readonly expects: { readonly name: string | null; readonly groupId: string };
    readonly hazards: readonly Hazard[];
  }): Draft => {
    let draft = drafts.get(row.hostId);
    if (draft === undefined) {
      const { file, line, col, rule } = row.reason;
      draft = {
        host: {
          host_id: row.hostId,
          name: row.expects.name,
          group: groupName(row.expects.groupId),
          place: { file, line, column: col },
          cause: causeTitle({ file, line, ...(rule === undefined ? {} : { rule }) }),
        },
        action: new Set(),
        hazards: new Set(),
        newName: null,
        newGroup: null,
      };
      drafts.set(row.hostId, draft);
    }
    for (const hazard of row.hazards) draft.hazards.add(hazard);
    return draft;
  };
  for (const row of deletions) draftOf(row).action.add('delete');
  for (const row of installs) draftOf(row).action.add('install');
  for (const row of renames.flatMap((each) => each.rows)) {
    const draft = draftOf(row);
    draft.action.add('rename');
    draft.newName = row.to;
  }
  for (const { groupId, hosts } of moves) {
    for (const row of hosts) {
      const draft = draftOf(row);
      draft.action.add('move');
      draft.newGroup = groupName(groupId);
    }
  }
  for (const row of refreshes) draftOf(row).action.add('refresh');
  return [...drafts.values()]
    .map(({ host, action, hazards, newName, newGroup }) => ({
      ...host,
      action: [...action],
      hazards: [...hazards],
      new_name: newName,
      new_group: newGroup,
    }))
    .sort((a, b) => compareIds(a.host_id, b.host_id));
}

/** Ids are 64-bit integers, which a number would round. */
export function compareIds(a: string, b: string): number {
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
