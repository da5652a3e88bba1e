import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src/emulator/fault.ts';
import type { Result } from '../../../src/problem/result.ts';
import type { Broker } from '../../../src/terraform/fleet/broker.ts';
import { groupId, hostId } from '../../given/fleet.ts';
import { fleetWorld, inParallel, numbered } from './fleet-world.ts';
import { problemsOf, shuffled } from './operations.ts';

const reorganisation = fc.integer({ min: 1, max: 12 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    targets: shuffled(count),
    fates: fc.array(fc.constantFrom('permute', 'permute', 'permute', 'fresh', 'delete'), {
      minLength: count,
      maxLength: count,
    }),
    order: shuffled(count),
    parallelism: fc.integer({ min: count, max: count + 3 }),
    seed: fc.option(fc.nat(), { nil: undefined }),
  }),
);

/** What lost replies and broken connections end in, for a call and for those that wait for it. */
const ofTrouble = ['network', 'server-error', 'step-unknown', 'step-skipped', 'blocked', 'interrupted'];

describe('any reorganisation', () => {
  it('of as many hosts as come at once ends as it is wanted, and no call takes a name that is held', async () => {
    await fc.assert(
      fc.asyncProperty(reorganisation, async ({ count, targets, fates, order, parallelism, seed }) => {
        const world = fleetWorld({
          hosts: numbered(count + 3),
          faults: seed === undefined ? [] : troubles(seed),
        });
        const before = world.names();
        const wanted = wishesOf(targets, fates);
        const results = await inParallel(
          parallelism,
          order.map((index) => {
            const id = hostId(index + 1);
            const to = wanted[index];
            return async () => (to === undefined ? world.broker.remove(id) : world.broker.rename(id, to));
          }),
        );
        const problems = problemsOf(results);
        const now = world.names();
        // A call whose replies are lost again and again is told of as such; nothing else may go wrong.
        if (seed !== undefined && problems.length > 0) {
          expect(ofTrouble).toEqual(expect.arrayContaining(problems.map(({ code }) => code)));
        } else {
          expect(problems).toEqual([]);
          for (const [index, to] of wanted.entries()) expect(now[index + 1]).toBe(to);
        }
        for (const id of [1, 2, 3].map((each) => count + each)) expect(now[id]).toBe(before[id]);
        expect(world.emulator.requests.filter(({ status }) => status === 409)).toEqual([]);
        if (seed === undefined) expect(world.calls()['renameHost'] ?? 0).toBe(fewestRenames(wanted));
      }),
      { numRuns: 150 },
    );
  });
});

describe('any reorganisation that comes only so many at a time', () => {
  it('parks nobody, ends each host as it was or as it is wanted, and lands when all come at once', async () => {
    await fc.assert(
      fc.asyncProperty(reorganisation, fc.integer({ min: 1, max: 5 }), async (given, parallelism) => {
        const { count, targets, fates, order } = given;
        const world = fleetWorld({ hosts: numbered(count) });
        const wanted = wishesOf(targets, fates);
        const apply = (broker: Broker, width: number) =>
          inParallel(
            width,
            order.map((index) => {
              const id = hostId(index + 1);
              const to = wanted[index];
              return async (): Promise<Result<unknown>> =>
                to === undefined ? broker.remove(id) : broker.rename(id, to);
            }),
          );
        const first = await apply(world.broker, parallelism);
        const now = world.names();
        for (const [position, index] of order.entries()) {
          const succeeded = first[position]?.ok === true;
          expect(now[index + 1]).toBe(succeeded ? wanted[index] : `h${index + 1}`);
        }
        expect(problemsOf(await apply(world.start().broker, count))).toEqual([]);
        for (const [index, to] of wanted.entries()) expect(world.names()[index + 1]).toBe(to);
      }),
      { numRuns: 150 },
    );
  });
});

/** Undefined: to be deleted. Hosts that permute take one another's names. */
function wishesOf(targets: readonly number[], fates: readonly string[]): readonly (string | undefined)[] {
  const permuted = targets.filter((index) => fates[index] === 'permute');
  const sorted = permuted.toSorted((a, b) => a - b);
  return fates.map((fate, index) => {
    if (fate === 'delete') return undefined;
    return fate === 'fresh' ? `fresh-${index}` : `h${(permuted[sorted.indexOf(index)] ?? 0) + 1}`;
  });
}

function fewestRenames(wanted: readonly (string | undefined)[]): number {
  const indexOf = (name: string) => Number(name.slice(1)) - 1;
  const seen = new Set<number>();
  let calls = 0;
  for (const [start, to] of wanted.entries()) {
    if (to === undefined || to === `h${start + 1}`) continue;
    calls += 1;
    const path: number[] = [];
    for (let at = start; !seen.has(at); at = indexOf(wanted[at] as string)) {
      seen.add(at);
      path.push(at);
      const next = wanted[at];
      if (next === undefined || !/^h\d+$/.test(next)) break;
      if (path.includes(indexOf(next))) calls += 1;
    }
  }
  return calls;
}

function troubles(seed: number): readonly FaultRule[] {
  return [
    { action: 'writes', probability: 0.1, seed, effect: { kind: 'drop', when: 'after' } },
    { action: 'writes', probability: 0.1, seed: seed + 1, effect: { kind: 'drop', when: 'before' } },
    { action: 'writes', probability: 0.1, seed: seed + 2, effect: { kind: 'rate-limit', retryDelay: 1 } },
  ];
}

it('1,000 operations over 10 workers: chains, swaps, moves and deletions, in the fewest renames', async () => {
  const world = fleetWorld({ hosts: numbered(1_000), groups: { 10: 'Berlin' } });
  const { broker } = world;
  const ops = Array.from({ length: 1_000 }, (_, index) => {
    const id = hostId(index + 1);
    switch (index % 4) {
      case 0:
        return () => broker.rename(id, `h${index + 2}`);
      case 1:
        return () => broker.rename(id, `h${index}`);
      case 2:
        return () => broker.move(id, groupId(10));
      default:
        return () => broker.remove(id);
    }
  });
  const results = await inParallel<Result<unknown>>(10, ops);
  expect(problemsOf(results)).toEqual([]);
  expect(world.calls()).toMatchObject({ listHostsWithGroups: 1, renameHost: 750 });
  expect(world.emulator.state().hosts).toHaveLength(750);
  expect(world.calls()['moveHosts']).toBeLessThan(150);
  expect(world.calls()['deleteHosts']).toBeLessThan(150);
});
