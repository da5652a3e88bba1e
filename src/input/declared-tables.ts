import type { AssetTable, TableTypes } from '../core/model/asset-table.ts';
import type { RegisterRequest } from '../core/model/register-request.ts';
import { failed, type Problem, problem, type Result } from '../core/problem/problem.ts';
import type { ParsedSource, Source } from './sources/decode-source.ts';
import { type DeclaredTable, readTables } from './tables/read-tables.ts';
import type { TableSource } from './tables/table-source.ts';
import { createProblemList } from './values/problem-list.ts';

/** The tables of all files. Rules and policies of any file can read them, so they are read before the files. */
export interface DeclaredTables {
  readonly types: TableTypes;
  readonly tables: readonly AssetTable[];
  readonly problems: readonly Problem[];
}

interface TablesOfSource {
  readonly declared: readonly DeclaredTable[];
  readonly problems: readonly Problem[];
}

/** The tables of each source that was read. */
export type TableReads = WeakMap<Source, TablesOfSource>;

export function declaredTables(
  sources: readonly Source[],
  parse: (source: Source) => Result<ParsedSource>,
  read: TableSource,
  reads: TableReads,
): DeclaredTables {
  const all = sources.filter(mayDeclareTables).map((source) => {
    const found = reads.get(source) ?? tablesOf(source, parse, read);
    reads.set(source, found);
    return found;
  });
  const declared = all.flatMap((each) => each.declared);
  return {
    types: new Map(declared.map(({ name, types }) => [name, types])),
    tables: declared.flatMap(({ content }) => content ?? []),
    problems: [...all.flatMap((each) => each.problems), ...repeatedNames(declared)],
  };
}

/** The registers that the tables of all files name, so that they can be read first. */
export function registerRequests(
  sources: readonly Source[],
  parse: (source: Source) => Result<ParsedSource>,
): readonly RegisterRequest[] {
  const requests: RegisterRequest[] = [];
  const collect: TableSource = (origin) => {
    if (origin.kind === 'register') requests.push(origin.request);
    return failed(problem('usage', 'the table has not been read yet'));
  };
  for (const source of sources.filter(mayDeclareTables)) tablesOf(source, parse, collect);
  return requests;
}

/** Most files declare no tables, and need not be parsed to find out. */
function mayDeclareTables({ text, script, parsed }: Source): boolean {
  if (script !== undefined || parsed !== undefined) return true;
  return typeof text === 'string'
    ? text.includes('tables')
    : Buffer.from(text.buffer, text.byteOffset, text.length).includes('tables');
}

function tablesOf(
  source: Source,
  parse: (source: Source) => Result<ParsedSource>,
  read: TableSource,
): TablesOfSource {
  const parsed = parse(source);
  const root = parsed.ok ? parsed.value.root : undefined;
  const member = root?.kind === 'mapping' ? root.members.find(({ key }) => key.text === 'tables') : undefined;
  if (!parsed.ok || member === undefined) return { declared: [], problems: [] };
  const problems = createProblemList();
  const declared = readTables({ source: parsed.value.text, problems }, member, read);
  return { declared, problems: problems.all() };
}

/** Two files may each declare tables, but an expression names only one. */
function repeatedNames(declared: readonly DeclaredTable[]): readonly Problem[] {
  return [...Map.groupBy(declared, ({ name }) => name).values()].flatMap(([first, ...others]) =>
    others.map(({ name, place }) =>
      problem('duplicate-name', `two tables have the name "${name}"`, {
        place,
        related: first === undefined ? [] : [first.place],
        hint: 'give one of them another name: expressions read a table by its name',
      }),
    ),
  );
}
