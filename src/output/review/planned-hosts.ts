import { describeGroup } from '../../core/plan/intents/groups.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import type { Reason } from '../../core/plan/types/step.ts';
import { noLine, type ShownPlace, shownPlace } from '../../core/problem/problem.ts';
import { groupLabels, type HostChange, hostChanges } from './host-changes.ts';
import { reasonCells } from './reason-cells.ts';
import type { ReviewAction } from './reviewed-host.ts';
import type { PlanRows } from './rows.ts';

export function countsByAction({ summary }: Plan): Readonly<Record<ReviewAction, number>> {
  const { delete: deletions, antivirus: install, rename, move, refresh } = summary;
  return { delete: deletions, install, rename, move, refresh };
}

/** A host of a plan with what the rest of its review knows about it. */
export interface PlannedHost extends Omit<HostChange, 'group' | 'new_group' | 'reasons' | 'origin'> {
  readonly group: string;
  readonly new_group: string | null;
  /** Its position among the renames that wait for one another, such as `swap 1: 1 of 2`. */
  readonly order?: string | undefined;
  /** Positions in the problems of the review that are about this host. */
  readonly problems: readonly number[];
  /** The rule or the line that requests it, with the title of its cause. */
  readonly reason: string;
  readonly place: ShownPlace;
  /** The cells of tables that its new name was made of. */
  readonly cells: readonly string[];
}

/** The data of the report leave out a place that the reason already has. */
export type ShownHost = Omit<PlannedHost, 'place'> & { readonly place: ShownPlace | null };

/** What the rest of a review knows about its hosts, by host id. */
interface AboutHosts {
  readonly orders: ReadonlyMap<string, string>;
  readonly problems: ReadonlyMap<string, readonly number[]>;
}

/** One row for each host of the plan, in the order of `hostChanges`. */
export function plannedHosts(rows: PlanRows, { orders, problems }: AboutHosts): readonly PlannedHost[] {
  return hostChanges(rows).map(
    ({ group, new_group: next, reasons, origin: _origin, ...change }): PlannedHost => {
      const { file, line, col, rule } = reasons[0] as Reason;
      const order = orders.get(change.host_id);
      return {
        ...change,
        group: describeGroup(group, String),
        new_group: next === null ? null : describeGroup(next, String),
        ...(order !== undefined && { order }),
        problems: problems.get(change.host_id) ?? [],
        reason: causeTitle({ file, line, rule }),
        place: shownPlace({ file, line, col }),
        cells: [...new Set(reasons.flatMap(reasonCells))],
      };
    },
  );
}

/** The names of the groups of a plan, by their ids. */
export function groupNamer(plan: Plan): (groupId: string) => string {
  const labels = groupLabels(plan);
  return (groupId) => describeGroup(labels(groupId), String);
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
