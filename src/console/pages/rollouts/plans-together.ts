import type { PlansComparison } from '../../../api/compared-plans.ts';
import type { PlanRow } from '../../../api/plans.ts';
import { shownChangeKinds } from '../../../output/components/change-words.ts';
import { counted, figure } from '../../../output/components/numbers.ts';
import { changesText } from '../../words/changes.ts';

/** Those that differ from most others first. */
export function inReviewOrder({ plans, usual: most }: PlansComparison): readonly PlanRow[] {
  const usual = new Set(most?.accounts);
  return plans.toSorted((a, b) => Number(usual.has(a.account)) - Number(usual.has(b.account)));
}

/** `In total, 3 deletions, 212 renames on 12 accounts.` */
export function togetherText(plans: readonly PlanRow[]): string {
  const sum = (kind: (typeof shownChangeKinds)[number]) =>
    plans.reduce((total, { counts }) => total + counts[kind], 0);
  const counts = Object.fromEntries(shownChangeKinds.map((kind) => [kind, sum(kind)])) as PlanRow['counts'];
  return `In total, ${changesText(counts)} on ${counted(plans.length, 'account')}.`;
}

/** `12 of 14 accounts get the same kind of changes: 3 renames each.` Undefined if there is nothing to compare. */
export function usualText({ plans, usual }: PlansComparison): string | undefined {
  if (usual === null || plans.length === 1) return undefined;
  const [all, like] = [plans.length, usual.accounts.length];
  if (like === 1) return `Each account gets different changes. ${usual.accounts[0]}: ${usual.text}.`;
  const who = like < all ? `${figure(like)} of ${figure(all)}` : all === 2 ? 'Both' : `All ${figure(all)}`;
  return `${who} accounts get the same kind of changes: ${usual.text}.`;
}
