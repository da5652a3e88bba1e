import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../../src/core/problem/problem.ts';
import type { FaultRule } from '../../../src/service/emulator/fault.ts';
import { hostId } from '../../given/fleet.ts';
import { fleetWorld, inParallel, numbered } from './fleet-world.ts';
import { type Names, problemsOf, renames, rotation, shuffled } from './operations.ts';

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
  it.each(cases)('%s', async (_, count, intended, calls) => {
    const world = fleetWorld({ hosts: numbered(count + 2) });
    const ops = Object.entries(intended).map(([id, to]) => [id, to] as const);
    if (count === 50) ops.reverse();
    const results = await inParallel(
      10,
      ops.map(
        ([id, to]) =>
          () =>
            world.coordinator.rename(hostId(id), to),
      ),
    );
    expect(problemsOf(results)).toEqual([]);
    expect(world.names()).toMatchObject(intended);
    expect(world.calls()['renameHost'] ?? 0).toBe(calls);
    expect(world.calls()['listHostsWithGroups']).toBe(1);
    expect(world.emulator.requests.filter(({ status }) => status === 409)).toEqual([]);
  });

  it('a rotation of 50 works if 50 arrive at once, in 51 calls', async () => {
    const world = fleetWorld({ hosts: numbered(60) });
    const results = await inParallel(50, renames(world.coordinator, rotation(50)));
    expect(problemsOf(results)).toEqual([]);
    expect(world.names()).toMatchObject(rotation(50));
    expect(world.calls()['renameHost']).toBe(51);
  });
});

function chainBelow(count: number): Names {
  return Object.fromEntries(Array.from({ length: count - 1 }, (_, index) => [index + 1, `h${index + 2}`]));
}

describe('a rotation of 50 that arrives ten at a time', () => {
  it('changes nothing and reports the parallelism that it needs', async () => {
    const world = fleetWorld({ hosts: numbered(60) });
    const before = world.names();
    const start = world.clock.now();
    const results = await inParallel(10, renames(world.coordinator, rotation(50)));
    expect(world.names()).toEqual(before);
    expect(world.calls()['renameHost']).toBeUndefined();
    const problems = problemsOf(results);
    expect(problems).toHaveLength(50);
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['blocked']));
    for (const { hint } of problems) expect(hint).toMatch(/-parallelism=(50|60)\b.*rampart_fleet/);
    expect(problems.at(-1)?.hint).toContain('-parallelism=50, because 50 hosts swap their names');
    expect(world.clock.now() - start).toBeLessThan(60_000);
    expect(problems[0]?.message).toBe(
      'host 1 ("h1") can\'t become "h2" yet: host 2 has the name, and the change of that host is waiting too',
    );
    expect(problems[9]?.message).toBe(
      'host 10 ("h10") can\'t become "h11" yet: host 11 has the name, and no change of that host was requested within 30 s',
    );
    expect(problems[9]?.hint).toBe(
      'if nothing in this configuration renames or deletes host 11, rename or remove it first. If this ' +
        'resource replaces host 11, remove create_before_destroy from its lifecycle block. Otherwise, Terraform sends ' +
        'only a limited number of changes at once (10 by default), and these changes must run together: apply with ' +
        '-parallelism=60, which is enough for all hosts of the account (at least 11 hosts must be renamed together), or ' +
        'manage these hosts with one rampart_fleet',
    );
  });

  it('reports to each concurrent operation what it waits for, in any order of arrival', async () => {
    const world = fleetWorld({ hosts: numbered(50) });
    const ops = renames(world.coordinator, rotation(50)).slice(0, 10).toReversed();
    const problems = problemsOf(await inParallel(10, ops));
    expect(problems.map(({ message }) => message.split(', and ')[1])).toEqual([
      'no change of that host was requested within 30 s',
      ...Array(9).fill('the change of that host is waiting too'),
    ]);
  });

  it('in any order, changes nothing and gives no temporary name', async () => {
    await fc.assert(
      fc.asyncProperty(shuffled(30), async (order) => {
        const world = fleetWorld({ hosts: numbered(30) });
        const before = world.names();
        const ops = renames(world.coordinator, rotation(30));
        const results = await inParallel(
          10,
          order.map((index) => ops[index] as () => Promise<Result<unknown>>),
        );
        expect(world.names()).toEqual(before);
        expect(problemsOf(results)).toHaveLength(30);
        for (const { hint } of problemsOf(results)) expect(hint).toContain('-parallelism=30');
      }),
      { numRuns: 20 },
    );
  });
});

describe('a name that is taken', () => {
  it('by a host that nobody renames ends with the id of that host after a limited wait', async () => {
    const world = fleetWorld({ hosts: numbered(3), maxWaitMs: 5_000 });
    const start = world.clock.now();
    const result = await world.coordinator.rename(hostId(1), 'h3');
    expect(problemsOf([result])).toMatchObject([
      { code: 'blocked', hostIds: ['1', '3'], hint: expect.stringContaining('rename or remove it first') },
    ]);
    expect(world.clock.now() - start).toBeGreaterThanOrEqual(5_000);
    expect(world.calls()['renameHost']).toBeUndefined();
  });

  it('by a host that arrives later is waited for', async () => {
    const world = fleetWorld({ hosts: numbered(2) });
    const first = world.coordinator.rename(hostId(1), 'h2');
    await world.clock.sleep(20_000);
    const second = world.coordinator.rename(hostId(2), 'free');
    expect(problemsOf(await Promise.all([first, second]))).toEqual([]);
    expect(world.names()).toEqual({ 1: 'h2', 2: 'free' });
  });

  it('by a host whose rename is refused ends at once with that host', async () => {
    const world = fleetWorld({ hosts: numbered(2), switches: { maxDescriptionLength: 10 } });
    const start = world.clock.now();
    const [first, second] = await Promise.all([
      world.coordinator.rename(hostId(1), 'h2'),
      world.coordinator.rename(hostId(2), 'much too long a name'),
    ]);
    expect(problemsOf([first])).toMatchObject([{ code: 'step-skipped', hostIds: ['1', '2'] }]);
    expect(problemsOf([second])).toMatchObject([{ code: 'bad-request' }]);
    expect(world.clock.now() - start).toBeLessThan(1_000);
  });

  it('by a new host that no list has shown is found by one more read', async () => {
    const world = fleetWorld({ hosts: numbered(2) });
    await world.session.observed();
    world.emulator.edit({ kind: 'enroll', host: { id: '9', name: 'new' } });
    const result = await world.coordinator.rename(hostId(1), 'new');
    expect(problemsOf([result])).toMatchObject([{ code: 'name-conflict', hostIds: ['1', '9'] }]);
    expect(world.calls()).toEqual({ listHostsWithGroups: 1, renameHost: 1, listHosts: 1 });
  });

  it('by a host that someone gave it since the list, and that will still be renamed, is waited for', async () => {
    const world = fleetWorld({ hosts: numbered(3) });
    await world.session.observed();
    world.emulator.edit({ kind: 'rename', id: '2', name: 'wanted' });
    const results = await Promise.all([
      world.coordinator.rename(hostId(1), 'wanted'),
      world.clock.sleep(1_000).then(() => world.coordinator.rename(hostId(2), 'free')),
    ]);
    expect(problemsOf(results)).toEqual([]);
    expect(world.names()).toMatchObject({ 1: 'wanted', 2: 'free' });
  });

  it('by a host that got it in this run, or by two operations at once, is a duplicate', async () => {
    const world = fleetWorld({ hosts: numbered(3) });
    const [first, second] = await Promise.all([
      world.coordinator.rename(hostId(1), 'same'),
      world.coordinator.rename(hostId(2), 'SAME'),
    ]);
    const third = await world.coordinator.rename(hostId(3), 'same');
    expect(problemsOf([first])).toEqual([]);
    expect(problemsOf([second])).toMatchObject([{ code: 'duplicate-name', hostIds: ['2', '1'] }]);
    expect(problemsOf([third])).toMatchObject([{ code: 'name-conflict', hostIds: ['3', '1'] }]);
  });

  it('by a host that is deleted at the same time is free once that is done', async () => {
    const world = fleetWorld({ hosts: numbered(2) });
    const results = await Promise.all([
      world.coordinator.rename(hostId(1), 'h2'),
      world.coordinator.remove(hostId(2)),
    ]);
    expect(problemsOf(results)).toEqual([]);
    expect(world.names()).toEqual({ 1: 'h2' });
  });

  it('by a host that is deleted after it got the name in this run is free once that is done', async () => {
    const world = fleetWorld({ hosts: numbered(2) });
    await world.coordinator.rename(hostId(2), 'taken');
    const results = await Promise.all([
      world.coordinator.remove(hostId(2)),
      world.coordinator.rename(hostId(1), 'taken'),
    ]);
    expect(problemsOf(results)).toEqual([]);
    expect(world.names()).toEqual({ 1: 'taken' });
  });

  it('by a host whose deletion is refused ends at once with that host', async () => {
    const faults: readonly FaultRule[] = [{ action: 'deleteHosts', effect: { kind: 'status', status: 401 } }];
    const world = fleetWorld({ hosts: numbered(2), faults });
    const start = world.clock.now();
    const [renamed] = await Promise.all([
      world.coordinator.rename(hostId(1), 'h2'),
      world.coordinator.remove(hostId(2)),
    ]);
    expect(problemsOf([renamed])).toMatchObject([{ code: 'step-skipped', hostIds: ['1', '2'] }]);
    expect(world.clock.now() - start).toBeLessThan(1_000);
  });

  it('by a host that someone renames is free once any read has shown it', async () => {
    const world = fleetWorld({ hosts: numbered(2) });
    const renamed = world.coordinator.rename(hostId(1), 'h2');
    await world.clock.sleep(1_000);
    world.emulator.edit({ kind: 'rename', id: '2', name: 'away' });
    await world.session.reread.names();
    expect(problemsOf([await renamed])).toEqual([]);
    expect(world.names()).toEqual({ 1: 'h2', 2: 'away' });
  });

  it('by a host whose rename takes longer than the wait is waited for', async () => {
    const faults: readonly FaultRule[] = [
      { action: 'renameHost', nth: 1, effect: { kind: 'slow-reply', ms: 120_000 } },
    ];
    const world = fleetWorld({ hosts: numbered(2), faults });
    const results = await Promise.all([
      world.coordinator.rename(hostId(1), 'h2'),
      world.coordinator.rename(hostId(2), 'free'),
    ]);
    expect(problemsOf(results)).toEqual([]);
  });
});
