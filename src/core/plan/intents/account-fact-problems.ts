import { labelPath } from '../../expression/facts/label-path.ts';
import { didYouMean, nearest, quoted } from '../../lib/words.ts';
import type { Desired } from '../../model/desired.ts';
import type { AccountFacts } from '../../model/facts.ts';
import { type Problem, problem } from '../../problem/problem.ts';
import { expressionsOf } from './expressions-of.ts';

/**
 * Expressions that read facts of an account although none is configured, and labels that no configured account has. A
 * label that only this account lacks is an unknown fact, not a problem.
 */
export function accountFactProblems(desired: Desired, account: AccountFacts | undefined): readonly Problem[] {
  const labels = account?.configuredLabels;
  return expressionsOf(desired).flatMap(({ expression, label, place }) => {
    const use = expression.account;
    if (use === undefined) return [];
    const at = place();
    const report = (what: string, hint: string) =>
      problem('unknown-account-fact', `${label} ${what}`, {
        ...(at === undefined ? {} : { place: at }),
        hint,
      });
    if (account === undefined) {
      return [report(`reads ${use.fact}, but no configured account is chosen`, chooseOne)];
    }
    if (labels === undefined) return [];
    return use.labels
      .filter((each) => !labels.has(each))
      .map((each) =>
        report(`reads ${labelPath(each)}, a label that no account has`, nearestOf(each, labels)),
      );
  });
}

const chooseOne =
  'list the account under "accounts" in rampart.config.yaml, and choose it with --account NAME';

function nearestOf(label: string, labels: ReadonlySet<string>): string {
  const near = didYouMean(nearest(label, labels));
  if (near !== undefined) return near;
  const all = [...labels].sort().slice(0, 10).map(quoted);
  return all.length === 0
    ? 'add the label to an account in rampart.config.yaml'
    : `the labels of the accounts are ${all.join(', ')}`;
}
