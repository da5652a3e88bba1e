import type { WriteAction } from '../../model/write-action.ts';
import { hasErrors } from '../../problem/problem.ts';
import { pendingCounts } from '../intents/pending-installs.ts';
import { type Plan } from '../types/plan.ts';
import { actionOf, type Step, type StepKind } from '../types/step.ts';

/**
 * The name of the member of a plan that contradicts its own steps or problems; undefined if there is none. A checksum
 * can't replace this check: anyone who edits a plan can also compute a checksum.
 */
export function disagreement(plan: Plan): string | undefined {
  const { steps, summary, calls, applicable, problems } = plan;
  const sums = { ...changesOf(steps), ...pendingCounts(plan.pendingInstalls) };
  const kinds = Object.keys(sums) as readonly (keyof typeof sums)[];
  if (kinds.some((kind) => summary[kind] !== sums[kind])) return 'summary';
  const byAction: Record<WriteAction, number> = { rename: 0, move: 0, delete: 0, antivirus: 0, refresh: 0 };
  for (const { kind } of steps) byAction[actionOf(kind)] += 1;
  const actions = Object.keys(byAction) as readonly WriteAction[];
  const isCounted = actions.every((action) => calls.byAction[action] === byAction[action]);
  if (!isCounted || calls.planned !== steps.length || calls.minimum > calls.planned) return 'calls';
  return applicable === hasErrors(problems) ? 'applicable' : undefined;
}

function changesOf(steps: readonly Step[]): Readonly<Record<ReturnType<typeof summaryKeyOf>, number>> {
  const changes = { rename: 0, temporaryRename: 0, move: 0, antivirus: 0, refresh: 0, delete: 0 };
  for (const step of steps) changes[summaryKeyOf(step.kind)] += 'hosts' in step ? step.hosts.length : 1;
  return changes;
}

/** The member of a summary that counts the steps of a kind. */
function summaryKeyOf(kind: StepKind) {
  return kind === 'temporary-rename' ? 'temporaryRename' : kind;
}
