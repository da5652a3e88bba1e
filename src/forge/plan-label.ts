import type { PlansIndex } from '../accounts/plans/plans-index.ts';
import type { Plan } from '../core/plan/types/plan.ts';
import { ok, type Result } from '../core/problem/result.ts';

/** What a label says about the plan of a pull request. */
const verdicts = ['no-changes', 'changes', 'deletes', 'failed'] as const;
export type Verdict = (typeof verdicts)[number];

/** The labels of one pull request or merge request. */
export interface Labels {
  list(): Promise<Result<readonly string[]>>;
  change(change: LabelChange): Promise<Result<null>>;
}

export interface LabelChange {
  /** Created if the repository does not have it. Null if the pull request has it. */
  readonly add: { readonly name: string; readonly verdict: Verdict } | null;
  readonly remove: readonly string[];
}

/** Forges accept 50 characters in the name of a label. */
export const longestLabelKey = 31;

/** The verdict on a plan, or on the plans of several accounts. */
export function verdictOf(plan: Plan | PlansIndex): Verdict {
  const [isRefused, deletions, hasChanges] = 'review' in plan ? plansFacts(plan) : planFacts(plan);
  if (isRefused) return 'failed';
  if (deletions > 0) return 'deletes';
  return hasChanges ? 'changes' : 'no-changes';
}

type Facts = readonly [isRefused: boolean, deletions: number, hasChanges: boolean];

function planFacts({ applicable, summary, steps }: Plan): Facts {
  return [!applicable, summary.delete, steps.length > 0 || summary.installsInDoubt > 0];
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
  verdict: Verdict,
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
  const add = present.some(isWanted) ? null : { name: wanted, verdict };
  if (add === null && remove.length === 0) return ok('unchanged');
  const changed = await labels.change({ add, remove });
  return changed.ok ? ok('changed') : changed;
}

/** A key has no slash, so the labels of two keys never collide. */
function labelName(verdict: Verdict, key: string): string {
  return key === 'default' ? `rampart/${verdict}` : `rampart/${key}/${verdict}`;
}
