import type { KnownFleet } from '../../accounts/engine/read-facts.ts';
import { count } from '../../core/lib/words.ts';
import type { Condition } from '../../core/model/expression.ts';
import type { Facts } from '../../core/model/facts.ts';
import { hostsOf, type ObservedHost } from '../../core/model/observed.ts';
import { customFieldJudge } from '../../core/plan/intents/custom-field-problems.ts';
import { subjectOf } from '../../core/plan/intents/subject.ts';
import {
  failed,
  hasErrors,
  ok,
  type Problem,
  problem,
  type Result,
  warning,
} from '../../core/problem/problem.ts';
import type { FactedHost } from '../../output/review/host-columns.ts';

/** Reads `--where`, if given. Only then is the expression code loaded. */
export async function readWhere(source: string | undefined): Promise<Result<Condition | undefined>> {
  return source === undefined
    ? ok(undefined)
    : (await import('./read-condition.ts')).conditionFlag(source, '--where');
}

/** The hosts that match a condition. A host without a result is a failure, because the user may have meant it. */
export function hostsWhere(
  condition: Condition | undefined,
  { observed, facts }: Pick<KnownFleet, 'observed'> & { readonly facts: Facts },
  flag = '--where',
): Result<readonly ObservedHost[]> {
  const all = hostsOf(observed);
  if (condition === undefined) return ok(all);
  const misnamed = customFieldJudge(observed, facts)(condition.customFields, flag, () => undefined);
  if (hasErrors(misnamed)) return failed(...misnamed);
  const ask = condition.begin();
  const chosen: ObservedHost[] = [];
  const guessed: ObservedHost[] = [];
  for (const host of all) {
    const answer = ask(subjectOf(host, observed, facts));
    if (!answer.ok) {
      return failed(
        problem('usage', `${flag} can't be evaluated for host ${host.id}: ${answer.fault.message}`, {
          hostIds: [host.id],
        }),
      );
    }
    if (answer.value) chosen.push(host);
    if (answer.guessed === true) guessed.push(host);
  }
  return ok(chosen, [...misnamed, ...guessWarnings(guessed, flag)]);
}

function guessWarnings(hosts: readonly ObservedHost[], flag: string): readonly Problem[] {
  if (hosts.length === 0) return [];
  const message = `${flag} matches ${count(hosts.length, 'host')} only because a fact that it reads is unknown`;
  const hint = 'test the fact with has(…), or fetch it: inventory comes from "rampart hosts inventory pull"';
  return [warning('unknown-facts', message, { hint, hostIds: hosts.map(({ id }) => id) })];
}

/** Hosts as rows of a list. */
export function hostRows(
  hosts: readonly ObservedHost[],
  { observed, facts }: Pick<KnownFleet, 'observed' | 'facts'>,
): readonly FactedHost[] {
  return hosts.map((host) => ({
    host,
    group: observed.groupById(host.groupId),
    fields: facts.customFieldsOf(host.id) ?? {},
  }));
}
