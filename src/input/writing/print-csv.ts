import { stringify } from 'csv-stringify/sync';
import { printable } from '../../core/lib/printable.ts';
import type { GroupIntent } from '../../core/model/group.ts';
import { isSpreadsheetError } from '../csv/check-row.ts';
import { toFormulaCell } from '../csv/formula-cell.ts';
import { noGroup } from '../csv/row-to-tree.ts';
import { longestName } from './claimable-name.ts';
import { commentName } from './comment-text.ts';
import type { FleetDraft, GroupDraft, HostDraft } from './fleet-draft.ts';

const columns = ['id', 'name', 'previously', 'group', 'groupId', 'antivirus', 'ensure', 'current', '# note'];

export interface CsvOptions {
  /** Leave cells that spreadsheets take for formulas as they are. */
  readonly raw: boolean;
}

/**
 * A table of hosts for `hostsFrom`. Names that hide something are not in it; what a spreadsheet takes for a formula gets
 * an apostrophe in front, which reading takes away.
 */
export function printCsv({ groups }: FleetDraft, options: CsvOptions = { raw: false }): string {
  const rows = groups.flatMap((group) =>
    group.hosts.map((host) => toRow(host, group).map((cell) => toFormulaCell(cell, options))),
  );
  return stringify([columns, ...rows], { quoted_match: /^\s|\s$/ });
}

function toRow(
  { id, name, current, unclaimed, antivirus }: HostDraft,
  { intent, groupId }: GroupDraft,
): readonly string[] {
  const isShown = current !== null && isReadBack(current);
  const why =
    unclaimed ??
    (isShown ? '' : `its name has characters that a table can't show: ${commentName(current ?? '')}`);
  return [
    id,
    name !== undefined && isShown ? name : '',
    '',
    groupCell(intent),
    intent !== undefined && groupCell(intent) === '' ? groupId : '',
    antivirus ? 'installed' : '',
    '',
    isShown ? current : '',
    why,
  ];
}

function groupCell(intent: GroupIntent | undefined): string {
  if (intent?.kind === 'ungrouped') return noGroup;
  return intent?.kind === 'named' && isReadBack(intent.name) && intent.name !== noGroup ? intent.name : '';
}

/** Does a cell with this text read back as the same text? */
function isReadBack(text: string): boolean {
  return (
    printable(text) === text &&
    text.trim() !== '' &&
    text.length <= longestName &&
    !isSpreadsheetError({ text })
  );
}
