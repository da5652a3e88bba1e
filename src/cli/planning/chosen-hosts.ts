import type { Haystack } from '../../accounts/engine/planning.ts';
import { compileCondition } from '../../core/expression/compile.ts';
import type { Desired } from '../../core/model/desired.ts';
import { type FactNeeds, needsNothing } from '../../core/model/facts.ts';
import { type HostId, type Observed, toHostId } from '../../core/model/observed.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { hostsWhere } from '../listing/list-hosts.ts';
import { conditionFlag } from '../listing/read-condition.ts';

/**
 * Finds hosts by id, by their current name, by the name that an entry with an id requests for them, or by a CEL
 * expression.
 */
export function chosenHosts(
  words: readonly string[],
  flag: string,
  haystack: Haystack,
): Result<ReadonlySet<HostId>> {
  const given = givenNames(haystack.desired);
  const found = new Set<HostId>();
  for (const word of words) {
    const named = byIdOrName(word, given, haystack.observed);
    const hosts = named.length > 0 ? ok(named) : byExpression(word, flag, haystack);
    if (!hosts.ok) return hosts;
    for (const host of hosts.value) found.add(host);
  }
  return ok(found);
}

function givenNames(desired: Desired): ReadonlyMap<string, HostId> {
  const given = new Map<string, HostId>();
  for (let index = 0; index < desired.count; index += 1) {
    const { id, name } = desired.at(index);
    if (id !== undefined && name !== undefined) given.set(name, id);
  }
  return given;
}

function byIdOrName(word: string, given: ReadonlyMap<string, HostId>, observed: Observed): readonly HostId[] {
  const id = toHostId(word);
  const host = id === undefined ? undefined : observed.byId(id);
  if (host !== undefined) return [host.id];
  const named = observed.byName(word).map((each) => each.id);
  const byIntent = given.get(word);
  return named.length > 0 || byIntent === undefined ? named : [byIntent];
}

function byExpression(word: string, flag: string, haystack: Haystack): Result<readonly HostId[]> {
  if (!looksLikeExpression.test(word)) {
    return failed(
      problem('usage', `${flag} ${word}: no host has this id or name`, {
        hint: `list the hosts with: rampart hosts; or select hosts with an expression, such as 'host.group == "Berlin"'`,
      }),
    );
  }
  const condition = conditionFlag(word, flag);
  const hosts = condition.ok ? hostsWhere(condition.value, haystack, flag) : condition;
  if (!hosts.ok) return hosts;
  if (hosts.value.length > 0) return ok(hosts.value.map(({ id }) => id));
  return failed(
    problem('usage', `${flag} ${word}: no host matches`, {
      hint: 'test the expression with: rampart hosts --where …',
    }),
  );
}

/** The facts that an expression among the words reads; none for ids and names. */
export function expressionNeeds(word: string): FactNeeds {
  const compiled = looksLikeExpression.test(word) ? compileCondition(word, 'host') : undefined;
  return compiled?.ok === true ? compiled.value.needs : needsNothing;
}

const looksLikeExpression = /\bhost\./;
