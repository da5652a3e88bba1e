import type { ExitCode } from '../../../control/engine/exit-code.ts';
import { printableJson } from '../../../core/lib/printable-json.ts';
import { createTimeStamps } from '../../../core/lib/time-stamps.ts';
import type { RunEvent } from '../../../core/model/run-event.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import {
  toEventDocument,
  toPlannedChanges,
  toSummary,
  versionEvent,
} from '../../../output/review/event-document.ts';
import type { RunSummary } from '../../../run/apply/run-summary.ts';
import type { Context } from '../shell/context.ts';
import { writeWhole } from '../shell/files.ts';

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
    print(`${printableJson(JSON.stringify({ ...document, at }))}\n`);
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

/** The event stream of a run that has nothing to do: it is as complete as any other. */
export function printNothingToDo(context: Context, plan: Plan, exitCode: ExitCode): void {
  const stream = createEventStream(context);
  stream.planned(plan);
  stream.summary(emptySummary(plan), exitCode);
}

/** The summary of a plan without calls. */
export function emptySummary(plan: Plan): RunSummary {
  const sent = { rename: 0, move: 0, delete: 0, antivirus: 0, refresh: 0 };
  return {
    runId: '',
    steps: [],
    problems: [],
    sent,
    interrupted: false,
    pendingInstalls: plan.pendingInstalls,
    verified: true,
    converged: plan.pendingInstalls.length === 0 ? true : null,
    lastRead: null,
    left: null,
  };
}

/** Saves the last event of a run as a separate document. */
export async function writeSummary(
  context: Context,
  file: string | undefined,
  summary: RunSummary,
  exitCode: ExitCode,
): Promise<void> {
  if (file === undefined) return;
  const text = `${JSON.stringify(toSummary(summary, exitCode), null, 2)}\n`;
  const written = await writeWhole(context.path(file), file, text);
  if (!written.ok) context.report(written.problems);
}
