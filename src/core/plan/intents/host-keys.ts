import { once } from '../../lib/once.ts';
import { type Facts, inventoryKinds, noFacts } from '../../model/facts.ts';
import type { Identity } from '../../model/identity.ts';
import type { HostId } from '../../model/observed.ts';
import type { KeyFacts } from '../../model/table-facts.ts';
import type { PlanInputs } from '../types/plan-inputs.ts';
import { assetKey } from './asset-key.ts';
import { fleetFacts } from './fleet-facts.ts';
import { subjectsAt } from './subject.ts';

/** The hosts that have a key. A key that identifies nothing belongs to no host. */
export type KeyMatch =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly id: HostId }
  | { readonly kind: 'shared'; readonly ids: readonly HostId[] }
  /** The facts of the host are older than the limit, or their age is unknown. */
  | { readonly kind: 'old'; readonly id: HostId };

/** The keys of all hosts. */
export interface HostKeys extends KeyFacts {
  readonly identity: Identity;
  find(key: string): KeyMatch;
  /** Whether the host has a known, usable key, and it is another one. */
  hasOther(id: HostId, key: string): boolean;
}

/** The keys of the fleet that was read, also for a predicted fleet: no step changes which machine a host is. */
export function hostKeysOf(inputs: PlanInputs): HostKeys | undefined {
  const { desired, observed } = inputs;
  const { identity } = desired;
  if (identity === undefined) return undefined;
  const keys = once(() => {
    const subjectAt = subjectsAt(observed, fleetFacts(inputs, observed));
    const keyOf = identity.key.begin();
    return Array.from({ length: observed.count }, (_, index) => {
      const key = keyOf(subjectAt(index));
      return key.ok ? assetKey(key.value) : undefined;
    });
  });
  const indexes = once(() => Map.groupBy(keys().keys(), (index) => keys()[index]));
  const isFresh = freshness(inputs, identity);
  const hostsWith = (key: string | undefined): KeyMatch => {
    const found = key === undefined ? [] : (indexes().get(key) ?? []);
    const ids = found.map((index) => observed.idAt(index));
    const [id] = ids;
    if (id === undefined) return { kind: 'none' };
    if (ids.length > 1) return { kind: 'shared', ids };
    return { kind: isFresh(id) ? 'one' : 'old', id };
  };
  return {
    identity,
    find: (text) => hostsWith(assetKey(text)),
    doubtAbout({ id }, name) {
      const { kind } = hostsWith(keys()[observed.indexOf(id)]);
      if (kind !== 'one') return kind;
      return observed.byName(name).length === 0 ? 'vacant' : undefined;
    },
    hasOther(id, text) {
      const own = keys()[observed.indexOf(id)];
      return own !== undefined && own !== assetKey(text);
    },
  };
}

/** Facts of lists are as old as the plan; inventory may have been read long ago. */
function freshness(
  { facts = noFacts, now }: PlanInputs,
  { key, maxAgeMs }: Identity,
): (id: HostId) => boolean {
  const kinds = inventoryKinds.filter((kind) => key.needs[kind].length > 0);
  return (id) =>
    kinds.every((kind) => {
      const at = facts.inventoryAt?.(kind, id) ?? listedAt(facts, kind);
      return at !== undefined && Date.parse(now) - Date.parse(at) <= maxAgeMs;
    });
}

/** The time of the oldest record, if the time of each is not known. */
function listedAt({ lists }: Facts, kind: (typeof inventoryKinds)[number]): string | undefined {
  return lists.find(({ list }) => list === `${kind}-inventory`)?.at;
}
