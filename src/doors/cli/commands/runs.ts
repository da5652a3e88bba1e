import { printable } from '../../../core/lib/printable.ts';
import { printableJson } from '../../../core/lib/printable-json.ts';
import type { Problem } from '../../../core/problem/problem.ts';
import { layOut } from '../../../output/review/table.ts';
import { listRunIds, readRun } from '../../../run/state/read-runs.ts';
import { changesMade, type Replay, replay } from '../../../run/state/replay.ts';
import type { Context } from '../shell/context.ts';
import { type ExitCode, exitCodes } from '../shell/exit-code.ts';

/** Past runs, latest first. A journal that can't be read is said and passed over. */
export async function listRuns(context: Context): Promise<ExitCode> {
  const stateDir = context.path(context.settings.stateDir);
  const runs: Replay[] = [];
  const problems: Problem[] = [];
  for (const runId of await listRunIds(stateDir)) {
    const run = await readRun(stateDir, runId);
    if (run.ok) runs.push(replay(run.value));
    else problems.push(...run.problems);
  }
  context.report(problems);
  if (context.settings.format === 'json') {
    context.printJson(
      runs.map((run) => ({
        run_id: run.runId,
        started_at: run.startedAt,
        state: run.state,
        exit_code: run.exitCode,
        steps: run.planned,
        done: doneSteps(run),
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
    { text: printable(run.runId) },
    { text: run.startedAt },
    { text: run.exitCode === null ? run.state : `${run.state} (exit ${run.exitCode})` },
    { text: `${doneSteps(run)} of ${run.planned} done` },
  ]);
  const columns = ['fixed', 'fixed', 'fixed', 'fixed'] as const;
  context.print(
    `${layOut([heading, ...rows], { columns, indent: 0, width: context.io.stdout.columns }).join('\n')}\n`,
  );
  return exitCodes.success;
}

/** One run, step by step. */
export async function showRun(context: Context, runId: string): Promise<ExitCode> {
  const run = await readRun(context.path(context.settings.stateDir), runId);
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
  const run = await readRun(context.path(context.settings.stateDir), runId);
  if (!run.ok) return context.fail(run.problems);
  for (const { step, change } of changesMade(replay(run.value))) {
    const { begin, outcome } = step;
    context.print(
      `${printableJson(JSON.stringify({ run_id: runId, at: begin.at, step: begin.step, kind: begin.kind, outcome, ...change }))}\n`,
    );
  }
  return exitCodes.success;
}

function doneSteps({ steps }: Replay): number {
  return steps.filter(({ outcome }) => outcome === 'done' || outcome === 'already').length;
}

function namesOf(change: Replay['steps'][number]['begin']['changes'][number] | undefined): string {
  if (change?.name !== undefined) return `${change.name.before ?? '(no name)'} → ${change.name.after}`;
  if (change?.group !== undefined) return `group ${change.group.before} → ${change.group.after}`;
  return '';
}
