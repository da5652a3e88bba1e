import { type EntryField, fieldOf } from '../schema/entry-fields.ts';
import type { MappingNode, Member, ScalarNode, Span, YamlNode } from '../sources/source-text.ts';
import type { ColumnName, Columns } from './columns.ts';
import type { CsvCell, Row } from './split-csv.ts';

/** Separates the items of one cell. */
const separator = '|';
export const noGroup = '(none)';

/** Converts a row to the equivalent YAML mapping; an empty cell adds no key. */
export function rowToTree(row: Row, columns: Columns): MappingNode {
  const members: Member[] = [];
  for (const [index, cell] of row.cells.entries()) {
    const column = columns[index];
    if (column !== undefined && cell.text !== '') members.push(toMember(column, cell));
  }
  return { kind: 'mapping', members, ...spanOf(row) };
}

function toMember(column: ColumnName, cell: CsvCell): Member {
  if (column === 'groupId') {
    const id = { key: text('id', cell), value: plain(cell.text, cell) };
    return { key: text('group', cell), value: { kind: 'mapping', members: [id], ...spanOf(cell) } };
  }
  return { key: text(column, cell), value: toValue(fieldOf(column).type, cell) };
}

function toValue(type: EntryField['type'], cell: CsvCell): YamlNode {
  switch (type) {
    case 'id':
      return plain(cell.text, cell);
    case 'group':
      return cell.text === noGroup ? plain('null', cell) : text(cell.text, cell);
    case 'names':
    case 'words':
      return { kind: 'sequence', items: splitWords(cell), ...spanOf(cell) };
    case 'text':
    case 'time':
    case 'word':
      return text(cell.text, cell);
  }
}

function splitWords(cell: CsvCell): readonly ScalarNode[] {
  return cell.text.split(separator).map((word) => text(word.trim(), cell));
}

function text(value: string, at: Span): ScalarNode {
  return { kind: 'scalar', text: value, plain: false, ...spanOf(at) };
}

function plain(value: string, at: Span): ScalarNode {
  return { kind: 'scalar', text: value, plain: true, ...spanOf(at) };
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}
