import type { Plan } from '../../../src/core/plan/types/plan.ts';
import type { GivenEntry } from '../../given/desired.ts';
import type { GivenHost } from '../../given/fleet.ts';
import { givenPlan } from '../../given/plan.ts';

/** A host, and the entry that changes it. */
export type Pair = readonly [Omit<GivenHost, 'id'>, Omit<GivenEntry, 'id'>];

/** Numbers that look random: a counter, scattered by multiplications (mulberry32). */
export function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

export interface PlantedMistake {
  readonly kind: string;
  /** A reviewer who sees one of these hosts finds the mistake. */
  readonly ids: readonly string[];
}

export interface Planting {
  /** What happens to most hosts. */
  readonly usual: readonly Pair[];
  readonly mistakes: readonly { readonly kind: string; readonly hosts: readonly Pair[] }[];
  readonly groups: Readonly<Record<string, string>>;
  readonly pick: (below: number) => number;
}

export interface PlantedPlan {
  readonly plan: Plan;
  readonly mistakes: readonly PlantedMistake[];
}

/** The plan of all changes, with the mistakes anywhere among the others. */
export function plantedPlan({ usual, mistakes, groups, pick }: Planting): PlantedPlan {
  const pairs = [...usual];
  for (const { hosts } of mistakes) for (const pair of hosts) pairs.splice(pick(pairs.length), 0, pair);
  const ids = new Map(pairs.map((pair, at) => [pair, 5000 + at]));
  const idOf = (pair: Pair) => ids.get(pair) as number;
  return {
    plan: givenPlan({
      hosts: pairs.map((pair) => ({ ...pair[0], id: idOf(pair) })),
      entries: pairs.map((pair) => ({ ...pair[1], id: idOf(pair) })),
      groups,
    }),
    mistakes: mistakes.map(({ kind, hosts }) => ({ kind, ids: hosts.map((pair) => String(idOf(pair))) })),
  };
}
