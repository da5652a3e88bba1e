import type { Clock } from '../../../core/lib/surroundings.ts';
import { count, firstFew, quoted } from '../../../core/lib/words.ts';
import type { HostId, ObservedHost } from '../../../core/model/observed.ts';
import { allowance, type Limit } from '../../../core/model/policy.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';

/**
 * All deletions that the resources of one run plan. Terraform plans each resource separately, so only the provider can
 * compare their number with a limit.
 */
export interface PlannedDeletions {
  /** Undefined if the deletion is within the limit, or if another call reports that it is not. */
  add(host: ObservedHost, fleetSize: number, signal: AbortSignal): Promise<Problem | undefined>;
}

export interface PlannedDeletionsOptions {
  readonly clock: Clock;
  readonly limit: Limit;
  /** The exact number that is approved; undefined if only the limit applies. */
  readonly approved: number | undefined;
  /** How long no other deletion must arrive before their number counts as final, in milliseconds. */
  readonly quietMs?: number;
}

const defaultQuietMs = 1000;

/**
 * Calls return immediately, except the first one that needs the final number: it waits until no more arrive, and
 * reports for all.
 */
export function createPlannedDeletions({
  clock,
  limit,
  approved,
  quietMs = defaultQuietMs,
}: PlannedDeletionsOptions): PlannedDeletions {
  const hosts = new Map<HostId, ObservedHost>();
  let lastAt = 0;
  let isCounting = false;
  /** The number of deletions up to which the limit has been checked. */
  let settled = 0;

  async function untilQuiet(signal: AbortSignal): Promise<void> {
    const leftMs = () => lastAt + quietMs - clock.now();
    for (let left = leftMs(); left > 0 && !signal.aborted; left = leftMs()) await clock.sleep(left, signal);
  }

  return {
    async add(host, fleetSize, signal) {
      hosts.set(host.id, host);
      lastAt = clock.now();
      const allowed = allowance(limit, fleetSize);
      if (approved === undefined) settled = allowed;
      if (hosts.size <= settled || isCounting) return undefined;
      isCounting = true;
      await untilQuiet(signal);
      isCounting = false;
      if (hosts.size !== approved) return refusal([...hosts.values()], allowed, approved);
      settled = approved;
      return undefined;
    },
  };
}

function refusal(hosts: readonly ObservedHost[], allowed: number, approved: number | undefined): Problem {
  const deleted = hosts.length;
  const hostIds = hosts.map(({ id }) => id);
  if (approved !== undefined) {
    return problem(
      'ack-mismatch',
      `this run deletes ${count(deleted, 'host')}, and acks in the provider block approves ${approved}`,
      {
        hint: `review each of them (${firstFew(hosts, listed, hostText)}), then approve exactly this number with acks = { delete = ${deleted} }, or remove the approval. Deletions that wait for each other, and all deletions with -parallelism=1, are not counted together: apply them one after another with -target`,
        hostIds,
      },
    );
  }
  return problem(
    'limit-exceeded',
    `this run deletes ${count(deleted, 'host')}, and ${allowed} may be deleted`,
    {
      hint: `review each of them (${firstFew(hosts, listed, hostText)}), then approve exactly this number with acks = { delete = ${deleted} } in the provider block, for this run only`,
      hostIds,
    },
  );
}

const listed = 20;

export function hostText({ id, name }: Pick<ObservedHost, 'id' | 'name'>): string {
  return name === null ? `host ${id}` : `host ${id} ${quoted(name)}`;
}
