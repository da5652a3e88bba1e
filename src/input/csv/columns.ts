import { quoted } from '../../core/lib/words.ts';
import type { EntryAttribute } from '../../core/model/entry.ts';
import { type ColumnAttribute, entryAttributes, fieldOf } from '../schema/entry-fields.ts';
import { meantBy, type Reading, report } from '../values/reading.ts';
import type { CsvCell, Row } from './split-csv.ts';

/** The columns of a table of hosts. An empty cell leaves the attribute unmanaged; `groupId` is the group by its id. */
export type ColumnName = ColumnAttribute | 'groupId';

const names: readonly ColumnName[] = entryAttributes.flatMap((key) => {
  if (!hasColumn(key)) return [];
  return key === 'group' ? [key, 'groupId'] : [key];
});

function hasColumn(key: EntryAttribute): key is ColumnAttribute {
  return fieldOf(key).column === true;
}

/** The attribute in each column, according to the first row; undefined for a column that is not read. */
export type Columns = readonly (ColumnName | undefined)[];

/** Columns may be in any order and letter case; `#` at the start of a name marks a column of notes. */
export function readHeader(reading: Reading, header: Row): Columns | undefined {
  const firsts = new Map<ColumnName, CsvCell>();
  let isSound = true;
  const columns = header.cells.map((cell): ColumnName | undefined => {
    if (cell.text === '' || cell.text.startsWith('#')) return undefined;
    const name = names.find((each) => each.toLowerCase() === cell.text.toLowerCase());
    const first = name === undefined ? undefined : firsts.get(name);
    if (name === undefined) unknownColumn(reading, cell);
    else if (first === undefined) firsts.set(name, cell);
    else {
      report(reading, cell, 'duplicate-key', `the column ${quoted(cell.text)} appears twice`, {
        hint: 'remove one of the two',
        related: [reading.source.placeOf(first)],
      });
    }
    if (name === undefined || first !== undefined) isSound = false;
    return name;
  });
  if (!isSound) return undefined;
  if (firsts.has('id') || firsts.has('name')) return columns;
  return report(reading, header, 'missing-key', 'a table needs a column "id" or "name"', {
    hint: `the first row names the columns: ${names.join(', ')}`,
  });
}

function unknownColumn(reading: Reading, cell: CsvCell): void {
  const near = meantBy(cell.text, names);
  const hint =
    near !== undefined
      ? `did you mean "${near}"?`
      : `the columns are ${names.join(', ')}; start the name of a notes column with "#"`;
  report(reading, cell, 'unknown-key', `unknown column ${quoted(cell.text)}`, { hint });
}
