import type { Plan } from '../../../../src/core/plan/types/plan.ts';
import type { Step, StepId } from '../../../../src/core/plan/types/step.ts';
import {
  batchText,
  type PlanText,
  renameText,
  reportsOf,
  temporaryRenameText,
  undoText,
} from './plan-text.ts';

/** A plan of the planner in the form in which it is compared. */
export function textOfPlan({ steps, summary, calls, undo, problems }: Plan): PlanText {
  const { report, lines } = reportsOf();
  for (const { severity, code, place, hostIds = [] } of problems)
    report(
      severity,
      code,
      place?.line,
      hostIds.map((id) => ({ id })),
    );
  const names = new Map(steps.map((step) => [step.id, nameOfStep(step)]));
  return {
    steps: steps.map((step) => printStep(step, (id) => names.get(id) ?? 'no step')).sort(),
    summary: { ...summary },
    calls: { ...calls.byAction },
    undo: undo.map(({ kind, hostId, from, to }) => undoText(kind, hostId, from, to)).sort(),
    problems: lines(),
  };
}

function nameOfStep(step: Step): string {
  return 'hostId' in step ? `${step.kind} ${step.hostId}` : step.kind;
}

function printStep(step: Step, nameOf: (id: StepId) => string): string {
  switch (step.kind) {
    case 'rename':
      return renameText({ ...step, id: step.hostId, line: step.reason.line }, step.after.map(nameOf));
    case 'temporary-rename':
      return temporaryRenameText({ ...step, id: step.hostId, line: step.reason.line }, step.why);
    case 'move':
    case 'antivirus':
    case 'refresh':
    case 'delete': {
      const what = step.kind === 'move' ? `move to ${step.groupId}` : step.kind;
      return batchText(
        what,
        step.hosts.map((each) => ({ id: each.hostId, line: each.reason.line })),
      );
    }
  }
}
