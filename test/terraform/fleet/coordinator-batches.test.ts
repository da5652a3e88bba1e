import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src/service/emulator/fault.ts';
import type { HostParts } from '../../../src/service/emulator/fleet-state.ts';
import { groupId, hostId } from '../../given/fleet.ts';
import { fleetWorld, inParallel, numbered } from './fleet-world.ts';
import { problemsOf } from './operations.ts';

describe('moves and deletions', () => {
  const groups = { 10: 'Berlin', 11: 'Munich' };

  it('that arrive together share one call for each group, and one for deletions', async () => {
    const world = fleetWorld({ hosts: numbered(9), groups });
    const { coordinator } = world;
    const results = await Promise.all([
      ...[1, 2, 3].map((id) => coordinator.move(hostId(id), groupId(10))),
      ...[4, 5].map((id) => coordinator.move(hostId(id), groupId(11))),
      ...[6, 7, 8].map((id) => coordinator.remove(hostId(id))),
    ]);
    expect(problemsOf(results)).toEqual([]);
    expect(world.calls()).toEqual({ listHostsWithGroups: 1, moveHosts: 2, deleteHosts: 1 });
    expect(world.emulator.state().hosts.map(({ id, groupId: group }) => [id, group])).toEqual([
      ['1', '10'],
      ['2', '10'],
      ['3', '10'],
      ['4', '11'],
      ['5', '11'],
      ['9', '-1'],
    ]);
  });

  it('that are done already send nothing', async () => {
    const world = fleetWorld({ hosts: [{ id: '1', name: 'a', groupId: '10' }], groups });
    const results = await Promise.all([
      world.coordinator.move(hostId(1), groupId(10)),
      world.coordinator.remove(hostId(7)),
    ]);
    expect(problemsOf(results)).toEqual([]);
    expect(world.calls()).toEqual({ listHostsWithGroups: 1 });
  });

  it.each([true, false])('one missing host fails alone (the 400 names it: %s)', async (badIdsNamed) => {
    const world = fleetWorld({ hosts: numbered(6), groups, switches: { badIdsNamed } });
    await world.session.observed();
    world.emulator.edit({ kind: 'delete', id: '3' });
    const moved = await Promise.all(
      [1, 2, 3, 4].map((id) => world.coordinator.move(hostId(id), groupId(10))),
    );
    expect(moved.map(({ ok }) => ok)).toEqual([true, true, false, true]);
    world.emulator.edit({ kind: 'delete', id: '5' });
    const removed = await Promise.all([4, 5, 6].map((id) => world.coordinator.remove(hostId(id))));
    expect(removed.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(world.names()).toEqual({ 1: 'h1', 2: 'h2' });
  });

  it('that an empty list does not show are not counted as done', async () => {
    const world = fleetWorld({ hosts: [], groups });
    const removed = await world.coordinator.remove(hostId(1), { planned: { name: 'h1' } });
    expect([removed.ok, JSON.stringify(removed.problems)]).toEqual([
      false,
      expect.stringContaining('the list has no hosts, so it does not show whether host 1 was deleted'),
    ]);
  });

  it('survive lost responses', async () => {
    const faults: readonly FaultRule[] = [
      { action: ['moveHosts', 'deleteHosts'], nth: 1, effect: { kind: 'drop', when: 'after' } },
    ];
    const world = fleetWorld({ hosts: numbered(3), groups, faults });
    const results = await Promise.all([
      world.coordinator.move(hostId(1), groupId(10)),
      world.coordinator.remove(hostId(2)),
    ]);
    expect(problemsOf(results)).toEqual([]);
    expect(world.calls()).toMatchObject({ moveHosts: 1, deleteHosts: 1 });
  });

  it('of one host to two groups at once is an error that names it', async () => {
    const world = fleetWorld({ hosts: numbered(1), groups });
    const results = await Promise.all([
      world.coordinator.move(hostId(1), groupId(10)),
      world.coordinator.move(hostId(1), groupId(11)),
    ]);
    expect(problemsOf(results)).toMatchObject([{ code: 'host-claimed-twice', hostIds: ['1'] }]);
  });

  it('leave out operations that are cancelled before they are sent', async () => {
    const world = fleetWorld({ hosts: numbered(2), groups });
    const stop = new AbortController();
    const moves = Promise.all([
      world.coordinator.move(hostId(1), groupId(10), { signal: stop.signal }),
      world.coordinator.move(hostId(2), groupId(10)),
    ]);
    await world.clock.sleep(25);
    stop.abort();
    expect((await moves).map(({ ok }) => ok)).toEqual([false, true]);
    expect(world.emulator.state().hosts.map((host) => host.groupId)).toEqual(['-1', '10']);
  });

  it('wait while more arrive, but not forever', async () => {
    const world = fleetWorld({ hosts: numbered(40), groups });
    await world.session.observed();
    const moves = numbered(40).map(async ({ id }, index) => {
      await world.clock.sleep(30 * index);
      return world.coordinator.move(hostId(id), groupId(10));
    });
    expect(problemsOf(await Promise.all(moves))).toEqual([]);
    expect(world.calls()['moveHosts']).toBe(3);
  });

  it('of ten workers are sent in tens, no matter how slowly the next ones arrive', async () => {
    const world = fleetWorld({ hosts: numbered(100), groups });
    await world.session.observed();
    let turn = Promise.resolve();
    const results = await inParallel(
      10,
      numbered(100).map(({ id }, index) => async () => {
        // The first ten come at once; later each is sent only when the state of the one before was written.
        turn = turn.then(() => world.clock.sleep(index < 10 ? 0 : 200));
        await turn;
        return world.coordinator.move(hostId(id), groupId(10));
      }),
    );
    expect(problemsOf(results)).toEqual([]);
    expect(world.calls()['moveHosts']).toBe(10);
  });

  it('of one operation count once, so that those of another are not waited for', async () => {
    const world = fleetWorld({ hosts: numbered(60), groups });
    const { signal } = new AbortController();
    const members = numbered(50).map(({ id }) => world.coordinator.move(hostId(id), groupId(10), { signal }));
    expect(problemsOf(await Promise.all(members))).toEqual([]);
    const start = world.clock.now();
    await world.coordinator.move(hostId(51), groupId(10));
    expect(world.clock.now() - start).toBeLessThan(50);
    expect(world.calls()['moveHosts']).toBe(2);
  });

  it('that arrive one after another are not delayed repeatedly', async () => {
    const world = fleetWorld({ hosts: numbered(30), groups });
    await inParallel(
      10,
      numbered(10).map(
        ({ id }) =>
          () =>
            world.coordinator.move(hostId(id), groupId(10)),
      ),
    );
    const start = world.clock.now();
    for (const { id } of numbered(30).slice(10)) await world.coordinator.move(hostId(id), groupId(10));
    expect(world.clock.now() - start).toBeLessThan(2_000);
  });

  it('to a group that does not exist fail with the response of the service', async () => {
    const world = fleetWorld({ hosts: numbered(2), groups });
    const results = await Promise.all([1, 2].map((id) => world.coordinator.move(hostId(id), groupId(99))));
    expect(problemsOf(results).map(({ code }) => code)).toEqual(['bad-request', 'bad-request']);
  });
});

describe('anti-virus installs', () => {
  const hosts: readonly HostParts[] = [
    { id: '1', name: 'a' },
    { id: '2', name: 'b', antivirus: { installed: true } },
    { id: '3', name: 'c', antivirus: { supported: false } },
    { id: '4', name: 'd' },
  ];

  it('are requested in one call if the list shows none, and never twice', async () => {
    const world = fleetWorld({ hosts });
    const results = await Promise.all(
      [1, 2, 3, 4].map((id) => world.coordinator.installAntivirus(hostId(id))),
    );
    expect(results.map((result) => (result.ok ? result.value : result.problems[0]?.code))).toEqual([
      'asked',
      'installed',
      'antivirus-unsupported',
      'asked',
    ]);
    const list = await world.session.antivirus();
    expect(list.ok && list.value.facts.get(hostId(1))?.installed).toBe(true);
    await world.coordinator.installAntivirus(hostId(1));
    expect(world.calls()).toMatchObject({ installAntivirus: 1, listAntivirusDetails: 2 });
    expect([...world.emulator.installs.values()]).toEqual([1, 1]);
  });

  it('are not repeated after a lost response that no list explains', async () => {
    const faults: readonly FaultRule[] = [
      { action: 'installAntivirus', nth: 1, effect: { kind: 'drop', when: 'after' } },
    ];
    const world = fleetWorld({ hosts, faults, switches: { installTakesMs: 3_600_000 } });
    const [first] = [await world.coordinator.installAntivirus(hostId(1))];
    const second = await world.coordinator.installAntivirus(hostId(1));
    expect([first.ok, second.ok]).toEqual([false, false]);
    expect(world.calls()['installAntivirus']).toBe(1);
  });
});
