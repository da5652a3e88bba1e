import type { Problem } from '../../core/problem/problem.ts';
import { reasonCells } from '../review/reason-cells.ts';
import { orderedRenames, orderWords } from '../review/rename-order.ts';
import type { RenameRow } from '../review/rename-rows.ts';
import type { HostRow, PlanRows } from '../review/rows.ts';
import { groupNames } from './groups.ts';
import { shortText } from './name-text.ts';
import type { Change, PageData, Remark } from './page-data.ts';
import { toShownName } from './shown-name.ts';

/** All problems, in the order of the page. */
function pageProblems({ problems }: PlanRows): readonly Problem[] {
  return [...problems.error, ...problems.warning, ...problems.note];
}

/** The rows of the table: irreversible changes first, then renames by chain, then moves. */
export function toPageData(rows: PlanRows): PageData {
  const problems = pageProblems(rows);
  const about = numbersByHost(problems);
  const common = (row: HostRow | RenameRow) => ({
    id: row.hostId,
    group: row.expects.groupId,
    problems: about.get(row.hostId) ?? [],
    file: shortText(toShownName(row.reason.file)),
    line: row.reason.line,
    ...(row.reason.cells === undefined
      ? {}
      : { cells: reasonCells(row.reason).map((cell) => shortText(toShownName(cell))) }),
    ...(row.reason.rule === undefined ? {} : { rule: shortText(toShownName(row.reason.rule)) }),
  });
  const batch = (kind: 'delete' | 'antivirus' | 'move') => (row: HostRow) => ({
    kind,
    name: toShownName(row.name),
    remarks: hazardRemarks(row),
    ...common(row),
  });
  const changes: readonly Change[] = [
    ...rows.deletions.map(batch('delete')),
    ...rows.installs.map(batch('antivirus')),
    ...orderedRenames(rows.renames).map((ordered): Change => {
      const { row } = ordered;
      const { from, to, temporaryRename } = row;
      const order = orderWords(ordered);
      return {
        kind: temporaryRename === 'deletion' ? 'temporary-rename' : 'rename',
        name: toShownName(from),
        to: toShownName(to),
        remarks: [
          ...hazardRemarks(row),
          ...(temporaryRename === 'first' ? (['temporary-rename'] as const) : []),
        ],
        ...(order === '' ? {} : { order }),
        ...common(row),
      };
    }),
    ...rows.moves.flatMap(({ groupId, hosts }) =>
      hosts.map((row) => ({ ...batch('move')(row), target: groupId })),
    ),
  ];
  return {
    changes,
    groups: groupNames(rows),
    problems: problems.map((each) => each.code),
  };
}

/** JSON that is safe in a script element: no `<` can end the element or begin a comment. */
export function scriptJson(data: PageData): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

function hazardRemarks({ hazards }: HostRow | RenameRow): readonly Remark[] {
  return [...new Set(hazards)];
}

function numbersByHost(problems: readonly Problem[]): ReadonlyMap<string, readonly number[]> {
  const numbers = new Map<string, number[]>();
  for (const [number, { hostIds = [] }] of problems.entries()) {
    for (const id of hostIds) {
      const known = numbers.get(id);
      if (known === undefined) numbers.set(id, [number]);
      else known.push(number);
    }
  }
  return numbers;
}
