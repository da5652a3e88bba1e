import type { PlanRow } from '../../../api/plans.ts';
import { shownChangeKinds } from '../../../output/components/change-words.ts';
import { counted } from '../../../output/components/numbers.ts';
import { changesText } from '../../words/changes.ts';

const kindsOf = ({ counts }: PlanRow) => shownChangeKinds.filter((kind) => counts[kind] > 0).join();

/** The plans whose kinds of changes differ from those of most others: a reviewer looks at them first. */
function unusualPlans(plans: readonly PlanRow[]): readonly PlanRow[] {
  const groups = [...Map.groupBy(plans, kindsOf)].toSorted(([, a], [, b]) => b.length - a.length);
  const usual = groups[0]?.[0];
  return plans.filter((plan) => kindsOf(plan) !== usual);
}

/** Those that differ from the others first. */
export function inReviewOrder(plans: readonly PlanRow[]): readonly PlanRow[] {
  const unusual = new Set(unusualPlans(plans));
  return [...unusual, ...plans.filter((plan) => !unusual.has(plan))];
}

/** `Together 3 deletions, 212 renames on 12 accounts. 2 accounts differ from the others and come first.` */
export function togetherText(plans: readonly PlanRow[]): string {
  const sum = (kind: (typeof shownChangeKinds)[number]) =>
    plans.reduce((total, { counts }) => total + counts[kind], 0);
  const counts = Object.fromEntries(shownChangeKinds.map((kind) => [kind, sum(kind)])) as PlanRow['counts'];
  const together = `Together ${changesText(counts)} on ${counted(plans.length, 'account')}.`;
  const odd = unusualPlans(plans).length;
  if (odd === 0) return together;
  const verb = odd === 1 ? 'differs from the others and comes' : 'differ from the others and come';
  return `${together} ${counted(odd, 'account')} ${verb} first.`;
}
