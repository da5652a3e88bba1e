import type { Connection } from '../../accounts/engine/connection.ts';
import { jsonText } from '../../core/lib/printable.ts';
import { createTimeStamps } from '../../core/lib/time-stamps.ts';
import type { RunEvent } from '../../core/model/run-event.ts';
import { noCalls } from '../../core/model/write-action.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import type { RunSummary } from '../../core/plan/types/run-summary.ts';
import { ok, type Problem, type Result } from '../../core/problem/problem.ts';
import {
  toEventDocument,
  toPlannedChanges,
  toSummary,
  versionEvent,
} from '../../output/review/event-document.ts';
import { type ExitCode, exitWithoutRecord } from '../../run/apply/exit-code.ts';
import { headWords } from '../../run/state/audit/signed-head.ts';
import type { State } from '../../run/state/interface/state.ts';
import { type Context, writeWhole } from '../shell/context.ts';

export interface EventStream {
  planned(plan: Plan): void;
  event(event: RunEvent): void;
  summary(summary: RunSummary, exitCode: ExitCode): void;
}

/** `apply --json`: one event per line on stdout. */
export function createEventStream({ print, io }: Context): EventStream {
  const stamp = createTimeStamps();
  const line = (document: object) => {
    const at = stamp(io.clock.now());
    print(`${jsonText({ ...document, at })}\n`);
  };
  return {
    planned(plan) {
      line(versionEvent);
      for (const change of toPlannedChanges(plan)) line(change);
    },
    event(event) {
      const document = toEventDocument(event);
      if (document !== undefined) line(document);
    },
    summary: (summary, exitCode) => line(toSummary(summary, exitCode)),
  };
}

/** The summary of a plan without calls. */
export function emptySummary(plan: Plan): RunSummary {
  return {
    runId: '',
    steps: [],
    problems: [],
    unrecorded: [],
    sent: noCalls,
    interrupted: false,
    pendingInstalls: plan.pendingInstalls,
    verified: true,
    converged: plan.pendingInstalls.length === 0 ? true : null,
    lastRead: null,
    left: null,
  };
}

/**
 * Writes the rest of a run's output, then shows its summary. It is last, so that the summary and the exit code include
 * what could not be written.
 */
export async function endRun(
  context: Context,
  { connection, summaryOut }: { readonly connection: Connection; readonly summaryOut: string | undefined },
  ended: EndedRun,
  show: (summary: RunSummary, exitCode: ExitCode) => void,
): Promise<ExitCode> {
  const closed = await connection.close();
  const before = withUnwritten(ended, closed.problems);
  const written = await writeSummary(context, summaryOut, before);
  const { summary, exitCode } = withUnwritten(before, written.problems);
  context.report([...summary.problems, ...summary.unrecorded]);
  show(summary, exitCode);
  return exitCode;
}

interface EndedRun {
  readonly summary: RunSummary;
  readonly exitCode: ExitCode;
}

function withUnwritten({ summary, exitCode }: EndedRun, problems: readonly Problem[]): EndedRun {
  const unrecorded = [...summary.unrecorded, ...problems];
  return { summary: { ...summary, unrecorded }, exitCode: exitWithoutRecord(exitCode, unrecorded) };
}

/** Saves the last event of a run as a separate document. */
async function writeSummary(
  context: Context,
  file: string | undefined,
  { summary, exitCode }: EndedRun,
): Promise<Result<null>> {
  if (file === undefined) return ok(null);
  const text = `${jsonText(toSummary(summary, exitCode), 2)}\n`;
  return writeWhole(context.path(file), file, text);
}

/** Prints the head that this run signed, so that the log of the job and its comment keep a copy of it. */
export async function logAuditHead(context: Context, { audit }: Pick<State, 'audit'>): Promise<void> {
  const signed = await audit.remembered();
  if (signed.ok && signed.value !== null) context.log(headWords(signed.value));
}
