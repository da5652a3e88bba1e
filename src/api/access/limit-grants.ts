import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { includesRole } from './action.ts';
import { checkGrants } from './check-grants.ts';
import type { Grant } from './grants.ts';
import { toGrant } from './grants.ts';

/**
 * The requested grants, limited to accounts on which the giver has the same role or one that includes it, so that nobody
 * gives more than they have. Fails if the giver has a requested role nowhere, or if a selector is faulty.
 */
export function limitGrants(
  giver: readonly Grant[],
  requested: readonly Grant[],
  labels: ReadonlySet<string>,
): Result<readonly Grant[]> {
  // A text such as `a) || (b` is no expression by itself, but would escape from the brackets below.
  const faults = checkGrants(requested, labels, 'the token');
  if (faults.length > 0) return failed(...faults);
  const limited: Grant[] = [];
  for (const { role, where } of requested) {
    // A faulty selector grants nothing, and could close the brackets below.
    const own = giver.filter(
      (each) => includesRole(each.role, role) && checkGrants([each], labels, '').length === 0,
    );
    if (own.length === 0) {
      return failed(
        problem('forbidden', `the role ${role} can be given only by someone who has it`, {
          hint: 'ask for roles that you have',
        }),
      );
    }
    const limits = own.flatMap((each) => (each.where === undefined ? [] : [each.where]));
    if (limits.length < own.length) {
      limited.push(toGrant({ role, where }));
      continue;
    }
    const within = limits.map((each) => `(${each})`).join(' || ');
    limited.push({ role, where: where === undefined ? within : `(${where}) && (${within})` });
  }
  const tooLong = checkGrants(limited, labels, 'the token, limited to your own roles');
  return tooLong.length > 0 ? failed(...tooLong) : ok(limited);
}
