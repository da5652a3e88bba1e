import { isInt64 } from '../../core/lib/int64.ts';
import { once } from '../../core/lib/once.ts';
import { printable } from '../../core/lib/printable.ts';
import type { Entry } from '../../core/model/entry.ts';
import { type GroupIntent, toGroupId } from '../../core/model/group.ts';
import { readTemporaryName } from '../../core/model/temporary-name.ts';
import { composeEntry } from '../entries/compose-entry.ts';
import { isTimestamp } from '../values/read-timestamp.ts';
import { isSpreadsheetError } from './check-row.ts';
import type { ColumnName, Columns } from './columns.ts';
import { type CommonRow, cellText, isEmptyCell, isQuoted } from './common-row.ts';
import { groupCalled } from './group-called.ts';
import { separator } from './row-to-tree.ts';

/**
 * Makes the entry of what stands in the row at that moment, for a number. Undefined where anything is wrong or worth a
 * word, by the checks of the general reader; only that an id may have been rounded is left to the caller.
 */
export function commonEntryReader(row: CommonRow, columns: Columns): (index: number) => Entry | undefined {
  const place = (column: ColumnName) => columns.indexOf(column);
  const at = {
    id: place('id'),
    name: place('name'),
    current: place('current'),
    previously: place('previously'),
    group: place('group'),
    groupId: place('groupId'),
    antivirus: place('antivirus'),
    ensure: place('ensure'),
    deleteAfter: place('deleteAfter'),
  };
  const groups = new Map<string, GroupIntent>();
  // Asked of the whole text once, these two take a tenth of the time that they take of each name.
  const isPlain = once(() => !/[^\n\r\x20-\x7e]/.test(row.text));
  const mayHaveTemporaryName = once(() => row.text.includes('~rampart'));
  const read = (column: number): string | undefined => cellText(row, column) || undefined;

  const readGroup = (): GroupIntent | undefined => {
    const id = read(at.groupId);
    if (id !== undefined) return groupWithId(id);
    const name = cellText(row, at.group);
    if (name === '') return undefined;
    let intent = groups.get(name);
    if (intent === undefined) {
      intent = groupCalled(name);
      groups.set(name, intent);
    }
    return intent;
  };

  /** Can it be given to a host without a word? */
  const isPlainName = (name: string): boolean =>
    (isPlain() || printable(name) === name) &&
    !(isQuoted(row, at.name) && name.trim() !== name) &&
    !(mayHaveTemporaryName() && readTemporaryName(name) !== undefined);

  return (index) => {
    if (!areSoundCells(row, columns)) return undefined;
    const id = read(at.id);
    const name = read(at.name);
    if (id === undefined ? name === undefined : !isInt64(id)) return undefined;
    const antivirus = read(at.antivirus);
    const ensure = read(at.ensure);
    if (antivirus !== undefined && antivirus !== 'installed') return undefined;
    if (ensure !== undefined && ensure !== 'present' && ensure !== 'absent') return undefined;
    if (name !== undefined && ensure !== 'absent' && !isPlainName(name)) return undefined;
    const previously = read(at.previously)
      ?.split(separator)
      .map((each) => each.trim());
    if (previously !== undefined && !areOtherNames(previously, name)) return undefined;
    const group = readGroup();
    const hasGroupId = read(at.groupId) !== undefined;
    if (hasGroupId && (group === undefined || read(at.group) !== undefined)) return undefined;
    const deleteAfter = read(at.deleteAfter);
    if (deleteAfter !== undefined && !isTimestamp(deleteAfter)) return undefined;
    const isContradiction =
      ensure === 'absent' ? group !== undefined || antivirus !== undefined : deleteAfter !== undefined;
    if (isContradiction) return undefined;
    const current = read(at.current);
    return composeEntry(index, {
      id,
      name,
      current,
      previously,
      group,
      antivirus,
      ensure,
      deleteAfter,
    });
  };
}

function groupWithId(text: string): GroupIntent | undefined {
  const id = toGroupId(text);
  return id === undefined ? undefined : { kind: 'id', id };
}

/** Is there a cell for each column and none beyond, and no mistake of a formula or mere blanks in those that are read? */
function areSoundCells(row: CommonRow, columns: Columns): boolean {
  if (row.width < columns.length) return false;
  for (let column = 0; column < row.width; column += 1) {
    if (isEmptyCell(row, column)) continue;
    if (column >= columns.length) return false;
    if (columns[column] !== undefined && isOddCell(row, column)) return false;
  }
  return true;
}

function isOddCell(row: CommonRow, column: number): boolean {
  if (row.text[row.starts[column] as number] === '#')
    return isSpreadsheetError({ text: cellText(row, column) });
  return isQuoted(row, column) && isOddText(cellText(row, column));
}

function isOddText(text: string): boolean {
  return text.trim() === '' || isSpreadsheetError({ text });
}

function areOtherNames(previously: readonly string[], name: string | undefined): boolean {
  return (
    !previously.includes('') &&
    (name === undefined || !previously.includes(name)) &&
    new Set(previously).size === previously.length
  );
}
