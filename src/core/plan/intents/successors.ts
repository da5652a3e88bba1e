import { quoted } from '../../lib/words.ts';
import type { Desired } from '../../model/desired.ts';
import type { Entry } from '../../model/entry.ts';
import { type HostId, mayBeUnreadable, type Observed, type ObservedHost } from '../../model/observed.ts';
import { note, type Problem, type ProblemDetails, problem, warning } from '../../problem/problem.ts';
import type { HostKeys } from './fleet-facts.ts';
import { hostList } from './host-list.ts';
import type { RuleSuccessor } from './rule-book.ts';

/** A host that may be the machine of an entry whose host is missing. */
export interface Successor {
  /** `adopted`: the entry applies to it. In all other cases, nothing is done to it. */
  readonly kind: 'adopted' | 'proposed' | 'shared' | 'old';
  readonly hosts: readonly ObservedHost[];
}

export interface SuccessorInputs {
  readonly desired: Desired;
  readonly observed: Observed;
  readonly keys: HostKeys | undefined;
  /** Does an entry pin this host by its id? */
  isPinned(id: HostId): boolean;
}

/**
 * The successor of a host that an entry pins and that is not in the list. A host to be deleted has none: its deletion is
 * done. A host that can't be read may still be there.
 */
export function successorOf(
  { id, key, ensure }: Entry,
  { observed, keys, isPinned }: Omit<SuccessorInputs, 'desired'>,
): Successor | undefined {
  if (id === undefined || key === undefined || keys === undefined) return undefined;
  if (ensure === 'absent' || keys.identity.successor === 'ignore' || mayBeUnreadable(observed, id))
    return undefined;
  const found = keys.find(key);
  if (found.kind === 'none') return undefined;
  const ids = found.kind === 'shared' ? found.ids : [found.id];
  const hosts = ids.flatMap((each) => observed.byId(each) ?? []);
  if (hosts.length < ids.length || ids.some(isPinned)) return undefined;
  if (found.kind !== 'one') return { kind: found.kind, hosts };
  return { kind: keys.identity.successor === 'adopt' ? 'adopted' : 'proposed', hosts };
}

/** What the reviewer must know about a successor. */
export function successorProblem(
  desired: Desired,
  { id, name, index }: Entry,
  { kind, hosts }: Successor,
  strict: boolean,
): Problem {
  const intended = name === undefined ? '' : `, with the intended name "${name}",`;
  const gone = `host ${id}${intended} is not in the list`;
  const newId = hosts[0]?.id;
  const details = (hint: string): ProblemDetails => ({
    place: desired.placeOf(index, 'id'),
    hint,
    hostIds: [...(id === undefined ? [] : [id]), ...hosts.map((host) => host.id)],
  });
  const doubt = strict ? problem : warning;
  switch (kind) {
    case 'adopted':
      return note(
        'successor',
        `${gone}; ${hostList(hosts)} has the key of the entry and takes its place`,
        details(`change the id of the entry to ${newId}, for example with: rampart import ids`),
      );
    case 'proposed':
      return doubt(
        'successor',
        `${gone}; ${hostList(hosts)} has the key of the entry and may be the same machine`,
        details(
          `if it is, change the id of the entry to ${newId}, or set "successor: adopt" under "identity"`,
        ),
      );
    case 'shared':
      return doubt(
        'successor',
        `${gone}; ${hostList(hosts)} share the key of the entry, so none of them takes its place`,
        details('find out which host is the machine, and change the id of the entry to the id of that host'),
      );
    case 'old':
      return doubt(
        'successor',
        `${gone}; ${hostList(hosts)} had the key of the entry, but this fact is older than "maxAge" of "identity" allows`,
        details('read the inventory again: rampart hosts inventory pull'),
      );
  }
}

const doubts = {
  none: [
    'they have no key that identifies a machine',
    'complete the inventory: rampart hosts inventory pull',
  ],
  shared: [
    'other hosts share their keys',
    'find out which host is the machine, and write an entry with its id',
  ],
  old: [
    'the facts with their keys are older than "maxAge" of "identity" allows',
    'read the inventory again: rampart hosts inventory pull',
  ],
  vacant: [
    'no host has the name so far, so each may be a machine that was installed again',
    'to let them have the names, write entries with their ids, or set "successor: adopt" in the rule',
  ],
} as const;

/** One problem for each rule and doubt, which lists the hosts that the rule leaves alone. */
export function ruleSuccessorProblems(
  desired: Desired,
  found: readonly RuleSuccessor[],
  strict: boolean,
): readonly Problem[] {
  return [...Map.groupBy(found, ({ rule, doubt }) => `${rule.index} ${doubt}`).values()].map((group) => {
    const { rule, doubt } = group[0] as RuleSuccessor;
    const [why, hint] = doubts[doubt];
    const hosts = group.map(({ host }) => host);
    const examples = group.slice(0, 3).map(({ name }) => quoted(name));
    const names = examples.length < group.length ? `${examples.join(', ')} and others` : examples.join(', ');
    const message = `rule "${rule.name}" does nothing for ${hostList(hosts)}, which would get ${names}: ${why}`;
    return (strict ? problem : warning)('successor', message, {
      place: desired.placeOfRule(rule.index, 'rename'),
      hint,
      hostIds: hosts.map(({ id }) => id),
    });
  });
}
