import { makePlan } from '../../src/core/plan/make-plan.ts';
import type { Plan } from '../../src/core/plan/types/plan.ts';
import { type GivenEntry, givenDesired, noLimits } from './desired.ts';
import { at, givenFleet } from './fleet.ts';

/** For each host, in order: the index of its new name, or another change. */
export type Wish = number | 'keep' | 'delete';

/** Every way to rename and delete this many hosts with this many names. Hosts beyond the names have none. */
export function* smallFleets(hosts: number, names: number): Generator<readonly Wish[]> {
  const choices: readonly Wish[] = ['keep', 'delete', ...Array.from({ length: names }, (_, index) => index)];
  const total = choices.length ** hosts;
  for (let code = 0; code < total; code += 1) {
    const wishes: Wish[] = [];
    for (let rest = code; wishes.length < hosts; rest = Math.floor(rest / choices.length))
      wishes.push(choices[rest % choices.length] as Wish);
    const wanted = wishes.filter((each) => typeof each === 'number');
    if (new Set(wanted).size === wanted.length) yield wishes;
  }
}

export function fleetOf(hosts: number, names: number) {
  return givenFleet(
    Array.from({ length: hosts }, (_, index) => ({
      id: index + 1,
      name: index < names ? `N${index}` : null,
    })),
  );
}

export function planOf(wishes: readonly Wish[], names: number, deleteFirst = false): Plan {
  const entries = wishes.flatMap((wish, index): readonly GivenEntry[] => {
    const id = index + 1;
    if (wish === 'keep') return [];
    return [wish === 'delete' ? { id, ensure: 'absent' } : { id, name: `N${wish}` }];
  });
  return makePlan({
    desired: givenDesired(entries, noLimits),
    observed: fleetOf(wishes.length, names),
    account: { companyId: '1', service: 'emulator' },
    now: at,
    deleteFirst,
  });
}

/**
 * The fewest renames that give every host its name while no two hosts have one name, found by trying all of them.
 * Deletions come last, so those hosts have names too. Undefined: a host that is not renamed has a name that another one
 * needs.
 */
export function fewestRenames(wishes: readonly Wish[], names: number): number | undefined {
  const spare = names;
  const start = wishes.map((_, index) => (index < names ? index : names + 1 + index));
  const isGoal = (state: readonly number[]) =>
    wishes.every((wish, index) =>
      typeof wish === 'number' ? state[index] === wish : wish === 'delete' || state[index] === start[index],
    );
  let reached = [start];
  const known = new Set([start.join()]);
  for (let calls = 0; reached.length > 0; calls += 1) {
    if (reached.some(isGoal)) return calls;
    const next: number[][] = [];
    for (const state of reached) {
      for (const host of state.keys()) {
        if (wishes[host] === 'keep') continue;
        // A host of its own spare name: which one it is makes no difference.
        const spareOf = spare + 100 + host;
        for (const name of [...Array(names).keys(), spareOf]) {
          if (state.includes(name)) continue;
          const after = state.with(host, name);
          if (known.has(after.join())) continue;
          known.add(after.join());
          next.push(after);
        }
      }
    }
    reached = next;
  }
  return undefined;
}
