import { grouped } from '../../core/lib/words.ts';
import { type GroupId, type HostId, ungroupedId } from '../../core/model/observed.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import type { Expectation, Reason } from '../../core/plan/types/step.ts';
import { digitLookalikes } from './digit-lookalikes.ts';
import type { RenameComponent } from './rename-rows.ts';
import { renameRemark } from './rename-words.ts';
import { isDeletedOnline, needsAttention, type ReviewAction } from './reviewed-host.ts';
import type { PlanRows } from './rows.ts';
import {
  areExceptions,
  rareAmong,
  recentlyOnline,
  unlikeTheirCompany,
  unlikeTheirGroup,
  unusualRenames,
} from './unusual-changes.ts';

export interface GroupLabel {
  readonly id: string;
  /** Null for no group, and for a group that the list does not name. */
  readonly name: string | null;
}

/** Who caused the change of a host: the change under review, someone who edited the fleet, or an earlier change. */
export type DiffOrigin = 'introduced' | 'drift' | 'pending';

/** Everything that a plan does to one host. Names are raw: painters escape them. */
export interface HostChange {
  readonly host_id: string;
  /** Its name before the plan. */
  readonly name: string | null;
  /** Its name after the plan; null if it keeps its name. */
  readonly new_name: string | null;
  readonly group: GroupLabel;
  /** Its group after the plan; null if it does not change. */
  readonly new_group: GroupLabel | null;
  readonly action: readonly ReviewAction[];
  /** `online` or `offline` when the list was read; null if the plan does not depend on it. */
  readonly online: string | null;
  /** When it last came online or went offline, in the service's own format; null if unknown. */
  readonly last_seen: string | null;
  /** The places that request the changes, each once. */
  readonly reasons: readonly Reason[];
  /** Absent if the plan was not compared with a base. */
  readonly origin?: DiffOrigin;
  /** Why the row deserves a second look, the most important first. */
  readonly remarks: readonly string[];
}

/**
 * One row for each host of a plan: first the hosts to delete, then those that get the anti-virus, then the rest. Within
 * each part, hosts that are online while they are deleted and rows with remarks are first.
 */
export function hostChanges(rows: PlanRows): readonly HostChange[] {
  const drafts = draftsOf(rows);
  const labels = groupLabels(rows.plan);
  const states = new Map(rows.plan.hostStates.map((state) => [state.hostId, state]));
  const origins = originsOf(rows);
  const all = [...drafts.values()];
  const alike = digitLookalikes(all.flatMap(({ newName }) => newName ?? []));
  const rareMoves = new Set(rareAmong(all, flowOf));
  const rareLosses = new Set(
    rareAmong(
      all.filter(({ deleted }) => deleted),
      ({ expects }) => expects.groupId,
      // A deletion can't be undone, so a few others are enough to compare it with.
      2,
    ),
  );
  const oddOnes = unlikeTheirCompany(
    all.map((each) => ({
      ...each.expects,
      way: each.deleted ? `delete ${each.expects.groupId}` : (flowOf(each) ?? renamedIn(each)),
    })),
  );
  const unusual = unusualRenames(
    // A host that swaps names is no company for others, and neither is one that already has a remark.
    all.flatMap(({ expects, newName, order, isTraded }) =>
      newName === undefined || isTraded || order.length > 0 || alike.has(newName)
        ? []
        : { ...expects, newName },
    ),
    new Set(all.flatMap(({ deleted, expects: { name } }) => (deleted && name !== null ? name : []))),
  );
  const unlike = unlikeTheirGroup(
    all.map(({ expects: { hostId, groupId }, newName, target }) => ({
      hostId,
      groupId,
      isRenamed: newName !== undefined,
      isMoved: target !== undefined,
    })),
  );
  const recent = recentlyOnline(
    all.flatMap(({ expects: { hostId }, deleted }) => {
      const state = states.get(hostId);
      return deleted && state?.online === false ? { hostId, offlineSince: state.stateChangedAt } : [];
    }),
    rows.plan.observed.takenAt,
  );
  const oddNames = unlikeTheirCompany(
    all.map(({ expects: { hostId, groupId }, newName, target = groupId }) => ({
      hostId,
      name: newName ?? null,
      way: newName === undefined ? undefined : target,
    })),
  );
  const changes = all.map((draft): HostChange => {
    const { expects, newName, target, reasons, deleted } = draft;
    const state = states.get(expects.hostId);
    const origin = origins?.get(expects.hostId);
    const remarks = [
      ...(rareLosses.has(draft) ? ['few others of its group are deleted'] : []),
      ...(newName === undefined ? [] : (alike.get(newName) ?? [])),
      ...draft.order,
      ...(rareMoves.has(draft) ? ['few others move this way'] : []),
    ];
    for (const more of [unusual.get(expects.hostId), unlike.get(expects.hostId)])
      if (more !== undefined) remarks.push(more);
    if (recent.has(expects.hostId)) remarks.push('went offline recently');
    if (remarks.length === 0 && oddNames.has(expects.hostId))
      remarks.push(`few others in its ${target === undefined ? '' : 'new '}group get such names`);
    if (remarks.length === 0 && oddOnes.has(expects.hostId))
      remarks.push(
        `few others ${deleted ? 'deleted' : target === undefined ? 'renamed' : 'moved'} with it have such names`,
      );
    return {
      host_id: expects.hostId,
      name: expects.name,
      new_name: newName ?? null,
      group: labels(expects.groupId),
      new_group: target === undefined ? null : labels(target),
      action: actionsOf(draft),
      reasons,
      remarks,
      online: state === undefined ? null : state.online ? 'online' : 'offline',
      last_seen: state?.stateChangedAt ?? null,
      ...(origin === undefined ? {} : { origin }),
    };
  });
  const rarity = rarityAmong(changes);
  return changes.toSorted((a, b) => partOf(a) - partOf(b) || rarity(a) - rarity(b));
}

/** A reviewer can check this many rows. */
const mostToCheck = 25;

/** The rows that a reviewer should look at before the others, up to a number. */
export function toCheck(changes: readonly HostChange[]): ReadonlySet<HostChange> {
  const rarity = rarityAmong(changes);
  const marked = changes.filter(needsAttention).toSorted((a, b) => rarity(a) - rarity(b));
  return new Set(marked.slice(0, mostToCheck));
}

/** How many rows have the same remark. The fewer there are, the more likely is a mistake. */
function rarityAmong(changes: readonly HostChange[]): (change: HostChange) => number {
  const counts = new Map<string, number>();
  for (const remark of changes.flatMap(alertsOf)) counts.set(remark, (counts.get(remark) ?? 0) + 1);
  return (change) => Math.min(changes.length + 1, ...alertsOf(change).map((each) => counts.get(each) ?? 0));
}

function alertsOf(change: HostChange): readonly string[] {
  return isDeletedOnline(change) ? [...change.remarks, 'online'] : change.remarks;
}

function partOf({ action }: HostChange): number {
  return action.includes('delete') ? 0 : action.includes('install') ? 1 : 2;
}

function actionsOf({ deleted, install, newName, target, refresh }: Draft): readonly ReviewAction[] {
  return [
    ...(deleted ? (['delete'] as const) : []),
    ...(install ? (['install'] as const) : []),
    ...(newName === undefined ? [] : (['rename'] as const)),
    ...(target === undefined ? [] : (['move'] as const)),
    ...(refresh ? (['refresh'] as const) : []),
  ];
}

interface Draft {
  readonly expects: Expectation;
  readonly reasons: Reason[];
  /** Remarks on its rename, and on the hosts that it swaps names with, unless very many hosts have the same. */
  order: readonly string[];
  isTraded: boolean;
  newName?: string;
  target?: GroupId;
  deleted: boolean;
  install: boolean;
  refresh: boolean;
}

/** A row of one kind of change. */
interface Cause {
  readonly expects: Expectation;
  readonly reason: Reason;
}

function draftsOf(rows: PlanRows): ReadonlyMap<HostId, Draft> {
  const drafts = new Map<HostId, Draft>();
  const draftFor = ({ expects, reason }: Cause): Draft => {
    const known = drafts.get(expects.hostId) ?? {
      expects,
      reasons: [],
      order: [],
      isTraded: false,
      deleted: false,
      install: false,
      refresh: false,
    };
    drafts.set(expects.hostId, known);
    if (!known.reasons.some((each) => isSame(each, reason))) known.reasons.push(reason);
    return known;
  };
  for (const each of rows.deletions) draftFor(each).deleted = true;
  for (const each of rows.installs) draftFor(each).install = true;
  for (const component of rows.renames) {
    const words = componentWords(component);
    for (const row of component.rows) {
      const draft = draftFor(row);
      if (row.temporaryRename === 'deletion') continue;
      draft.newName = row.to;
      draft.isTraded = words.length > 0;
      const remark = row.temporaryRename === 'first' ? '' : renameRemark(row);
      draft.order = [...draft.order, ...words, ...(remark === '' ? [] : [remark])];
    }
  }
  for (const { groupId, hosts } of rows.moves) for (const each of hosts) draftFor(each).target = groupId;
  for (const each of rows.refreshes) draftFor(each).refresh = true;
  forgetCommon([...drafts.values()]);
  return drafts;
}

/** What very many of the changed hosts have in common is a pattern of the plan, and no reason to look at them. */
function forgetCommon(drafts: readonly Draft[]): void {
  const hosts = Map.groupBy(
    drafts.flatMap(({ order }) => order),
    (remark) => remark,
  );
  const isRare = (remark: string) => {
    const { length } = hosts.get(remark) ?? [];
    return length <= mostToCheck || areExceptions(length, drafts.length - length);
  };
  for (const draft of drafts) draft.order = draft.order.filter(isRare);
}

/** Hosts that swap names deserve a look; a chain only determines the order of the renames. */
function componentWords({ shape, rows }: RenameComponent): readonly string[] {
  if (shape === 'swap') return ['swaps names with another host'];
  return shape === 'cycle' ? [`one of ${grouped(rows.length)} hosts that swap names`] : [];
}

function isSame(a: Reason, b: Reason): boolean {
  return a.file === b.file && a.line === b.line && a.rule === b.rule;
}

/** The groups of a plan by their ids. */
export function groupLabels({ groups }: Pick<Plan, 'groups'>): (id: string) => GroupLabel {
  const names = new Map<string, string | null>(groups.map(({ id, name }) => [id, name]));
  return (id) => ({ id, name: id === ungroupedId ? null : (names.get(id) ?? null) });
}

function originsOf({ plan: { comparison } }: PlanRows): ReadonlyMap<HostId, DiffOrigin> | undefined {
  if (comparison === undefined) return undefined;
  const origins = new Map<HostId, DiffOrigin>();
  // The cause under review wins if a host has changes of several causes.
  for (const origin of ['pending', 'drift', 'introduced'] as const)
    for (const { hostId } of comparison[origin]) origins.set(hostId, origin);
  return origins;
}

function renamedIn({ expects, newName }: Draft): string | undefined {
  return newName === undefined ? undefined : `rename ${expects.groupId}`;
}

/** From which group to which a host moves; undefined if it does not move. */
function flowOf({ expects, target }: Draft): string | undefined {
  return target === undefined ? undefined : `${expects.groupId} ${target}`;
}
