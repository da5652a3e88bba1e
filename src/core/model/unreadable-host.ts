import { type Problem, warning } from '../problem/problem.ts';
import type { HostId } from './ids.ts';

/** A host whose form in the list breaks the contract: nothing is known about it, and nothing is done to it. */
export interface UnreadableHost {
  /** Its index in the list, from 0. */
  readonly position: number;
  /** Absent if not even the id can be read. Then it may be any host that is not listed elsewhere. */
  readonly id?: HostId;
  /** Absent if it can't be read; null if the service has no name for it. */
  readonly name?: string | null;
  /** What is wrong with it, in the words of the contract. */
  readonly why: string;
}

export interface WithUnreadable {
  /** Hosts of the list that break the contract. They are in no other part of the fleet. Absent if there are none. */
  readonly unreadable?: readonly UnreadableHost[];
  /** Entries of the anti-virus list that break the contract: whether these hosts have the anti-virus is unknown. */
  readonly unreadableAntivirus?: readonly UnreadableHost[];
}

/** May an unreadable host of the list have this id, which none of the readable hosts has? */
export function mayBeUnreadable({ unreadable = [] }: WithUnreadable, id: HostId): boolean {
  return unreadable.some((each) => each.id === undefined || each.id === id);
}

/** For copying to another fleet object. */
export function unreadableOf({ unreadable = [], unreadableAntivirus = [] }: WithUnreadable): WithUnreadable {
  return {
    ...(unreadable.length === 0 ? {} : { unreadable }),
    ...(unreadableAntivirus.length === 0 ? {} : { unreadableAntivirus }),
  };
}

export function unreadableWords({ id, position }: UnreadableHost): string {
  return id === undefined ? `the host at position ${position + 1} of the list` : `host ${id}`;
}

/** The problem that names it, for everyone who reads the fleet. */
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
