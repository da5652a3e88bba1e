import { defined } from '../../core/lib/defined.ts';
import { quoted } from '../../core/lib/words.ts';
import type { AssetTable, ColumnType, TableLimits } from '../../core/model/asset-table.ts';
import type { HttpRequest, Paging } from '../../core/model/register-request.ts';
import type { Place } from '../../core/problem/problem.ts';
import type { ValuesOf } from '../schema/field.ts';
import { presetNames, registerPresets } from '../schema/register-presets.ts';
import { columnFields, pagingFields, tableFields, tableLimitFields } from '../schema/table-fields.ts';
import type { Member, YamlNode } from '../sources/source-text.ts';
import { readFields, readSection } from '../values/read-fields.ts';
import { itemHead, type Members, type Reading, readItems, readMembers, report } from '../values/reading.ts';
import { cellFault } from './check-cells.ts';
import type { TableOrigin, TableSource } from './table-source.ts';

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

function readTable(reading: Reading, node: YamlNode, read: TableSource): DeclaredTable | undefined {
  const section = readSection(reading, node, tableFields, { what: 'a table', example });
  if (section === undefined) return undefined;
  const { members, place } = section;
  const { name, key, join, ...source } = section.values;
  const types = readColumns(reading, members.columns);
  const limits = members.limits === undefined ? defaultLimits : readLimits(reading, members.limits);
  if (name === undefined || !isUsableName(reading, members.name ?? fail(), name)) return undefined;
  const declared = { name, types, place };
  const origin = originOf(reading, node, members, source);
  if (origin === undefined || key === undefined || join === undefined) return declared;
  const content = read(origin, reading.source.file);
  if (!content.ok) {
    const at = reading.source.placeOf((members.file ?? members.source ?? fail()).value);
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

/** A file of the project, or a register of the operator. */
function originOf(
  reading: Reading,
  node: YamlNode,
  members: Members<typeof tableFields>,
  { file, source, preset, path, rowsAt, query }: ValuesOf<typeof tableFields>,
): TableOrigin | undefined {
  const at = itemHead(node);
  if ((members.file === undefined) === (members.source === undefined)) {
    const message = 'a table needs a "file" or a "source", and not both';
    return report(reading, at, 'missing-key', message, { hint: example });
  }
  const ofHttp = [members.preset, members.path, members.paging];
  const stray = [...ofHttp, members.query].find((member) => member !== undefined);
  if (members.file !== undefined) {
    if (stray === undefined)
      return file === undefined ? undefined : { kind: 'file', path: file, ...defined({ rowsAt }) };
    const message = `"${stray.key.text}" is for a table with a "source"`;
    return report(reading, stray.key, 'invalid-value', message, { hint: 'remove it' });
  }
  if (source === undefined) return undefined;
  if (!/^[a-z][a-z0-9-]{0,40}$/.test(source)) {
    return report(reading, at, 'invalid-value', `a source can't have the name ${quoted(source)}`, {
      hint: 'use small letters, digits and hyphens, such as snipe',
    });
  }
  if (members.query !== undefined) {
    const other = [...ofHttp, members.rowsAt].find((member) => member !== undefined);
    if (other === undefined)
      return query === undefined ? undefined : { kind: 'register', request: { source, query } };
    const message = `"${other.key.text}" is for a register over HTTP, and the table has a "query"`;
    return report(reading, other.key, 'invalid-value', message, { hint: 'remove one of the two' });
  }
  const known: Pick<HttpRequest, 'rowsAt'> & Partial<HttpRequest> =
    preset === undefined ? {} : registerPresets[preset];
  const paging =
    members.paging === undefined ? (known.paging ?? noPaging) : readPaging(reading, members.paging);
  const first = path ?? known.path;
  if (first === undefined) {
    return report(
      reading,
      at,
      'missing-key',
      'a table with a "source" needs a "preset", a "path" or a "query"',
      {
        hint: `the presets are ${presetNames.join(', ')}`,
      },
    );
  }
  if (paging === undefined) return undefined;
  return {
    kind: 'register',
    request: { source, path: first, paging, ...defined({ rowsAt: rowsAt ?? known.rowsAt }) },
  };
}

const noPaging: Paging = { by: 'none', param: '', size: 0, first: 0 };

function readPaging(reading: Reading, member: Member): Paging | undefined {
  const words = { what: '"paging"', example: 'write, for example, paging: { by: offset, sizeParam: limit }' };
  const section = readSection(reading, member.value, pagingFields, words, member.key);
  if (section?.values.by === undefined) return undefined;
  const { by, param, sizeParam, size = 100, first = 1, at, total } = section.values;
  if ((by === 'cursor' || by === 'next') && at === undefined) {
    return report(reading, member.key, 'missing-key', `paging by ${by} needs "at"`, {
      hint: 'set the field of the page that contains it, such as meta.next',
    });
  }
  return { by, param: param ?? by, size, first, ...defined({ sizeParam, at, total }) };
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

function readColumns(reading: Reading, member: Member | undefined): ReadonlyMap<string, ColumnType> {
  const words = { what: 'a column', example: columnExample };
  const columns = readItems(reading, member, columnExample, (item) => {
    const { name, type } = readSection(reading, item, columnFields, words)?.values ?? {};
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
