import type { Span } from '../sources/source-text.ts';
import type { MappingNode, Member, ScalarNode } from '../yaml/yaml-tree.ts';
import type { ColumnName, Columns } from './columns.ts';
import type { Cell, Row } from './split-csv.ts';

/** Between the names of one cell. */
const separator = '|';
export const noGroup = '(none)';

/** A row as the mapping that says the same in YAML; an empty cell says nothing. */
export function rowToTree(row: Row, columns: Columns): MappingNode {
  const members: Member[] = [];
  for (const [index, cell] of row.cells.entries()) {
    const column = columns[index];
    if (column !== undefined && cell.text !== '') members.push(toMember(column, cell));
  }
  return { kind: 'mapping', members, ...spanOf(row) };
}

function toMember(column: ColumnName, cell: Cell): Member {
  const key = text(column === 'groupId' ? 'group' : column, cell);
  switch (column) {
    case 'id':
      return { key, value: plain(cell.text, cell) };
    case 'groupId':
      return {
        key,
        value: {
          kind: 'mapping',
          members: [{ key: text('id', cell), value: plain(cell.text, cell) }],
          ...spanOf(cell),
        },
      };
    case 'group':
      return { key, value: cell.text === noGroup ? plain('null', cell) : text(cell.text, cell) };
    case 'previously':
      return { key, value: { kind: 'sequence', items: splitNames(cell), ...spanOf(cell) } };
    case 'name':
    case 'current':
    case 'antivirus':
    case 'ensure':
    case 'deleteAfter':
      return { key, value: text(cell.text, cell) };
  }
}

function splitNames(cell: Cell): readonly ScalarNode[] {
  return cell.text.split(separator).map((name) => text(name.trim(), cell));
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
