import { mostFaults } from '../../expression/running/running.ts';
import { count, quoted } from '../../lib/words.ts';
import type { Desired } from '../../model/desired.ts';
import type { ExpressionFault } from '../../model/expression.ts';
import type { HostId, ObservedHost } from '../../model/observed.ts';
import { readTemporaryName } from '../../model/temporary-name.ts';
import { note, type Problem, problem, warning } from '../../problem/problem.ts';
import { hostList, uniqueHosts } from './host-list.ts';
import type { DoubtfulName, RuleFault, RuleGuess } from './rule-book.ts';

/** Hosts for which a rule's condition has no result, whether it failed or was not evaluated. */
export function undecidedHosts(faults: readonly RuleFault[]): ReadonlySet<HostId> {
  return new Set(faults.filter(({ attribute }) => attribute === 'when').map(({ host }) => host.id));
}

/**
 * One problem for each rule, attribute and cause, with the names of the hosts, and one that counts the hosts for which
 * the expression was no longer evaluated.
 */
export function ruleFaultProblems(
  desired: Desired,
  faults: readonly RuleFault[],
  skipBlocked: boolean,
): readonly Problem[] {
  const alike = Map.groupBy(
    faults,
    ({ rule, attribute, fault }) => `${rule.index} ${attribute} ${fault.message}`,
  );
  return [...alike.values()].map((group) => {
    const { rule, attribute, fault } = group[0] as RuleFault;
    const hosts = group.map(({ host }) => host);
    const what = attribute === 'when' ? "can't be evaluated for" : 'has no name for';
    const message =
      fault.isSkipped === true
        ? `rule "${rule.name}" ${what} ${hosts.length} more ${hosts.length === 1 ? 'host' : 'hosts'}, ${hostList(hosts)}: Rampart stopped evaluating its "${attribute}" after it failed for ${mostFaults} hosts`
        : `rule "${rule.name}" ${what} ${hostList(hosts)}: ${fault.message}`;
    return (skipBlocked ? warning : problem)('rule-without-answer', message, {
      place: desired.placeOfRule(rule.index, attribute),
      ...(skipBlocked ? {} : { hint: hintFor(attribute, fault) }),
      hostIds: hosts.map(({ id }) => id),
    });
  });
}

/**
 * One problem for each rule, attribute and cause. A rule that needs a fact that is unknown does nothing, and the reviewer
 * sees for which hosts.
 */
export function ruleUnknownProblems(desired: Desired, unknowns: readonly RuleFault[]): readonly Problem[] {
  const alike = Map.groupBy(
    unknowns,
    ({ rule, attribute, fault }) => `${rule.index} ${attribute} ${fault.message}`,
  );
  return [...alike.values()].map((group) => {
    const { rule, attribute, fault } = group[0] as RuleFault;
    const hosts = uniqueHosts(group.map(({ host }) => host));
    const what = attribute === 'when' ? 'does nothing for' : 'does not rename';
    const message = `rule "${rule.name}" ${what} ${hostList(hosts)}: ${fault.message}`;
    return (attribute === 'when' ? note : warning)('unknown-facts', message, {
      place: desired.placeOfRule(rule.index, attribute),
      hint: 'complete the table, or decide about these hosts in an earlier rule: test the fact with !has(…)',
      hostIds: hosts.map(({ id }) => id),
    });
  });
}

function hintFor(attribute: RuleFault['attribute'], { isSkipped }: ExpressionFault): string {
  if (isSkipped === true) return `fix the "${attribute}" of the rule, and plan again`;
  return 'make its "when" narrower, or leave these hosts out: --skip-blocked';
}

/**
 * One warning for each rule and each effect. A rule that matches a host only because one of its facts is unknown
 * neither renames nor deletes the host; its other effects deserve a review.
 */
export function ruleGuessProblems(desired: Desired, guesses: readonly RuleGuess[]): readonly Problem[] {
  return [...Map.groupBy(guesses, ({ rule }) => rule)].flatMap(([rule, group]) => {
    const hosts = uniqueHosts(group.map(({ host }) => host));
    const about = `${count(hosts.length, 'host')} although its "when" reads an unknown fact: ${hostList(hosts)}`;
    const refusal = rule.ensure === 'absent' ? 'does not delete' : 'does not rename';
    const refuses = rule.ensure === 'absent' || rule.rename !== undefined;
    const applies = rule.group !== undefined || rule.antivirus || rule.ensure === 'present';
    return [...(refuses ? [refusal] : []), ...(applies ? ['also applies to'] : [])].map((what) =>
      warning('unknown-facts', `rule "${rule.name}" ${what} ${about}`, {
        place: desired.placeOfRule(rule.index, 'when'),
        hint: 'test the fact with has(…), or fetch it: inventory comes from "rampart hosts inventory pull"',
        hostIds: hosts.map(({ id }) => id),
      }),
    );
  });
}

/** One warning for each rule whose names begin or end with a blank, or have characters that can't be seen. */
export function doubtfulNameProblems(desired: Desired, names: readonly DoubtfulName[]): readonly Problem[] {
  return [...Map.groupBy(names, ({ rule }) => rule)].map(([rule, made]) => {
    const { name, host } = made[0] as DoubtfulName;
    const others = made.length === 1 ? '' : `, and the same for ${made.length - 1} more`;
    return warning(
      'suspicious-name',
      `rule "${rule.name}" gives host ${host.id} the name ${quoted(name)}, which has white space at its ends or invisible characters${others}`,
      {
        place: desired.placeOfRule(rule.index, 'rename'),
        hint: 'use trim() to remove white space and replace(…) to remove other characters',
        hostIds: made.map((each) => each.host.id),
      },
    );
  });
}

/** Hosts that a rule named earlier, and whose rename is completed although no rule names them now. */
export function completionNotes(completed: readonly ObservedHost[]): readonly Problem[] {
  return completed.map((host) =>
    note(
      'temporary-name-left',
      `host ${host.id} has a temporary name: this plan completes its rename to "${readTemporaryName(host.name)?.shown}"`,
      { hostIds: [host.id] },
    ),
  );
}
