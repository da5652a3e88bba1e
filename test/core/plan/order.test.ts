import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldName } from '../../../src/core/model/host-name.ts';
import { readTemporaryName } from '../../../src/core/model/temporary-name.ts';
import { type OrderedRename, orderRenames } from '../../../src/core/plan/ordering/order.ts';
import { casesOf } from '../../given/cases.ts';
import { givenFleet, hostId, named } from '../../given/fleet.ts';

/** Renames that send each name to another one, some to fresh names. */
const permutations = fc.integer({ min: 2, max: 30 }).chain((size) =>
  fc.record({
    order: fc.shuffledSubarray([...Array(size).keys()], { minLength: size, maxLength: size }),
    fresh: fc.subarray([...Array(size).keys()], { maxLength: Math.min(3, size) }),
  }),
);

function orderOf(order: readonly number[], fresh: readonly number[], isOneEach = false) {
  const fleet = givenFleet(order.map((_, index) => ({ id: index + 1, name: `h${index}` })));
  const renames = order.flatMap((target, index) => {
    if (target === index && !fresh.includes(index)) return [];
    const to = fresh.includes(index) ? `fresh-${index}` : `h${target}`;
    const host = fleet.byId(hostId(index + 1));
    return host === undefined ? [] : [{ host, to }];
  });
  const ordering = orderRenames({
    renames,
    ownersOf: (folded) => fleet.byFoldedName(folded),
    isOneEach,
    isToBeDeleted: () => false,
    planned: new Set(renames.map(({ to }) => to)),
    deleteFirst: false,
  });
  return { fleet, ordering };
}

/** The first step of each host, which frees its name. */
function firstSteps(steps: readonly OrderedRename[]): ReadonlyMap<string, OrderedRename> {
  const first = new Map<string, OrderedRename>();
  for (const step of steps) if (!first.has(step.host.id)) first.set(step.host.id, step);
  return first;
}

describe('the order of renames', () => {
  it('says for each step why it is there, and which hosts it waits for', () => {
    const told = ({ steps }: ReturnType<typeof orderRenames>) =>
      steps.map((step) => [
        step.kind,
        step.host.id,
        ...(step.kind === 'rename'
          ? step.waitsFor
          : [step.why, step.finalName, readTemporaryName(step.to)?.kind]),
      ]);
    expect(told(orderOf([1, 0], []).ordering)).toEqual([
      ['temporary-rename', '1', 'cycle', 'h1', 'rename'],
      ['rename', '2', '1'],
      ['rename', '1', '1', '2'],
    ]);
    const fleet = givenFleet(named('A', 'a', 'B'));
    const nameOf = (id: number, to: string) => {
      const host = fleet.byId(hostId(id));
      if (host === undefined) throw new Error('no host');
      return { host, to };
    };
    const order = (...renames: readonly ReturnType<typeof nameOf>[]) =>
      orderRenames({
        renames,
        ownersOf: (folded) => fleet.byFoldedName(folded),
        isToBeDeleted: (id) => id === hostId(1),
        planned: new Set(),
        deleteFirst: false,
      });
    expect(told(order(nameOf(3, 'A'), nameOf(2, 'X')))).toEqual([
      ['rename', '2'],
      ['temporary-rename', '1', 'deletion', 'A', 'deletion'],
      ['rename', '3', '2', '1'],
    ]);
    // Host 2 keeps its name, in another letter case.
    const { nameConflicts } = order(nameOf(3, 'A'), nameOf(2, 'A'));
    expect(nameConflicts.map(({ rename, owner }) => [rename.host.id, owner.id])).toEqual([['3', '2']]);
  });

  it('is valid in every order that respects the dependencies of steps', () => {
    fc.assert(
      fc.property(permutations, fc.infiniteStream(fc.nat()), ({ order, fresh }, dice) => {
        const { fleet, ordering } = orderOf(order, fresh);
        fc.pre(ordering.nameConflicts.length === 0);
        const first = firstSteps(ordering.steps);
        const names = new Map(ordering.steps.map(({ host }) => [host.id, host.name]));
        const others = new Set(
          Array.from({ length: fleet.count }, (_, i) => fleet.at(i))
            .filter((h) => !names.has(h.id))
            .map((h) => h.name),
        );
        const done = new Set<OrderedRename>();
        let left = [...ordering.steps];
        while (left.length > 0) {
          const ready = left.filter(
            (step) =>
              step.kind === 'temporary-rename' ||
              step.waitsFor.every((id) => done.has(first.get(id) as OrderedRename)),
          );
          expect(ready.length).toBeGreaterThan(0);
          const step = ready[(dice.next().value as number) % ready.length] as OrderedRename;
          const held = [...names].some(
            ([id, name]) => id !== step.host.id && foldName(name ?? '') === foldName(step.to),
          );
          expect(held || others.has(step.to)).toBe(false);
          expect(names.get(step.host.id)).toBe(step.from);
          names.set(step.host.id, step.to);
          done.add(step);
          left = left.filter((each) => each !== step);
        }
      }),
      casesOf(400),
    );
  });

  it('does not change if each name is known to have one owner', () => {
    fc.assert(
      fc.property(permutations, ({ order, fresh }) => {
        const { ordering } = orderOf(order, fresh);
        expect(orderOf(order, fresh, true).ordering).toEqual(ordering);
        expect(ordering.temporaryRenames).toBe(
          ordering.steps.filter(({ kind }) => kind === 'temporary-rename').length,
        );
        expect(ordering.cycles).toBe(
          ordering.steps.filter((step) => step.kind === 'temporary-rename' && step.why === 'cycle').length,
        );
      }),
      casesOf(400),
    );
  });
});
