import type { PlansIndex } from '../accounts/plans/plans-index.ts';
import { type Plan, showsDifference } from '../core/plan/types/plan.ts';
import { ok, type Result } from '../core/problem/problem.ts';
import type { Labels, NewLabel } from './forge.ts';

/** How a label describes the plan of a pull request. */
const verdicts = ['no-changes', 'changes', 'deletes', 'failed'] as const;
export type PlanVerdict = (typeof verdicts)[number];

/** The color and the description of a label that is created. */
const looks: Readonly<Record<PlanVerdict, Omit<NewLabel, 'name'>>> = {
  'no-changes': { color: '0e8a16', description: 'The plan of Rampart changes nothing' },
  changes: { color: '1d76db', description: 'The plan of Rampart changes hosts and deletes none' },
  deletes: { color: 'd93f0b', description: 'The plan of Rampart deletes hosts' },
  failed: { color: 'b60205', description: "Rampart made no plan, or the plan can't be applied" },
};

/** Forges accept 50 characters in the name of a label. */
export const longestLabelKey = 31;

/** The verdict on a plan, or on the plans of several accounts. */
export function verdictOf(plan: Plan | PlansIndex): PlanVerdict {
  const [isRefused, deletions, hasChanges] = 'review' in plan ? plansFacts(plan) : planFacts(plan);
  if (isRefused) return 'failed';
  if (deletions > 0) return 'deletes';
  return hasChanges ? 'changes' : 'no-changes';
}

type Facts = readonly [isRefused: boolean, deletions: number, hasChanges: boolean];

function planFacts(plan: Plan): Facts {
  return [!plan.applicable, plan.summary.delete, showsDifference(plan)];
}

function plansFacts({ review: { totals } }: PlansIndex): Facts {
  const { failed, refused, changes } = totals.outcomes;
  return [failed + refused > 0, totals.summary.delete, changes > 0];
}

/**
 * Gives a pull request the label of this verdict, and removes the labels of the other verdicts of the same key. No other
 * label is changed.
 */
export async function putLabel(
  labels: Labels,
  verdict: PlanVerdict,
  key: string,
): Promise<Result<'changed' | 'unchanged'>> {
  const listed = await labels.list();
  if (!listed.ok) return listed;
  const wanted = labelName(verdict, key);
  const own = verdicts.map((each) => labelName(each, key).toLowerCase());
  const present = listed.value.filter((name) => own.includes(name.toLowerCase()));
  // Forges don't distinguish the letter case of labels.
  const isWanted = (name: string) => name.toLowerCase() === wanted.toLowerCase();
  const remove = present.filter((name) => !isWanted(name));
  const add = present.some(isWanted) ? null : { name: wanted, ...looks[verdict] };
  if (add === null && remove.length === 0) return ok('unchanged');
  const changed = await labels.change({ add, remove });
  return changed.ok ? ok('changed') : changed;
}

/** A key has no slash, so the labels of two keys never collide. */
function labelName(verdict: PlanVerdict, key: string): string {
  return key === 'default' ? `rampart/${verdict}` : `rampart/${key}/${verdict}`;
}
