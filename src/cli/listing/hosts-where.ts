import type { Condition } from '../../model/expression.ts';
import type { Facts } from '../../model/facts.ts';
import { hostsOf, type ObservedHost } from '../../model/observed.ts';
import { subjectOf } from '../../plan/wishes/subject.ts';
import { problem } from '../../problem/problem.ts';
import { failed, ok, type Result } from '../../problem/result.ts';
import type { KnownFleet } from '../service/read-facts.ts';

/** What `--where` says, where it is given. Only then is the machinery of expressions loaded. */
export async function readWhere(source: string | undefined): Promise<Result<Condition | undefined>> {
  return source === undefined
    ? ok(undefined)
    : (await import('./read-condition.ts')).readCondition(source, '--where');
}

/** The hosts of which a condition is true. One that it can't be asked of is a failure: it may be among those that were meant. */
export function hostsWhere(
  condition: Condition | undefined,
  { observed, facts }: Pick<KnownFleet, 'observed'> & { readonly facts: Facts },
  flag = '--where',
): Result<readonly ObservedHost[]> {
  const all = hostsOf(observed);
  if (condition === undefined) return ok(all);
  const chosen: ObservedHost[] = [];
  for (const host of all) {
    const answer = condition.holds(subjectOf(host, observed, facts));
    if (!answer.ok) {
      return failed(
        problem('usage', `${flag} has no answer for host ${host.id}: ${answer.fault.message}`, {
          hostIds: [host.id],
        }),
      );
    }
    if (answer.value) chosen.push(host);
  }
  return ok(chosen);
}
