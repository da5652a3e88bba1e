import { noFacts } from '../../model/facts.ts';
import { nothingRecalled } from '../../model/install-request.ts';
import type { Diff } from '../difference/compare.ts';
import { placeOfClaim } from '../intents/claim.ts';
import { createGroupResolver } from '../intents/groups.ts';
import { createInstallJudge } from '../intents/installs.ts';
import { type Intent, intentFor } from '../intents/intents.ts';
import { createRuleBook } from '../intents/rule-book.ts';
import type { OutcomeOf } from '../ordering/outcome.ts';
import type { PlanInputs } from '../types/plan-inputs.ts';

/**
 * True if planning again on the predicted fleet would certainly find nothing, judging by the changed hosts alone:
 * hosts that the plan does not change still need nothing if their intents depend on them alone. False means that the
 * whole fleet must be compared.
 */
export function isSurelySettled(
  { desired, observed, facts = noFacts, installs: recall = nothingRecalled }: PlanInputs,
  { decidesEachHostAlone, changes }: Diff,
  outcomeOf: OutcomeOf,
): boolean {
  // A changed host may change the twins of others.
  if (!decidesEachHostAlone || facts.twins !== undefined) return false;
  const book = createRuleBook(desired.rules, observed, facts);
  const groups = createGroupResolver(observed);
  const installs = createInstallJudge(desired, recall, observed);
  return changes.every((change) => {
    const after = outcomeOf(change) ?? undefined;
    const entry = change.entryIndex === undefined ? undefined : desired.at(change.entryIndex);
    return after === undefined || needsNothing(intentFor(after, entry, book));
  });

  function needsNothing({ host, name, group, antivirus, absent }: Intent): boolean {
    if (absent !== undefined || (name !== undefined && name.to !== host.name)) return false;
    if (antivirus !== undefined && installs.needs(host, antivirus)) return false;
    if (group === undefined) return true;
    const target = groups.resolve(group.intent, () => placeOfClaim(desired, group.claim, 'group'));
    return target === undefined || target.id === host.groupId;
  }
}
