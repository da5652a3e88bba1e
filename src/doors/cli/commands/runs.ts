import { printable } from '../../../core/lib/printable.ts';
import { printableJson } from '../../../core/lib/printable-json.ts';
import type { Result } from '../../../core/problem/result.ts';
import { layOut } from '../../../output/review/table.ts';
import type { Run } from '../../../run/state/journal/parse-run.ts';
import { changesMade, type Replay, replay } from '../../../run/state/journal/replay.ts';
import type { Context } from '../shell/context.ts';
import { type ExitCode, exitCodes } from '../shell/exit-code.ts';

/** Past runs, latest first. A journal that can't be read is said and passed over. */
export async function listRuns(context: Context): Promise<ExitCode> {
  const state = await context.state.open();
  if (!state.ok) return context.fail(state.problems);
  const listed = await state.value.listRuns({});
  if (!listed.ok) return context.fail(listed.problems);
  const runs = listed.value;
  context.report(listed.problems);
  if (context.settings.format === 'json') {
    context.printJson(
      runs.map((run) => ({
        run_id: run.head.run_id,
        started_at: run.head.at,
        state: run.state,
        exit_code: run.exitCode,
        steps: run.head.steps,
        done: run.done,
      })),
    );
    return exitCodes.success;
  }
  if (runs.length === 0) {
    context.print('There are no runs yet.\n');
    return exitCodes.success;
  }
  const { bold } = context.settings.outColour;
  const heading = ['RUN', 'STARTED', 'STATE', 'STEPS'].map((text) => ({ text, paint: bold }));
  const rows = runs.map((run) => [
    { text: printable(run.head.run_id) },
    { text: run.head.at },
    { text: run.exitCode === null ? run.state : `${run.state} (exit ${run.exitCode})` },
    { text: `${run.done} of ${run.head.steps} done` },
  ]);
  const columns = ['fixed', 'fixed', 'fixed', 'fixed'] as const;
  context.print(
    `${layOut([heading, ...rows], { columns, indent: 0, width: context.io.stdout.columns }).join('\n')}\n`,
  );
  return exitCodes.success;
}

async function readOne(context: Context, runId: string): Promise<Result<Run>> {
  const state = await context.state.open();
  return state.ok ? state.value.readRun(runId) : state;
}

/** One run, step by step. */
export async function showRun(context: Context, runId: string): Promise<ExitCode> {
  const run = await readOne(context, runId);
  if (!run.ok) return context.fail(run.problems);
  const replayed = replay(run.value);
  if (context.settings.format === 'json') {
    context.printJson({
      run_id: replayed.runId,
      started_at: replayed.startedAt,
      state: replayed.state,
      exit_code: replayed.exitCode,
      torn: run.value.torn,
      steps: replayed.steps.map(({ begin, outcome }) => ({
        step: begin.step,
        kind: begin.kind,
        outcome,
        changes: begin.changes,
      })),
    });
    return exitCodes.success;
  }
  context.print(`Run ${printable(replayed.runId)}, started ${replayed.startedAt}: ${replayed.state}.\n`);
  if (run.value.torn) context.print('Its last line is incomplete.\n');
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
  const lines = layOut(rows, { columns, indent: 2, width: context.io.stdout.columns });
  if (lines.length > 0) context.print(`${lines.join('\n')}\n`);
  return exitCodes.success;
}

/** The changes that a run made or may have made, one to a line, as NDJSON. */
export async function exportRun(context: Context, runId: string): Promise<ExitCode> {
  const run = await readOne(context, runId);
  if (!run.ok) return context.fail(run.problems);
  for (const { step, change } of changesMade(replay(run.value))) {
    const { begin, outcome } = step;
    context.print(
      `${printableJson(JSON.stringify({ run_id: runId, at: begin.at, step: begin.step, kind: begin.kind, outcome, ...change }))}\n`,
    );
  }
  return exitCodes.success;
}

function namesOf(change: Replay['steps'][number]['begin']['changes'][number] | undefined): string {
  if (change?.name !== undefined) return `${change.name.before ?? '(no name)'} → ${change.name.after}`;
  if (change?.group !== undefined) return `group ${change.group.before} → ${change.group.after}`;
  return '';
}
