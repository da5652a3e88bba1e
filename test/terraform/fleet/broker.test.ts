import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../src/problem/problem.ts';
import type { Result } from '../../../src/problem/result.ts';
import { type Broker } from '../../../src/terraform/fleet/broker.ts';
import { hostId } from '../../given/fleet.ts';
import { fleetWorld, inParallel, numbered } from './fleet-world.ts';

type Names = Readonly<Record<number, string>>;

/** Host n gets the name of host n + 1, the last that of the first. */
function rotation(count: number): Names {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [index + 1, `h${((index + 1) % count) + 1}`]),
  );
}

function renames(broker: Broker, names: Names): readonly (() => Promise<Result<unknown>>)[] {
  return Object.entries(names).map(
    ([id, to]) =>
      () =>
        broker.rename(hostId(id), to),
  );
}

function problemsOf(results: readonly Result<unknown>[]): readonly Problem[] {
  return results.flatMap((result) => (result.ok ? [] : result.problems));
}

describe('renames that Terraform sends ten at a time', () => {
  const cases: readonly [string, number, Names, number][] = [
    ['a free name', 1, { 1: 'new' }, 1],
    ['a name that it has already', 1, { 1: 'h1' }, 0],
    ['a swap', 2, { 1: 'h2', 2: 'h1' }, 3],
    ['a chain, head first', 4, { 1: 'h2', 2: 'h3', 3: 'h4', 4: 'free' }, 4],
    ['a chain, tail first', 4, { 4: 'free', 3: 'h4', 2: 'h3', 1: 'h2' }, 4],
    ['a rotation of 8', 8, rotation(8), 9],
    ['a rotation of 10', 10, rotation(10), 11],
    ['two rotations at once', 6, { 1: 'h2', 2: 'h3', 3: 'h1', 4: 'h5', 5: 'h6', 6: 'h4' }, 8],
    ['a swap in other letters', 2, { 1: 'H2', 2: 'H1' }, 3],
    ['other letters of its own name', 1, { 1: 'H1' }, 1],
    ['a chain of 50 whose tail comes first', 50, { 50: 'free', ...chainBelow(50) }, 50],
  ];
  it.each(cases)('%s', async (_, count, wanted, calls) => {
    const world = fleetWorld({ hosts: numbered(count + 2) });
    const ops = Object.entries(wanted).map(([id, to]) => [id, to] as const);
    if (count === 50) ops.reverse();
    const results = await inParallel(
      10,
      ops.map(
        ([id, to]) =>
          () =>
            world.broker.rename(hostId(id), to),
      ),
    );
    expect(problemsOf(results)).toEqual([]);
    expect(world.names()).toMatchObject(wanted);
    expect(world.calls()['renameHost'] ?? 0).toBe(calls);
    expect(world.calls()['listHostsWithGroups']).toBe(1);
    expect(world.emulator.requests.filter(({ status }) => status === 409)).toEqual([]);
  });

  it('a rotation of 50 works where 50 come at once, in 51 calls', async () => {
    const world = fleetWorld({ hosts: numbered(60) });
    const results = await inParallel(50, renames(world.broker, rotation(50)));
    expect(problemsOf(results)).toEqual([]);
    expect(world.names()).toMatchObject(rotation(50));
    expect(world.calls()['renameHost']).toBe(51);
  });
});

function chainBelow(count: number): Names {
  return Object.fromEntries(Array.from({ length: count - 1 }, (_, index) => [index + 1, `h${index + 2}`]));
}

describe('a rotation of 50 that comes ten at a time', () => {
  it('changes nothing and names the parallelism that it needs', async () => {
    const world = fleetWorld({ hosts: numbered(60) });
    const before = world.names();
    const start = world.clock.now();
    const results = await inParallel(10, renames(world.broker, rotation(50)));
    expect(world.names()).toEqual(before);
    expect(world.calls()['renameHost']).toBeUndefined();
    const problems = problemsOf(results);
    expect(problems).toHaveLength(50);
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['blocked']));
    for (const { hint } of problems) expect(hint).toMatch(/-parallelism=(50|60)\b.*rampart_fleet/);
    expect(problems.at(-1)?.hint).toContain('-parallelism=50, for the 50 hosts of this circle');
    expect(world.clock.now() - start).toBeLessThan(60_000);
    expect(problems[0]).toMatchInlineSnapshot(`
      {
        "code": "blocked",
        "hint": "Terraform sends only as many changes at once as its parallelism allows (10), and hosts that pass names on to one another have to come together: apply with -parallelism=60, which is enough for any of the account's 60 hosts (at least 11 belong together here), or describe these hosts in one rampart_fleet. If nothing renames or deletes host 2, it keeps the name: rename or remove it first",
        "hostIds": [
          "1",
          "2",
        ],
        "message": "host 1 ("h1") can't become "h2" yet: host 2 has the name, and the change of that host waits itself",
        "severity": "error",
      }
    `);
    expect(problems.at(-1)).toMatchInlineSnapshot(`
      {
        "code": "blocked",
        "hint": "Terraform sends only as many changes at once as its parallelism allows (10), and hosts that pass names on to one another have to come together: apply with -parallelism=50, for the 50 hosts of this circle, or describe these hosts in one rampart_fleet. If nothing renames or deletes host 1, it keeps the name: rename or remove it first",
        "hostIds": [
          "50",
          "1",
        ],
        "message": "host 50 ("h50") can't become "h1" yet: host 1 has the name, and the change of that host has waited in vain before",
        "severity": "error",
      }
    `);
  });
});
