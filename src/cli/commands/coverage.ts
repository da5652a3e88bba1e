import { quoted } from '../../core/lib/words.ts';
import type { AssetTable } from '../../core/model/asset-table.ts';
import type { Desired } from '../../core/model/desired.ts';
import { entryTable } from '../../core/model/entry.ts';
import { unreadableHost } from '../../core/model/observed.ts';
import { noPolicy } from '../../core/model/policy.ts';
import { coverageOf, faultsOfTables, type TableCoverage } from '../../core/plan/coverage.ts';
import { toDocument } from '../../core/plan/document/document-names.ts';
import { unknownColumn } from '../../core/plan/guards/table-problems.ts';
import { failed, hasErrors, ok, problem, type Result } from '../../core/problem/problem.ts';
import { toDocuments } from '../../output/review/columns.ts';
import { coverageColumns, coverageRows } from '../../output/review/coverage-columns.ts';
import { coverageMarkdown } from '../../output/review/coverage-markdown.ts';
import { paintCoverage } from '../../output/review/coverage-text.ts';
import { toCsv } from '../../output/review/csv.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { textStyle, toNdjson } from '../listing/print-listing.ts';
import { createCommandPlanner, fleetToPlan } from '../planning/planning.ts';
import { readDesiredState } from '../planning/read-desired-state.ts';
import type { Context } from '../shell/context.ts';

export interface CoverageFlags {
  readonly file?: readonly string[];
  readonly table?: string;
  /** The column that groups the rows. */
  readonly by?: string;
  readonly observed?: string;
  readonly detailedExitcode?: true;
}

const coverageFormatVersion = '1.0';

/** Reports where tables and the fleet disagree. A table that a plan would refuse proves nothing, and is refused. */
export async function coverage(context: Context, flags: CoverageFlags): Promise<ExitCode> {
  const read = await readDesiredState(flags.file ?? [], context);
  if (!read.ok) return context.fail(read.problems);
  context.report(read.problems);
  const desired = withTablesOnly(read.value);
  const tables = chosenTables(desired, flags);
  if (!tables.ok) return context.fail(tables.problems);
  const fleet = await fleetToPlan(context, desired, flags);
  if (!fleet.ok) return context.fail(fleet.problems);
  const { observed } = fleet.value;
  context.report([...fleet.problems, ...(observed.unreadable ?? []).map(unreadableHost)]);
  const planner = await createCommandPlanner(context, { desired, ...fleet.value }, flags);
  const inputs = planner.ok ? planner.value.inputsOn(observed) : planner;
  if (!inputs.ok) return context.fail(inputs.problems);
  const unsound = faultsOfTables(inputs.value, tables.value);
  if (hasErrors(unsound)) return context.fail(unsound);
  context.report(unsound);

  const reports = tables.value.map((table) => coverageOf(table, inputs.value, flags.by));
  printReports(reports, context);
  const found = reports.some(({ findings }) => findings.length > 0);
  return found && flags.detailedExitcode === true ? exitCodes.changes : exitCodes.success;
}

/** So that only the lists are read that join the tables to hosts. */
function withTablesOnly(desired: Desired): Desired {
  return { ...desired, ...entryTable([]), rules: [], policy: noPolicy };
}

function chosenTables(
  { tables = [], files }: Desired,
  { table, by }: CoverageFlags,
): Result<readonly AssetTable[]> {
  const chosen = table === undefined ? tables : tables.filter(({ name }) => name === table);
  if (chosen.length === 0) {
    return failed(
      tables.length === 0
        ? problem('usage', `${files.join(', ')} declares no table`, {
            hint: 'declare the asset register under "tables:"; docs/guides/asset-register.md has an example',
          })
        : problem('usage', `the desired state has no table ${quoted(table ?? '')}`, {
            hint: `its tables are ${tables.map(({ name }) => quoted(name)).join(', ')}`,
          }),
    );
  }
  const without = by === undefined ? [] : chosen.filter(({ rows }) => !rows.columns.includes(by));
  return without.length === 0
    ? ok(chosen)
    : failed(...without.map((each) => unknownColumn(each, by ?? '', '--by', undefined)));
}

function printReports(reports: readonly TableCoverage[], context: Context) {
  const { settings, print, printExactly, printJson } = context;
  const rows = () => reports.flatMap(coverageRows);
  switch (settings.format) {
    case 'json':
      return printJson({
        format_version: coverageFormatVersion,
        tables: reports.map((report) => toDocument(report)),
      });
    case 'csv':
      return print(toCsv(rows(), coverageColumns));
    case 'ndjson':
      return printExactly(toNdjson(toDocuments(rows(), coverageColumns)));
    case 'markdown':
      return print(reports.map(coverageMarkdown).join('\n'));
    default:
      return print(reports.map((report) => paintCoverage(report, textStyle(context))).join('\n'));
  }
}
