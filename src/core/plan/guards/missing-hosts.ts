import { count } from '../../lib/words.ts';
import { allowance, allowsAll, isTooMany, type Limits } from '../../model/policy.ts';
import { type Place, type Problem, problem } from '../../problem/problem.ts';
import type { Matching } from '../intents/matching.ts';
import type { Breach } from '../types/plan.ts';

export interface MissingHostsInputs {
  readonly limits: Pick<Limits, 'missing'>;
  readonly limitPlaces?: { readonly missing?: Place } | undefined;
  readonly pinned: Matching['pinned'];
  readonly fleetSize: number;
  /** How many hosts the last run left; absent if no run is known. */
  readonly lastFleetSize?: number | undefined;
  /** Are deletions planned? */
  readonly deletes: boolean;
  /** The user confirms that the account may have no hosts. */
  readonly allowEmptyFleet: boolean;
}

export interface Absence {
  readonly breach: Breach;
  readonly problem: Problem;
}

/**
 * An empty or truncated list looks as if hosts were deleted, and a plan made from it would find nothing to do. The ids
 * that the desired state pins, and the fleet size after the last run, distinguish such a list from a small fleet.
 */
export function missingHosts(inputs: MissingHostsInputs): readonly Absence[] {
  if (inputs.fleetSize === 0) return emptyList(inputs);
  const { limits, pinned, lastFleetSize = 0, fleetSize, deletes } = inputs;
  const share = (missing: number, total: number) => `${Math.round((100 * missing) / total)} %`;
  const found: { readonly missing: number; readonly allowed: number; readonly message: string }[] = [];
  const hold = (missing: number, total: number, message: string) => {
    // Too many are missing also if all of a few are.
    if (isTooMany(limits.missing, missing, total))
      found.push({ missing, allowed: Math.min(allowance(limits.missing, total), missing - 1), message });
  };
  hold(
    pinned.missing,
    pinned.entries,
    `${share(pinned.missing, pinned.entries)} of the hosts that the desired state pins by id are not in the list, so the list may be incomplete`,
  );
  if (deletes) {
    const shortBy = Math.max(0, lastFleetSize - fleetSize);
    hold(
      shortBy,
      lastFleetSize,
      `the list is ${share(shortBy, lastFleetSize)} shorter than after the last run, and deletions are planned`,
    );
  }
  const [worst] = found.toSorted((a, b) => b.missing - a.missing);
  if (worst === undefined) return [];
  const hint = `${count(worst.missing, 'host')} ${worst.missing === 1 ? 'is' : 'are'} missing, and the limit is ${worst.allowed}: remove the entries of deleted hosts, or raise policy.limits.missing`;
  return [absence(inputs, worst, found.map(({ message }) => message).join('; '), hint)];
}

/** Entries with `ensure: absent` count too: an empty list does not prove a deletion. */
function emptyList(inputs: MissingHostsInputs): readonly Absence[] {
  const { limits, pinned, lastFleetSize = 0, allowEmptyFleet } = inputs;
  const entries = pinned.entries + pinned.absent;
  const missing = Math.max(entries, lastFleetSize);
  if (missing === 0 || allowEmptyFleet || allowsAll(limits.missing, missing)) return [];
  const expected =
    entries > 0
      ? `the desired state pins ${count(entries, 'host')} by id`
      : `the fleet had ${count(lastFleetSize, 'host')} after the last run`;
  const hint =
    'check the account and the service; if the account really has no hosts, add --allow-empty-fleet or set policy.limits.missing to 100%';
  return [absence(inputs, { missing, allowed: 0 }, `the list has no hosts, although ${expected}`, hint)];
}

function absence(
  { limitPlaces }: MissingHostsInputs,
  { missing, allowed }: { readonly missing: number; readonly allowed: number },
  message: string,
  hint: string,
): Absence {
  const place = limitPlaces?.missing === undefined ? {} : { place: limitPlaces.missing };
  return {
    breach: { limit: 'missing', ...place, count: missing, allowed, acknowledged: false },
    problem: problem('hosts-missing', message, { ...place, hint, policy: 'limits.missing' }),
  };
}
