import { type Problem, warning } from '../problem/problem.ts';
import type { HostId } from './host-id.ts';

/** A host that the list has in a form that breaks the contract: nothing is known of it, and nothing is done to it. */
export interface UnreadableHost {
  /** Where it stands in the list, from 0. */
  readonly position: number;
  /** Absent where not even the id can be read: it may be any host that is not listed elsewhere. */
  readonly id?: HostId;
  /** Absent where it can't be read; null where the service has no name for it. */
  readonly name?: string | null;
  /** What is wrong with it, in the words of the contract. */
  readonly why: string;
}

export interface WithUnreadable {
  /** Hosts of the list that break the contract: they are in nothing else of the fleet. Absent where there are none. */
  readonly unreadable?: readonly UnreadableHost[];
  /** Entries of the anti-virus list that break the contract: whether these hosts have the anti-virus is unknown. */
  readonly unreadableAntivirus?: readonly UnreadableHost[];
}

/** May the list have this host, which none of its readable entries is, in a form that can't be read? */
export function mayBeUnreadable({ unreadable = [] }: WithUnreadable, id: HostId): boolean {
  return unreadable.some((each) => each.id === undefined || each.id === id);
}

/** To pass on with a copy of a fleet. */
export function unreadableOf({ unreadable = [], unreadableAntivirus = [] }: WithUnreadable): WithUnreadable {
  return {
    ...(unreadable.length === 0 ? {} : { unreadable }),
    ...(unreadableAntivirus.length === 0 ? {} : { unreadableAntivirus }),
  };
}

export function unreadableWords({ id, position }: UnreadableHost): string {
  return id === undefined ? `the host at position ${position + 1} of the list` : `host ${id}`;
}

/** Names it, for everyone who reads the fleet. */
export function unreadableHost(host: UnreadableHost): Problem {
  return warning(
    'unreadable-host',
    `${unreadableWords(host)} can't be read (${host.why}), so it is left unchanged`,
    {
      hint: "try again; if this persists, contact the service's support",
      ...(host.id === undefined ? {} : { hostIds: [host.id] }),
    },
  );
}

/** Names a host whose entry in the anti-virus list can't be read. */
export function unreadableAntivirus(host: UnreadableHost): Problem {
  return warning(
    'unreadable-host',
    `the anti-virus list has ${unreadableWords(host)} in a form that can't be read (${host.why}): its anti-virus is unknown, and none is installed`,
    {
      hint: "try again; if this persists, contact the service's support",
      ...(host.id === undefined ? {} : { hostIds: [host.id] }),
    },
  );
}
