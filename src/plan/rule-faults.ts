import type { Desired } from '../model/desired.ts';
import type { ObservedHost } from '../model/observed.ts';
import { readParkedName } from '../model/parked-name.ts';
import { note, type Problem, problem, warning } from '../problem/problem.ts';
import { hostList } from './host-list.ts';
import type { RuleFault } from './rule-book.ts';

/** One problem for each rule and attribute, which names the hosts: a cause can be another for each of them. */
export function ruleFaultProblems(
  desired: Desired,
  faults: readonly RuleFault[],
  skipBlocked: boolean,
): readonly Problem[] {
  const alike = Map.groupBy(
    faults,
    ({ rule, attribute, message }) => `${rule.index} ${attribute} ${message}`,
  );
  return [...alike.values()].map((group) => {
    const { rule, attribute, message, host: first } = group[0] as RuleFault;
    const isOne = group.every((each) => each.message === message);
    const cause = isOne ? message : `${message} (of ${first.id}), and others`;
    const hosts = group.map(({ host }) => host);
    const what = attribute === 'when' ? 'can’t be decided for' : 'has no name for';
    return (skipBlocked ? warning : problem)(
      'rule-without-answer',
      `rule "${rule.name}" ${what} ${hostList(hosts)}: ${cause}`,
      {
        place: desired.placeOfRule(rule.index, attribute),
        ...(skipBlocked
          ? {}
          : { hint: 'make its "when" narrower, or leave these hosts out: --skip-blocked' }),
        hostIds: hosts.map(({ id }) => id),
      },
    );
  });
}

/** Hosts that a rule named once, and whose journey is finished though it names them no more. */
export function landingNotes(landed: readonly ObservedHost[]): readonly Problem[] {
  return landed.map((host) =>
    note(
      'left-parked',
      `host ${host.id} is parked on its way to "${readParkedName(host.name)?.shown}", and is taken there`,
      { hostIds: [host.id] },
    ),
  );
}
