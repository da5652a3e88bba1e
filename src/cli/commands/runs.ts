import { toAccount } from '../../accounts/engine/open-account.ts';
import { defined } from '../../core/lib/defined.ts';
import { jsonText, printable } from '../../core/lib/printable.ts';
import { count, grouped } from '../../core/lib/words.ts';
import type { Account } from '../../core/model/account.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import type { Column } from '../../output/review/columns.ts';
import { layOut } from '../../output/review/table.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import type { ListedRun, RecordedRun, RunQuery } from '../../run/state/interface/state.ts';
import type { RunRecord } from '../../run/state/journal/record.ts';
import { changesMade, type Replay, type RunState, replay } from '../../run/state/journal/replay.ts';
import { describeHolder, type LockHolder } from '../../run/state/lease/lease-holder.ts';
import { parseBaseUrl } from '../../service/client/base-url.ts';
import { printListing, printResult } from '../listing/print-listing.ts';
import type { Context } from '../shell/context.ts';
import type { Moment } from '../shell/settings.ts';

export interface RunsFlags {
  readonly actor?: string;
  readonly commit?: string;
  readonly state?: RunState;
  readonly since?: Moment;
  readonly until?: Moment;
  readonly limit?: number;
  readonly all?: true;
}

const usualLimit = 50;

/** Past runs, latest first; of a selected account, only its own. A journal that can't be read is reported and skipped. */
export async function runsCommand(context: Context, flags: RunsFlags): Promise<ExitCode> {
  const query = queryOf(flags, context.io.clock.now());
  if (!query.ok) return context.fail(query.problems);
  const state = await context.state.open();
  if (!state.ok) return context.fail(state.problems);
  const limit = flags.all === true ? undefined : (flags.limit ?? usualLimit);
  // One run more than requested shows that there are more.
  const own = configuredAccount(context);
  const listed = await state.value.listRuns({
    ...query.value,
    ...defined({ account: own, limit: limit === undefined ? undefined : limit + 1 }),
  });
  if (!listed.ok) return context.fail(listed.problems);
  const runs = listed.value.slice(0, limit);
  context.report(listed.problems);
  const empty = Object.keys(query.value).length === 0 ? 'There are no runs yet.\n' : 'No run matches.\n';
  printListing(context, runs, columns, { document: runDocument, csv: csvColumns, empty });
  if (runs.length < listed.value.length)
    context.log(
      `The list ends after ${count(runs.length, 'run')}. List more with --limit, or all with --all.`,
    );
  return exitCodes.success;
}

/** The company and the service of the selected account; its key is not read. Undefined without a selection. */
function configuredAccount({ account, io }: Context): Account | undefined {
  if (account === undefined) return undefined;
  const url = parseBaseUrl(account.baseUrl ?? io.env['RAMPART_BASE_URL'] ?? '');
  if (!url.ok) return undefined;
  const companyId = account.companyId ?? (io.env['RAMPART_COMPANY_ID'] || null);
  return toAccount({ baseUrl: url.value.href, companyId });
}

function queryOf(
  { actor, commit, state, since, until, limit, all }: RunsFlags,
  now: number,
): Result<RunQuery> {
  if (all === true && limit !== undefined)
    return failed(problem('usage', "--limit and --all can't be combined", { hint: 'remove one of them' }));
  return ok(defined({ actor, commit, state, since: since?.(now), until: until?.(now) }));
}

const csvColumns: readonly Column<ListedRun>[] = [
  { key: 'run-id', kind: 'fixed', value: ({ head }) => head.run_id },
  { key: 'started-at', kind: 'fixed', value: ({ head }) => head.at },
  { key: 'state', kind: 'fixed', value: ({ state }) => state },
  { key: 'exit-code', kind: 'fixed', value: ({ exitCode }) => exitCode },
  { key: 'steps', kind: 'fixed', value: ({ head }) => head.steps },
  { key: 'done', kind: 'fixed', value: ({ done }) => done },
  { key: 'actor', kind: 'name', value: ({ head }) => head.origin?.actor ?? null },
  { key: 'commit', kind: 'fixed', value: ({ head }) => head.origin?.commit ?? null },
  { key: 'plan-checksum', kind: 'fixed', value: ({ head }) => head.plan_checksum },
];

function runDocument({ head, state, exitCode, done, holder }: ListedRun) {
  return {
    run_id: head.run_id,
    started_at: head.at,
    state,
    exit_code: exitCode,
    steps: head.steps,
    done,
    plan_checksum: head.plan_checksum,
    origin: head.origin ?? null,
    holder: holder ?? null,
  };
}

/** The id of a run begins with its start. */
const columns: readonly Column<ListedRun>[] = [
  { key: 'run', kind: 'fixed', value: ({ head }) => head.run_id },
  { key: 'started', kind: 'extra', value: ({ head }) => head.at },
  {
    key: 'state',
    kind: 'fixed',
    value: ({ state, exitCode, holder }) => stateWords(state, exitCode, holder),
  },
  { key: 'steps', kind: 'fixed', value: stepsDone },
  { key: 'actor', kind: 'name', value: ({ head }) => head.origin?.actor ?? null },
  { key: 'from', kind: 'extra', value: ({ head: { origin } }) => origin?.job ?? origin?.host ?? null },
];

/** A run that ended with exit code 0 has no step left: those that it found done have no record. */
function stepsDone({ head, done, exitCode }: ListedRun): string {
  const already = exitCode === 0 ? head.steps - done : 0;
  return `${grouped(done)} of ${grouped(head.steps)} done${already === 0 ? '' : `, ${grouped(already)} already`}`;
}

function stateWords(state: RunState, exitCode: number | null, holder: LockHolder | undefined): string {
  if (holder !== undefined) return `${state} (process ${holder.pid} on ${holder.machine})`;
  return exitCode === null ? state : `${state} (exit ${exitCode})`;
}

async function readOne(context: Context, runId: string): Promise<Result<RecordedRun>> {
  const state = await context.state.open();
  return state.ok ? state.value.readRun(runId) : state;
}

/** One run, step by step. */
export async function showRun(context: Context, _flags: unknown, runId: string): Promise<ExitCode> {
  const run = await readOne(context, runId);
  if (!run.ok) return context.fail(run.problems);
  const replayed = replay(run.value);
  const { holder } = run.value;
  const runState = holder === undefined ? replayed.state : 'running';
  const { head, torn } = run.value;
  const document = {
    run_id: replayed.runId,
    started_at: replayed.startedAt,
    state: runState,
    exit_code: replayed.exitCode,
    plan_checksum: head.plan_checksum,
    origin: head.origin ?? null,
    holder: holder ?? null,
    torn,
    steps: replayed.steps.map(({ begin: { step, kind, changes }, outcome }) => ({
      step,
      kind,
      outcome,
      changes,
    })),
  };
  const rows = replayed.steps.map(({ begin, outcome }) => [
    { text: printable(begin.step) },
    { text: outcome },
    { text: begin.kind },
    {
      text:
        begin.changes.length === 1 ? `host ${begin.changes[0]?.host_id}` : `${begin.changes.length} hosts`,
    },
    { text: printable(namesOf(begin.changes[0])) },
  ]);
  const columns = ['fixed', 'fixed', 'fixed', 'fixed', 'extra'] as const;
  const lines = [
    `Run ${printable(replayed.runId)}, started ${replayed.startedAt}: ${runState}.`,
    ...(holder === undefined ? [] : [`It holds the lock ${printable(describeHolder(holder))}.`]),
    ...originLines(head),
    ...(torn ? ['The last line of its journal is incomplete.'] : []),
    ...layOut(rows, { columns, indent: 2, width: context.io.stdout.columns }),
  ];
  return printResult(context, document, `${lines.join('\n')}\n`);
}

/** The changes that a run made or may have made, one per line, as NDJSON. */
export async function exportRun(context: Context, _flags: unknown, runId: string): Promise<ExitCode> {
  const run = await readOne(context, runId);
  if (!run.ok) return context.fail(run.problems);
  for (const { step, change } of changesMade(replay(run.value))) {
    const { begin, outcome } = step;
    context.print(
      `${jsonText({ run_id: runId, at: begin.at, step: begin.step, kind: begin.kind, outcome, ...change, origin: run.value.head.origin ?? null })}\n`,
    );
  }
  return exitCodes.success;
}

function originLines({ origin, plan_checksum: checksum }: RunRecord): readonly string[] {
  const approvals = Object.entries(origin?.approvals ?? {}).map(([kind, count]) => `${kind}=${count}`);
  const parts: readonly (readonly [string, string | undefined])[] = [
    ['Actor', origin?.actor],
    ['Host', origin?.host],
    ['Command', origin?.command],
    ['Job', origin?.job],
    ['Request', origin?.request],
    ['Branch', origin?.branch],
    ['Commit', origin?.commit],
    ['Reason', origin?.reason],
    ['Ticket', origin?.ticket],
    ['Approved', approvals.length === 0 ? undefined : approvals.join(', ')],
    ['Plan', checksum],
  ];
  return parts.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name}: ${printable(value)}`]));
}

function namesOf(change: Replay['steps'][number]['begin']['changes'][number] | undefined): string {
  if (change?.name !== undefined) return `${change.name.before ?? '(no name)'} → ${change.name.after}`;
  if (change?.group !== undefined) return `group ${change.group.before} → ${change.group.after}`;
  return '';
}
