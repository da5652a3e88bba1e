import type { Clock } from '../../core/lib/surroundings.ts';
import type { HostId, ObservedHost } from '../../core/model/observed.ts';
import type { Problem } from '../../core/problem/problem.ts';
import type { RenameIntent } from './rename-intent.ts';
import { exchangeOfMany, nameStaysTaken } from './rename-problems.ts';

/**
 * Which hosts of one plan give up their names, and which need the name of another host. Terraform plans each resource
 * separately, so only the provider can compare them.
 */
export interface PlannedNames {
  /** A call of the plan begins. The returned function ends it. */
  enter(): () => void;
  /** The plan renames or deletes the host. */
  releases(hostId: HostId): void;
  /** The plan removes the host from the state only. */
  forgets(hostId: HostId): void;
  /**
   * The host needs a name that others have. Calls return immediately, except one whose warnings are shown: it waits until
   * no more calls of the plan arrive, and reports for all.
   */
  needs(need: NeededName, signal: AbortSignal): Promise<readonly Problem[]>;
  /** Resources are being applied, so nothing more is reported. */
  applying(): void;
}

export interface NeededName extends RenameIntent {
  readonly host: ObservedHost;
  readonly owners: readonly ObservedHost[];
  /** Terraform shows the warnings of this call: it doesn't show those of the second plan of a replacement. */
  readonly isShown: boolean;
}

export interface PlannedNamesOptions {
  readonly clock: Clock;
  /** All machines that share the state find the record of this plan. */
  readonly isShared: boolean;
  /** How long no other call must arrive before the plan counts as complete, in milliseconds. */
  readonly quietMs?: number;
}

const defaultQuietMs = 1000;
const stepMs = 50;
/** With -parallelism=1, each wait delays the call that it waits for. */
const mostWaits = 3;
/** As many operations as Terraform runs at once by default. */
const defaultParallelism = 10;

export function createPlannedNames({
  clock,
  isShared,
  quietMs = defaultQuietMs,
}: PlannedNamesOptions): PlannedNames {
  const released = new Set<HostId>();
  const forgotten = new Set<HostId>();
  const needs = new Map<HostId, NeededName>();
  const reported = new Set<HostId>();
  let state: 'free' | 'waiting' | 'done' = 'free';
  let waitsLeft = mostWaits;
  let hasReportedExchange = false;
  let calls = 0;
  let openCalls = 0;

  const isTaken = ({ hostId, owners }: NeededName) =>
    !reported.has(hostId) && owners.some(({ id }) => !released.has(id));
  const hasTaken = () => [...needs.values()].some(isTaken);
  const mayExchange = () => !hasReportedExchange && needs.size >= defaultParallelism && !isShared;

  /** Ends early if there is nothing left to find out. */
  async function untilQuiet(signal: AbortSignal): Promise<void> {
    let seen = calls;
    for (let quiet = 0; quiet < quietMs && (hasTaken() || mayExchange()); quiet += stepMs) {
      await clock.sleep(stepMs, signal);
      if (signal.aborted || state === 'done') return;
      // The waiting call itself is open.
      if (calls !== seen || openCalls > 1) quiet = 0;
      seen = calls;
    }
  }

  function report(): readonly Problem[] {
    const taken = [...needs.values()].filter(isTaken);
    for (const { hostId } of taken) reported.add(hostId);
    const conflicts = taken.map((need) => {
      const owner = need.owners.find(({ id }) => !released.has(id)) as ObservedHost;
      return nameStaysTaken(need, need.host, owner, forgotten.has(owner.id));
    });
    const together = mayExchange() ? largestExchange(needs) : 0;
    if (together <= defaultParallelism) return conflicts;
    hasReportedExchange = true;
    return [...conflicts, exchangeOfMany(together)];
  }

  return {
    enter() {
      calls += 1;
      openCalls += 1;
      return () => {
        calls += 1;
        openCalls -= 1;
      };
    },
    releases: (hostId) => void released.add(hostId),
    forgets: (hostId) => void forgotten.add(hostId),
    async needs(need, signal) {
      needs.set(need.hostId, need);
      if (!need.isShown || state !== 'free' || waitsLeft === 0 || !(hasTaken() || mayExchange())) return [];
      state = 'waiting';
      waitsLeft -= 1;
      await untilQuiet(signal);
      // `applying` may have been called in the meantime.
      if ((state as string) === 'done' || signal.aborted) return [];
      state = 'free';
      return report();
    },
    applying() {
      state = 'done';
    },
  };
}

/** The number of hosts that must be renamed together: of the longest chain or cycle. */
function largestExchange(needs: ReadonlyMap<HostId, NeededName>): number {
  const sizes = new Map<HostId, number>();
  const claimants = Map.groupBy(needs.values(), ({ owners }) => owners[0]?.id);
  let largest = 0;
  for (const start of needs.keys()) {
    if (sizes.has(start)) continue;
    const reached = new Set([start]);
    for (const id of reached) {
      for (const { id: owner } of needs.get(id)?.owners ?? []) reached.add(owner);
      for (const { hostId } of claimants.get(id) ?? []) reached.add(hostId);
    }
    for (const id of reached) sizes.set(id, reached.size);
    largest = Math.max(largest, reached.size);
  }
  return largest;
}
