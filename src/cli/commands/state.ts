import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { codeOf } from '../../core/lib/error-code.ts';
import { printable } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import type { AuditEntry } from '../../run/state/audit/audit-record.ts';
import { coverKey } from '../../run/state/audit/covers.ts';
import type { State } from '../../run/state/interface/state.ts';
import { describeHolder } from '../../run/state/lease/lease-holder.ts';
import { type Pruned, type PruneOptions, pruneRuns } from '../../run/state/prune-runs.ts';
import { exportState, importState, type Moved } from '../../run/state/transfer.ts';
import { printResult } from '../listing/print-listing.ts';
import { originOfCommand } from '../service/command-origin.ts';
import type { Context } from '../shell/context.ts';

const formatVersion = '1.0';

/** The location of the state, its contents, and the lock holders. */
export async function showState(context: Context): Promise<ExitCode> {
  const opened = await context.state.open();
  if (!opened.ok) return context.fail(opened.problems);
  const state = opened.value;
  const checked = await state.check();
  if (!checked.ok) return context.fail(checked.problems);
  const locks = await state.listLocks();
  if (!locks.ok) return context.fail(locks.problems);
  const latest = await state.listRuns({ limit: 1 });
  if (!latest.ok) return context.fail(latest.problems);
  const { runs } = checked.value;
  const last = latest.value[0]?.head;
  const document = {
    format_version: formatVersion,
    place: state.place,
    runs,
    latest_run: last === undefined ? null : { run_id: last.run_id, started_at: last.at },
    locks: locks.value,
  };
  const when = last === undefined ? '' : `, the latest started at ${last.at}`;
  const lines = [
    `State: ${state.place}`,
    `Runs:  ${runs}${printable(when)}`,
    `Locks: ${locks.value.length === 0 ? 'none' : locks.value.length}`,
    ...locks.value.map((holder) => `  ${printable(describeHolder(holder))}`),
  ];
  return printResult(context, document, `${lines.join('\n')}\n`);
}

/** Creates the tables of the shared state, or updates them. */
export async function migrateState(context: Context): Promise<ExitCode> {
  const opened = await context.state.open();
  if (!opened.ok) return context.fail(opened.problems);
  const { place, migrate } = opened.value;
  const migrated = await migrate();
  if (!migrated.ok) return context.fail(migrated.problems);
  const { applied } = migrated.value;
  if (applied.length > 0) {
    const noted = await note(context, opened.value, 'migration', { applied });
    if (!noted.ok) return context.fail(noted.problems);
  }
  const latest = applied.at(-1);
  const text =
    latest === undefined
      ? `${printable(place)} is up to date.\n`
      : `Migrated ${printable(place)} to version ${latest}.\n`;
  return printResult(context, { format_version: formatVersion, place, applied }, text);
}

/** Prints the whole state except its locks as NDJSON. */
export async function printState(context: Context): Promise<ExitCode> {
  const exported = await withState(context, (state) => exportState(state, context.printExactly));
  if (!exported.ok) return context.fail(exported.problems);
  context.report(exported.problems);
  context.log(`Exported ${movedWords(exported.value)}.`);
  // Unreadable items are left out, so the export is incomplete.
  return exported.problems.length > 0 ? exitCodes.incomplete : exitCodes.success;
}

export async function readStateFile(context: Context, _flags: unknown, file: string): Promise<ExitCode> {
  const lines = createInterface({ input: createReadStream(context.path(file)), crlfDelay: Infinity });
  try {
    const imported = await withState(context, async (state) => {
      const moved = await importState(state, lines, file);
      if (!moved.ok) return moved;
      const { runs, fleets, rollouts, known } = moved.value;
      const noted = await note(context, state, 'state-import', {
        runs,
        fleets,
        rollouts,
        already_there: known,
      });
      const covered = noted.ok ? await coverImported(context, state, moved.value.uncovered) : noted;
      return covered.ok ? moved : covered;
    });
    if (!imported.ok) return context.fail(imported.problems);
    context.report(imported.problems);
    const { runs, fleets, rollouts, known } = imported.value;
    const document = { format_version: formatVersion, runs, fleets, rollouts, already_there: known };
    const before = known === 0 ? '' : ` Already there: ${count(known, 'run')}.`;
    return printResult(context, document, `Imported ${movedWords(imported.value)}.${before}\n`);
  } catch (error) {
    return context.fail([problem('file-unreadable', `${file} can't be read (${codeOf(error)})`)]);
  } finally {
    lines.close();
  }
}

/** How many runs one record covers. */
const runsOfRecord = 500;

/** From now on, the audit log covers runs that were imported without the log in which they were recorded. */
async function coverImported(
  context: Context,
  state: State,
  runIds: readonly string[],
): Promise<Result<unknown>> {
  for (let from = 0; from < runIds.length; from += runsOfRecord) {
    const seals = await state.sealsOf(runIds.slice(from, from + runsOfRecord));
    if (!seals.ok) return seals;
    const covers = Object.fromEntries(
      [...seals.value].map(([id, { whole }]) => [coverKey('run', id), whole]),
    );
    const noted = await note(context, state, 'state-import', { covers });
    if (!noted.ok) return noted;
  }
  return ok(null);
}

export interface PruneFlags {
  /** Milliseconds. */
  readonly maxRunAge?: number;
  readonly dryRun?: true;
}

const aDay = 24 * 3600 * 1000;
/** Younger runs record which installs are in progress. */
const leastAgeMs = 7 * aDay;

export async function pruneState(context: Context, { maxRunAge, dryRun }: PruneFlags): Promise<ExitCode> {
  if (maxRunAge === undefined || maxRunAge < leastAgeMs) {
    return context.fail([
      problem('usage', '--max-run-age must be at least 7d', {
        hint: 'newer runs record which installs are in progress; for example: rampart state prune --max-run-age 90d',
      }),
    ]);
  }
  const before = context.io.clock.now() - maxRunAge;
  const pruned = await withState(context, async (state) => {
    const record: PruneOptions['record'] = (what) =>
      note(context, state, 'prune', { ...what, before: new Date(before).toISOString() });
    return pruneRuns(state, before, { dryRun: dryRun === true, record });
  });
  if (!pruned.ok) return context.fail(pruned.problems);
  const { removed, needed, rollouts } = pruned.value;
  const isDry = dryRun === true;
  const document = { format_version: formatVersion, removed, rollouts, kept: needed, dry_run: isDry };
  return printResult(context, document, prunedWords(pruned.value, isDry));
}

function prunedWords({ removed, needed, rollouts }: Pruned, dryRun: boolean): string {
  const verb = dryRun ? 'Would remove' : 'Removed';
  const rest =
    needed === 0 ? '' : ` ${count(needed, 'older run')} stay, because undo or planning needs them.`;
  const others = rollouts === 0 ? '' : ` and ${count(rollouts, 'rollout')}`;
  return `${verb} ${count(removed, 'run')}${others}.${rest}\n`;
}

function movedWords({ runs, fleets, rollouts }: Moved): string {
  if (rollouts === 0) return `${count(runs, 'run')} and ${count(fleets, 'fleet')}`;
  return `${count(runs, 'run')}, ${count(fleets, 'fleet')} and ${count(rollouts, 'rollout')}`;
}

const commandOf = {
  migration: 'state migrate',
  'state-import': 'state import',
  prune: 'state prune',
} as const;

/** Records in the audit log what a command did. */
async function note(
  context: Context,
  { audit }: State,
  kind: keyof typeof commandOf,
  what: AuditEntry['what'],
): Promise<Result<unknown>> {
  const origin = await originOfCommand(context, { command: commandOf[kind] });
  return audit.append(context.io.clock, [{ kind, origin, what }]);
}

async function withState<T>(
  context: Context,
  work: (state: State) => Promise<Result<T>>,
): Promise<Result<T>> {
  const opened = await context.state.open();
  return opened.ok ? work(opened.value) : failed(...opened.problems);
}
