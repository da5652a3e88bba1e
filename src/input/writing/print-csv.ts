import { stringify } from 'csv-stringify/sync';
import { printable } from '../../core/lib/printable.ts';
import type { GroupIntent } from '../../core/model/observed.ts';
import { isSpreadsheetError, noGroup } from '../csv/columns.ts';
import { toFormulaCell } from '../csv/formula-cell.ts';
import { longestName } from './claimable-name.ts';
import { commentName } from './comment-text.ts';
import type { FleetDraft, GroupDraft, HostDraft } from './fleet-draft.ts';

const columns = ['id', 'name', 'previously', 'group', 'groupId', 'antivirus', 'ensure', 'current', '# note'];

export interface CsvOptions {
  /** Leave cells unchanged that spreadsheets would read as formulas. */
  readonly raw: boolean;
}

/**
 * A table of hosts for `hostsFrom`. It leaves out names with hidden characters. A text that a spreadsheet would read as
 * a formula gets a leading apostrophe, which reading removes.
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
    (isShown ? '' : `its name has characters that a table can't contain: ${commentName(current ?? '')}`);
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
