import type { Desired } from '../../model/desired.ts';
import { type FactNeeds, joinNeeds } from '../../model/facts.ts';

/** The lists that a desired state needs, so that nothing else is fetched. */
export function needsOfDesired(desired: Desired): FactNeeds {
  const { policy, rules, tables = [], identity } = desired;
  const joined = joinNeeds([
    ...tables.map(({ join }) => join.needs),
    ...(identity === undefined ? [] : [identity.key.needs]),
    ...rules.flatMap(({ when, rename }) =>
      rename === undefined ? [when.needs] : [when.needs, rename.needs],
    ),
    ...policy.protect.map(({ when }) => when.needs),
    ...policy.changes.map(({ when }) => when.needs),
  ]);
  return { ...joined, antivirus: joined.antivirus || asksForAntivirus(desired) };
}

function asksForAntivirus(desired: Desired): boolean {
  if (desired.rules.some((rule) => rule.antivirus)) return true;
  for (let index = 0; index < desired.count; index += 1) {
    if (!desired.isPlainAt(index) && desired.at(index).antivirus) return true;
  }
  return false;
}
