import type { TableTypes } from '../core/model/asset-table.ts';
import type { Desired } from '../core/model/desired.ts';
import {
  failed,
  hasErrors,
  ok,
  type Place,
  type Problem,
  problem,
  type Result,
} from '../core/problem/problem.ts';
import { checkClaims } from './claims/check-claims.ts';
import type { NamedTables } from './csv/read-hosts-from.ts';
import { declaredTables, type TableReads } from './declared-tables.ts';
import { joinEntries } from './entries/placed-entries.ts';
import { mergeFiles } from './merge-files.ts';
import { type FleetFile, readFile } from './read-file.ts';
import { decodeSource, type ParsedSource, type Source } from './sources/decode-source.ts';
import { isScript } from './sources/is-script.ts';
import { type OpenTable, openNoTable } from './sources/open-table.ts';
import { fileTables } from './tables/file-table.ts';
import { noRegisters, type Registers, registerTable } from './tables/register-table.ts';
import type { TableSource } from './tables/table-source.ts';
import { scriptToTree } from './typescript/script-to-tree.ts';
import { createProblemList, type ProblemList } from './values/problem-list.ts';
import { parseYaml } from './yaml/parse-yaml.ts';

export interface ReadDesiredOptions {
  /** Opens a table that `hostsFrom` names; if absent, naming a table is a problem. */
  readonly openTable?: OpenTable;
  /** The registers over HTTP, which were read before; if absent, naming one is a problem. */
  readonly registers?: Registers;
  /** Remembers each source that is read, so that the next desired state with the same source does not read it again. */
  readonly reads?: SourceReads;
}

export interface SourceReads {
  readonly files: WeakMap<Source, Map<string, SourceRead>>;
  readonly tables: TableReads;
}

export function createSourceReads(): SourceReads {
  return { files: new WeakMap(), tables: new WeakMap() };
}

/** The content of one source, and what else reading it found. */
interface SourceRead {
  readonly file: FleetFile | undefined;
  readonly problems: readonly Problem[];
  /** The tables that it opened, with the place that refers to each. */
  readonly opened: readonly (readonly [string, Place])[];
}

/**
 * Reads the text of all files as the desired state, or reports every problem within the files, in the order of the
 * text. It opens no file except through `openTable`, and sends nothing.
 */
export function readDesired(
  sources: readonly Source[],
  { openTable = openNoTable, registers = noRegisters, reads = createSourceReads() }: ReadDesiredOptions = {},
): Result<Desired> {
  if (sources.length === 0) return failed(problem('usage', 'there is no desired state'));
  const problems = createProblemList();
  const files: FleetFile[] = [];
  const tables: NamedTables = { open: openTable, opened: new Map() };
  const names = new Set<string>();
  const readFileTable = fileTables(openTable);
  const readTable: TableSource = (origin, namedBy) =>
    origin.kind === 'file' ? readFileTable(origin, namedBy) : registerTable(registers(origin.request));
  const declared = declaredTables(sources, parseSource, readTable, reads.tables);
  for (const each of declared.problems) problems.add(each);
  let count = 0;
  for (const source of sources) {
    names.add(source.file);
    const { file, problems: own, opened } = readOnce(source, count, tables, declared.types, reads);
    for (const each of own) problems.add(each);
    for (const [table, place] of opened) tables.opened.set(table, place);
    for (const table of tables.opened.keys()) names.add(table);
    if (file === undefined) continue;
    files.push(file);
    count += file.entries?.count ?? 0;
  }
  const entries = joinEntries(files.flatMap((file) => file.entries ?? []));
  const mustManage = files.length === sources.length && declared.types.size === 0;
  const desired = mergeFiles(files, entries, problems, mustManage);
  for (const each of checkClaims(entries)) problems.add(each);
  const all = inTextOrder(problems.all(), [...names]);
  if (hasErrors(all)) return failed(...all);
  for (const { origin } of declared.tables) names.add(origin);
  const tabled = declared.tables.length === 0 ? {} : { tables: declared.tables };
  return ok({ ...desired, ...tabled, files: [...names] }, all);
}

/**
 * What a source contains also depends on the number of its first entry, on the tables of hosts that are already open,
 * and on the tables that its expressions can read.
 */
function readOnce(
  source: Source,
  firstIndex: number,
  { open, opened }: NamedTables,
  types: TableTypes,
  { files }: SourceReads,
): SourceRead {
  const key = [firstIndex, ...opened.keys(), keyOfTypes(types)].join('\n');
  const earlier = files.get(source) ?? new Map<string, SourceRead>();
  const known = earlier.get(key);
  if (known !== undefined) return known;
  const problems = createProblemList();
  const tables = { open, opened: new Map(opened) };
  const file = readSource(source, firstIndex, problems, tables, types);
  const own = [...tables.opened].filter(([name]) => !opened.has(name));
  const read = { file, problems: problems.all(), opened: own };
  files.set(source, earlier.set(key, read));
  return read;
}

function keyOfTypes(types: TableTypes): string {
  return JSON.stringify([...types].map(([name, columns]) => [name, ...columns]));
}

function readSource(
  source: Source,
  firstIndex: number,
  problems: ProblemList,
  tables: NamedTables,
  types: TableTypes,
): FleetFile | undefined {
  const parsed = parseSource(source);
  trees.delete(source);
  if (!parsed.ok) {
    for (const each of parsed.problems) problems.add(each);
    return undefined;
  }
  const { text, root } = parsed.value;
  return readFile({ source: text, problems, tables: types }, root, firstIndex, tables);
}

/** Sources that were parsed to find their tables, until they are read. Parsing a large one takes long. */
const trees = new WeakMap<Source, Result<ParsedSource>>();

export function parseSource(source: Source): Result<ParsedSource> {
  const tree = trees.get(source) ?? toTree(source);
  trees.set(source, tree);
  return tree;
}

function toTree(source: Source): Result<ParsedSource> {
  if (source.parsed !== undefined) return ok(source.parsed);
  if (source.script !== undefined) {
    return source.script.ok ? scriptToTree(source.file, source.script.value) : source.script;
  }
  if (isScript(source.file)) return failed(notRun(source.file));
  const decoded = decodeSource(source);
  if (!decoded.ok) return decoded;
  const tree = parseYaml(decoded.value);
  return tree.ok ? ok({ text: decoded.value, root: tree.value }) : tree;
}

function notRun(file: string): Problem {
  return problem('usage', `${file} is a script: it must be run first`, {
    place: { file, line: 1, col: 1 },
    hint: 'load it with loadDesired',
  });
}

function inTextOrder(problems: readonly Problem[], files: readonly string[]): readonly Problem[] {
  const fileOrder = new Map(files.map((file, index) => [file, index]));
  const rank = ({ place }: Problem) =>
    place === undefined ? -1 : (fileOrder.get(place.file) ?? files.length);
  return problems.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.place?.line ?? 0) - (b.place?.line ?? 0) ||
      (a.place?.col ?? 0) - (b.place?.col ?? 0),
  );
}
