import { once } from '../../core/lib/once.ts';
import { createTurns } from '../../core/lib/turns.ts';
import { foldName } from '../../core/model/host-name.ts';
import {
  type GroupId,
  type HostId,
  hostsOf,
  listedAt,
  mayBeUnreadable,
  type Observed,
  type UnreadableHost,
} from '../../core/model/observed.ts';
import { collectTransitions, isOnTheWay } from '../../core/plan/ordering/transition.ts';
import type { Step, StepKind } from '../../core/plan/types/step.ts';
import { ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { FleetReader } from '../../service/wire/fleet.ts';

/**
 * The results of the run's own re-reads. If the latest one shows a host in a state that is not part of the plan's
 * transition, no call is sent for it, because it would overwrite someone else's change.
 */
export interface LatestRead {
  sawNames(names: ReadonlyMap<HostId, string | null>): void;
  sawFleet(fleet: Observed): void;
  /** The hosts that someone else has changed in a way that matters to a step of this kind. */
  changes(hosts: readonly HostId[], kind: StepKind): ReadonlyMap<HostId, Problem>;
  isDeleted(host: HostId): boolean;
  /** When the latest list of names and groups was read, in milliseconds since the epoch. */
  readonly readAt: number;
}

/** `firstReadAt`: the time of the read that the steps were made or checked on. */
export function createLatestRead(steps: readonly Step[], firstReadAt: number): LatestRead {
  const transitions = collectTransitions(steps);
  const groups = new Map<HostId, GroupId>();
  let names: ReadonlyMap<HostId, string | null> | undefined;
  let readAt = firstReadAt;
  let unreadable: readonly UnreadableHost[] = [];

  function changeOf(host: HostId, kind: StepKind): Problem | undefined {
    const transition = transitions.get(host);
    if (names === undefined || transition === undefined) return undefined;
    const name = names.get(host);
    if (name === undefined && mayBeUnreadable({ unreadable }, host))
      return changed(host, "missing from the list, which has hosts that can't be read");
    // For a deletion, absence is the intended state.
    if (name === undefined) return kind === 'delete' ? undefined : changed(host, 'deleted by someone else');
    const givesOrTakes = kind === 'rename' || kind === 'temporary-rename' || kind === 'delete';
    if (givesOrTakes && !isOnTheWay(transition, name)) {
      return changed(host, `renamed by someone else, to "${name}"`);
    }
    const group = groups.get(host);
    const isHome = group === transition.expects.groupId || group === transition.moveTo?.groupId;
    if ((kind === 'move' || kind === 'delete') && group !== undefined && !isHome) {
      return changed(host, `moved by someone else, to group ${group}`);
    }
    return undefined;
  }

  return {
    get readAt() {
      return readAt;
    },
    sawNames(seen) {
      names = seen;
      unreadable = [];
    },
    sawFleet(fleet) {
      const hosts = hostsOf(fleet);
      names = new Map(hosts.map((host) => [host.id, host.name]));
      for (const host of hosts) groups.set(host.id, host.groupId);
      readAt = Math.max(readAt, listedAt(fleet));
      unreadable = fleet.unreadable ?? [];
    },
    changes(hosts, kind) {
      const changes = new Map<HostId, Problem>();
      for (const host of hosts) {
        const change = changeOf(host, kind);
        if (change !== undefined) changes.set(host, change);
      }
      return changes;
    },
    isDeleted: (host) => names !== undefined && !names.has(host) && !mayBeUnreadable({ unreadable }, host),
  };
}

/** The failure of a batch before it is sent, because its hosts must be selected again. */
export const hostsChanged = problem('stale-plan', 'someone else changed some of its hosts');

function changed(host: HostId, what: string): Problem {
  return problem('stale-plan', `host ${host} was ${what}`, { hint: 'plan again', hostIds: [host] });
}

/** A list of names, which many steps may share. */
export interface NamesRead {
  readonly names: ReadonlyMap<HostId, string | null>;
  /** The hosts with a name, by the folded name. Made on first use. */
  holders(): ReadonlyMap<string, readonly HostId[]>;
}

function namesRead(names: NamesRead['names']): NamesRead {
  const named = () => [...names.keys()].filter((id) => names.get(id) !== null);
  return { names, holders: once(() => Map.groupBy(named(), (id) => foldName(names.get(id) as string))) };
}

/** Lists are scarce, so all steps in doubt share one read that began after each of them asked. */
export interface Reread {
  names(): Promise<Result<NamesRead>>;
  fleet(): Promise<Result<Observed>>;
  /** The fleet including the anti-virus list. */
  antivirus(): Promise<Result<Observed>>;
}

export function createReread(
  reader: FleetReader,
  latestRead: Pick<LatestRead, 'sawNames' | 'sawFleet'>,
): Reread {
  const readFleet = async (antivirus: boolean) => {
    const read = await reader.read({ antivirus });
    if (read.ok) latestRead.sawFleet(read.value);
    return read;
  };
  return {
    names: shared(async () => {
      const read = await reader.readNames();
      if (!read.ok) return read;
      latestRead.sawNames(read.value);
      return ok(namesRead(read.value));
    }),
    fleet: shared(() => readFleet(false)),
    antivirus: shared(() => readFleet(true)),
  };
}

/** Callers that arrive during a read share the next one, because that read may not show their call. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  const inTurn = createTurns();
  let next: Promise<T> | undefined;
  return () =>
    (next ??= inTurn(() => {
      next = undefined;
      return read();
    }));
}
