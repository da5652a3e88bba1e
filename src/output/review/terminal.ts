import { printable } from '../../core/lib/printable.ts';
import { count, grouped } from '../../core/lib/words.ts';
import { ungroupedId } from '../../core/model/observed.ts';
import type { Comparison, HostState, IntendedChange } from '../../core/plan/types/plan.ts';
import type { Reason } from '../../core/plan/types/step.ts';
import { fileAndLine, noLine, type Severity } from '../../core/problem/problem.ts';
import { firstCauses, isCommon } from './causes.ts';
import type { Color, TextStyle } from './color.ts';
import { changeVerbs, comparisonCounts, comparisonLine, comparisonParts } from './comparison.ts';
import { groupChanges } from './group-changes.ts';
import { alsoRead } from './lists-read.ts';
import { pendingBlocks } from './pending-text.ts';
import { paintFoot } from './plan-foot.ts';
import { causeTitle, groupNamer } from './planned-hosts.ts';
import { causeWords } from './plans-words.ts';
import { paintProblems } from './problem-list.ts';
import { reasonCells } from './reason-cells.ts';
import type { RenameRow } from './rename-rows.ts';
import { componentTitle, renameRemark, renamesTitle } from './rename-words.ts';
import type { HostRow, PlanRows } from './rows.ts';
import { shorten } from './shorten.ts';
import { shownName } from './step-title.ts';
import { type Cell, layOut, nameCell } from './table.ts';

export interface TerminalOptions extends TextStyle {
  /** Counts of causes and groups in place of the hosts, except the deletions, and no notes. */
  readonly summary?: boolean;
}

/**
 * The plan for a terminal. The parts that need judgment are nearest to the prompt: changes first (irreversible ones
 * before the rest), then notes, warnings and errors, and the totals in the last lines.
 */
export function paintPlan(rows: PlanRows, options: TerminalOptions): string {
  const place: PlaceCell = (reason) => {
    const short = (rows.inOneFile ? lineOnly : withFile)(reason);
    const rule = reason.rule === undefined ? [] : [reason.rule];
    const text = [...rule.map(printable), short, ...reasonCells(reason).map(printable)].join(', ');
    return { text, short, paint: options.color.dim };
  };
  const painting: Painting = { ...options, place, groupName: groupNamer(rows.plan) };
  const problems = (severity: Severity) => paintProblems(rows.problems[severity], options);
  const listed = () => [
    ...installs(rows, painting),
    ...refreshes(rows, painting),
    ...renames(rows, painting),
    ...moves(rows, painting),
    ...problems('note'),
  ];
  const blocks = [
    head(rows, options),
    ...deletions(rows, painting),
    ...pendingBlocks(rows.plan.pendingInstalls, options),
    ...(options.summary ? sums(rows, painting) : listed()),
    ...problems('warning'),
    ...problems('error'),
    ...comparison(rows, options),
    paintFoot(rows, options),
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

interface Painting extends TerminalOptions {
  readonly place: PlaceCell;
  readonly groupName: (groupId: string) => string;
}

/** The place in the desired state that requests a change. Its line is shown on any terminal. */
type PlaceCell = (reason: Reason) => Cell;

const lineOnly = (reason: Reason): string =>
  reason.line === noLine ? printable(reason.file) : `line ${reason.line}`;
const withFile = (reason: Reason): string => printable(fileAndLine(reason));

function head({ plan }: PlanRows, { color }: TerminalOptions): readonly string[] {
  const { account, observed, files, ticket } = plan;
  const whose = account.companyId === null ? '' : ` of account ${printable(account.companyId)}`;
  const also = alsoRead(plan, printable);
  const part = plan.partial ? [color.yellow('This plan is partial: it covers only some hosts.')] : [];
  return [
    color.bold(`The fleet${whose} at ${printable(account.service)}`),
    color.dim(
      `${count(observed.hosts, 'host')} and ${count(observed.groups, 'group')} read at ${printable(observed.takenAt)}; ` +
        `desired state from ${files.map(printable).join(', ')}${ticket === undefined ? '' : `; change ticket ${printable(ticket)}`}`,
    ),
    ...(also === undefined ? [] : [color.dim(`also read: ${also}`)]),
    ...part,
  ];
}

function comparison({ plan }: PlanRows, options: TerminalOptions): readonly (readonly string[])[] {
  if (plan.comparison === undefined) return [];
  if (!options.summary) return paintComparison(plan.comparison, options);
  return [[comparisonLine(comparisonCounts(plan.comparison), printable(plan.comparison.base))]];
}

function deletions(rows: PlanRows, painting: Painting): readonly (readonly string[])[] {
  const { color } = painting;
  const title = color.bold(color.red(`Delete ${count(rows.deletions.length, 'host')}`));
  const mark = { text: '-', paint: color.red };
  return hostBlock(rows, rows.deletions, `${title} ${color.red("(can't be undone)")}`, mark, painting);
}

function installs(rows: PlanRows, painting: Painting): readonly (readonly string[])[] {
  const { color } = painting;
  const title = color.bold(`Install anti-virus on ${count(rows.installs.length, 'host')}`);
  const mark = { text: '+', paint: color.green };
  return hostBlock(rows, rows.installs, `${title} ${color.yellow("(can't be undone)")}`, mark, painting);
}

function refreshes(rows: PlanRows, painting: Painting): readonly (readonly string[])[] {
  const { color } = painting;
  const title = color.bold(`Refresh the anti-virus status of ${count(rows.refreshes.length, 'host')}`);
  const why = color.dim('(changes nothing; resolves installs in doubt)');
  return hostBlock(rows, rows.refreshes, `${title} ${why}`, { text: '?', paint: color.cyan }, painting);
}

function hostBlock(
  rows: PlanRows,
  hosts: readonly HostRow[],
  title: string,
  mark: Cell,
  painting: Painting,
): readonly (readonly string[])[] {
  return hosts.length === 0 ? [] : [[title, ...hostTable(rows, hosts, mark, painting)]];
}

/** The room for the counts and ids that follow a group's name in a title, at their longest. */
const besideGroup = 56;

function moves(rows: PlanRows, painting: Painting): readonly (readonly string[])[] {
  const { color, columns } = painting;
  const room = columns === null ? Number.POSITIVE_INFINITY : Math.max(8, columns - besideGroup);
  return rows.moves.map(({ groupId, groupName, hosts }) => {
    const named = groupName === null ? 'a group without a name' : shorten(shownName(groupName), room);
    const where = groupId === ungroupedId ? 'to no group' : `to ${named} ${color.dim(`(group ${groupId})`)}`;
    const title = color.bold(`Move ${count(hosts.length, 'host')} ${where}`);
    return [title, ...hostTable(rows, hosts, { text: '>', paint: color.cyan }, painting, 'from')];
  });
}

function hostTable(
  { plan }: PlanRows,
  hosts: readonly HostRow[],
  mark: Cell,
  { color, columns, place, groupName }: Painting,
  preposition: 'in' | 'from' = 'in',
): readonly string[] {
  // A move does not depend on whether the host is online.
  const shown = preposition === 'from' ? [] : plan.hostStates;
  const states = new Map(shown.map((state) => [state.hostId, state]));
  const rows = hosts.map(({ name, hostId, expects, reason }): readonly Cell[] => [
    mark,
    nameCell(name, color),
    { text: hostId, paint: color.dim },
    place(reason),
    { text: groupCell(preposition, expects.groupId, groupName), paint: color.dim },
    ...stateCells(states.get(hostId), color),
  ]);
  const kinds = ['fixed', 'name', 'fixed', 'extra', 'name', 'fixed', 'extra'] as const;
  return layOut(rows, { columns: kinds, indent: 2, width: columns });
}

function groupCell(preposition: string, groupId: string, groupName: (id: string) => string): string {
  const name = groupName(groupId);
  return groupId === ungroupedId ? `${preposition} ${name}` : `${preposition} ${shownName(name)}`;
}

/** Whether a host that is deleted or gets the anti-virus is in use, and since when it is not. */
function stateCells(state: HostState | undefined, color: Color): readonly Cell[] {
  if (state === undefined) return [{ text: '' }, { text: '' }];
  if (state.online) return [{ text: 'online now', paint: color.yellow }, { text: '' }];
  const since = state.stateChangedAt === undefined ? '' : `since ${printable(state.stateChangedAt)}`;
  return [
    { text: 'offline', paint: color.dim },
    { text: since, paint: color.dim },
  ];
}

/** The number of causes and of groups that a summary lists. */
const mostSummed = 20;

/** What changes by cause and by group, for a summary without hosts. */
function sums(rows: PlanRows, { color, groupName }: Painting): readonly (readonly string[])[] {
  const all = firstCauses(rows.plan, mostSummed);
  // One cause for each change would only repeat the totals.
  const causes = (all.some(isCommon) ? all : []).map(({ changes, ...cause }) => [
    { text: printable(causeTitle(cause)) },
    { text: causeWords(changes), paint: color.dim },
  ]);
  const changed = groupChanges(rows.plan);
  const groups = changed
    .slice(0, mostSummed)
    .map(({ groupId, before, after }) => [
      { text: printable(groupName(groupId)) },
      { text: `from ${grouped(before)} to ${count(after, 'host')}`, paint: color.dim },
    ]);
  const left = changed.length - groups.length;
  const block = (title: string, lines: readonly (readonly Cell[])[], rest: readonly string[] = []) =>
    lines.length === 0
      ? []
      : [
          [
            color.bold(title),
            ...layOut(lines, { columns: ['name', 'fixed'], indent: 2, width: null }),
            ...rest,
          ],
        ];
  return [
    ...block('Causes', causes),
    ...block('Groups', groups, left > 0 ? [`  … and ${count(left, 'more group')}`] : []),
  ];
}

function renames(rows: PlanRows, painting: Painting): readonly (readonly string[])[] {
  const { renames: components } = rows;
  if (components.length === 0) return [];
  const { color } = painting;
  const joined = components.filter((each) => each.shape !== 'single');
  const single = components.filter((each) => each.shape === 'single');
  const blocks = [...joined.map((each) => each.rows), single.flatMap((each) => each.rows)];
  const table = renameTable(blocks.flat(), painting);
  const lines: string[] = [color.bold(renamesTitle(rows))];
  let at = 0;
  for (const [index, block] of blocks.entries()) {
    if (block.length === 0) continue;
    const component = joined[index];
    const title = component === undefined ? 'independent renames' : componentTitle(component);
    if (title !== undefined && joined.length > 0) lines.push(color.dim(`  ${title}`));
    for (const end = at + block.length; at < end; at += 1) lines.push(table[at] as string);
  }
  return [lines];
}

function renameTable(rows: readonly RenameRow[], { color, columns, place }: Painting): readonly string[] {
  const cells = rows.map((row): readonly Cell[] => [
    { text: '~', paint: color.yellow },
    nameCell(row.from, color),
    { text: '→', paint: color.dim },
    nameCell(row.to, color),
    { text: row.hostId, paint: color.dim },
    place(row.reason),
    { text: renameRemark(row), paint: color.yellow },
  ]);
  const kinds = ['fixed', 'name', 'fixed', 'name', 'fixed', 'extra', 'note'] as const;
  return layOut(cells, { columns: kinds, indent: 2, width: columns });
}

/** A reviewer needs all changes of the pull request, but only this many of the pending ones are shown. */
const mostShown = 50;

/** The three-way review for a terminal, in blocks of lines. */
function paintComparison(
  comparison: Comparison,
  { color, columns }: TextStyle,
): readonly (readonly string[])[] {
  const parts = comparisonParts(comparison).map(({ title, changes }) => {
    const shown = changes.slice(0, mostShown).map((change) => cells(change, color));
    const more = changes.length - shown.length;
    return [
      color.bold(`${title} (${changes.length})`),
      ...layOut(shown, { columns: ['fixed', 'name', 'name', 'extra'], indent: 2, width: columns }),
      ...(more > 0 ? [color.dim(`  … and ${grouped(more)} more`)] : []),
    ];
  });
  return [...parts, [comparisonLine(comparisonCounts(comparison), printable(comparison.base))]];
}

function cells({ kind, hostId, name, to }: IntendedChange, color: Color) {
  return [
    { text: changeVerbs[kind] },
    { text: shownName(name) },
    { text: targetWords(kind, to) },
    { text: hostId, paint: color.dim },
  ];
}

function targetWords(kind: IntendedChange['kind'], to: string | null): string {
  if (kind === 'rename') return `→ ${printable(to ?? '')}`;
  if (kind !== 'move') return '';
  return to === null ? '→ no group' : `→ ${printable(to)}`;
}
