import { quoted } from '../../core/lib/quoted.ts';
import type { AssetTable, ColumnType, TableLimits } from '../../core/model/asset-table.ts';
import type { Place } from '../../core/problem/place.ts';
import { columnFields, tableFields, tableLimitFields } from '../schema/table-fields.ts';
import type { Member, YamlNode } from '../sources/yaml-tree.ts';
import { defined, readFields, requireFields } from '../values/read-fields.ts';
import { headOf, readItems } from '../values/read-items.ts';
import { readMembers } from '../values/read-members.ts';
import { type Reading, report } from '../values/reading.ts';
import { cellFault } from './check-cells.ts';
import type { TableSource } from './table-source.ts';

/** A table as a file declares it. Its content is absent if it could not be read, which is a problem. */
export interface DeclaredTable {
  readonly name: string;
  readonly types: ReadonlyMap<string, ColumnType>;
  readonly place: Place;
  readonly content?: AssetTable;
}

const example =
  'write, for example: - { name: asset, file: assets.csv, key: Serial, join: host.inventory.hardware.serviceTag }';

/** Reads the items of `tables:`, and the tables themselves. */
export function readTables(reading: Reading, tables: Member, source: TableSource): readonly DeclaredTable[] {
  return readItems(reading, tables, example, (item) => readTable(reading, item, source));
}

const defaultLimits: TableLimits = { shrink: { kind: 'share', percent: 10 }, rows: 1 };

function readTable(reading: Reading, node: YamlNode, source: TableSource): DeclaredTable | undefined {
  const words = { what: 'a table', example };
  const members = readMembers(reading, node, tableFields, words);
  if (members === undefined) return undefined;
  const head = headOf(node);
  const { name, file, rowsAt, key, join } = readFields(reading, members, tableFields);
  requireFields(reading, head, members, tableFields, words);
  const types = members.columns === undefined ? new Map() : readColumns(reading, members.columns);
  const limits = members.limits === undefined ? defaultLimits : readLimits(reading, members.limits);
  if (name === undefined || !isUsableName(reading, members.name ?? fail(), name)) return undefined;
  const declared = { name, types, place: reading.source.placeOf(head) };
  if (file === undefined || key === undefined || join === undefined) return declared;
  const origin = { kind: 'file', path: file, ...(rowsAt === undefined ? {} : { rowsAt }) } as const;
  const content = source(origin, reading.source.file);
  if (!content.ok) {
    const at = reading.source.placeOf((members.file ?? fail()).value);
    for (const each of content.problems) {
      const place = each.place ?? at;
      reading.problems.add({ ...each, message: `table ${quoted(name)}: ${each.message}`, place });
    }
    return declared;
  }
  const broken = cellFault(content.value.rows, types);
  if (broken !== undefined) {
    reading.problems.add({ ...broken, message: `table ${quoted(name)}: ${broken.message}` });
    return declared;
  }
  return { ...declared, content: { ...declared, key, join, limits, ...content.value } };
}

function fail(): never {
  throw new Error('a value was read without its member');
}

/** Names that mean something else in expressions. */
const taken: ReadonlySet<string> = new Set(
  'host account change now true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

function isUsableName(reading: Reading, { value }: Member, name: string): boolean {
  if (/^[a-zA-Z_]\w*$/.test(name) && !taken.has(name)) return true;
  report(reading, value, 'invalid-value', `a table can't have the name ${quoted(name)}`, {
    hint: 'expressions read the table by its name: use letters and digits, such as asset',
  });
  return false;
}

const columnExample = 'write, for example: - { name: Purchased, type: date }';

function readColumns(reading: Reading, member: Member): ReadonlyMap<string, ColumnType> {
  const words = { what: 'a column', example: columnExample };
  const columns = readItems(reading, member, columnExample, (item) => {
    const members = readMembers(reading, item, columnFields, words);
    if (members === undefined) return undefined;
    requireFields(reading, headOf(item), members, columnFields, words);
    const { name, type } = readFields(reading, members, columnFields);
    return name === undefined || type === undefined ? undefined : { name, type };
  });
  return new Map(columns.map(({ name, type }) => [name, type]));
}

function readLimits(reading: Reading, { value }: Member): TableLimits {
  const members = readMembers(reading, value, tableLimitFields, {
    what: '"limits" of a table',
    example: 'write, for example, limits: { shrink: 5%, rows: 100 }',
  });
  if (members === undefined) return defaultLimits;
  const { age, ...limits } = readFields(reading, members, tableLimitFields);
  return { ...defaultLimits, ...defined(limits), ...(age === undefined ? {} : { ageMs: age }) };
}
