import { describe, expect, it } from 'vitest';
import { ungroupedId } from '../../../src/core/model/observed.ts';
import { groupId, hostId } from '../../given/fleet.ts';
import { fleetWorld, inParallel, numbered } from './fleet-world.ts';
import { problemsOf, rotation } from './operations.ts';

const groups = { 10: 'Berlin', 11: 'Kiosks' };

describe('a host that someone else has changed since the plan', () => {
  it('is not renamed, and the problem has both names', async () => {
    const world = fleetWorld({ hosts: numbered(2) });
    const renamed = await world.coordinator.rename(hostId(1), 'new', { planned: { name: 'as-planned' } });
    expect(problemsOf([renamed])).toMatchObject([
      {
        code: 'stale-plan',
        hostIds: ['1'],
        message: expect.stringContaining(
          'host 1 since the plan: its name was "as-planned" in the plan, and its name is "h1" now',
        ),
      },
    ]);
    expect(world.calls()).toEqual({ listHostsWithGroups: 1 });
  });

  it('is not renamed if it had a name, or has one now', async () => {
    const world = fleetWorld({ hosts: [{ id: '1', name: null }, ...numbered(2).slice(1)] });
    const renamed = await Promise.all([
      world.coordinator.rename(hostId(1), 'new', { planned: { name: 'h1' } }),
      world.coordinator.rename(hostId(2), 'newer', { planned: { name: null } }),
    ]);
    expect(problemsOf(renamed).map(({ message }) => message.split(': ')[1])).toEqual([
      'its name was "h1" in the plan, and it has no name now',
      'it had no name in the plan, and its name is "h2" now',
    ]);
  });

  it('is not moved, and the problem has both groups', async () => {
    const hosts = [
      { id: '1', name: 'h1', groupId: '10' },
      { id: '2', name: 'h2', groupId: '99' },
      { id: '3', name: 'h3' },
    ];
    const world = fleetWorld({ hosts, groups });
    const moved = await Promise.all([
      world.coordinator.move(hostId(1), groupId(11), { planned: { groupId: ungroupedId } }),
      world.coordinator.move(hostId(2), groupId(11), { planned: { groupId: groupId(10) } }),
      world.coordinator.move(hostId(3), groupId(11), { planned: { groupId: groupId(10) } }),
    ]);
    expect(problemsOf(moved).map(({ message }) => message.split(': ')[1])).toEqual([
      'it was in no group in the plan, and is in "Berlin" now',
      'it was in "Berlin" in the plan, and is in group 99 now',
      'it was in "Berlin" in the plan, and is in no group now',
    ]);
    expect(world.calls()).toEqual({ listHostsWithGroups: 1 });
  });

  it('is not deleted because of its new name or group, and the others of the call are', async () => {
    const world = fleetWorld({ hosts: numbered(4), groups });
    const here = { groupId: ungroupedId };
    const removed = await Promise.all([
      world.coordinator.remove(hostId(1), { planned: { ...here, name: 'other' } }),
      world.coordinator.remove(hostId(2), { planned: { name: 'h2', groupId: groupId(10) } }),
      world.coordinator.remove(hostId(3), { planned: { ...here, name: 'h3' } }),
    ]);
    expect(removed.map(({ ok }) => ok)).toEqual([false, false, true]);
    expect(Object.keys(world.names())).toEqual(['1', '2', '4']);
  });

  it('is not renamed either if a later read shows the change while the rename waits for its name', async () => {
    const world = fleetWorld({ hosts: numbered(3) });
    const waiting = world.coordinator.rename(hostId(1), 'h2', { planned: { name: 'h1' } });
    await world.clock.sleep(1000);
    world.emulator.edit({ kind: 'rename', id: '1', name: 'by-hand' });
    await world.session.observed({ maxAgeMs: 0 });
    expect(problemsOf([await waiting])).toMatchObject([{ code: 'stale-plan' }]);
    expect(world.names()).toMatchObject({ 1: 'by-hand' });
  });
});

describe('a host that is as planned, or as we changed it since', () => {
  it('needs no call if someone else has done it', async () => {
    const world = fleetWorld({ hosts: [{ id: '1', name: 'new', groupId: '10' }], groups });
    const done = await Promise.all([
      world.coordinator.rename(hostId(1), 'new', { planned: { name: 'old' } }),
      world.coordinator.move(hostId(1), groupId(10), { planned: { groupId: ungroupedId } }),
    ]);
    expect(problemsOf(done)).toEqual([]);
    expect(world.calls()).toEqual({ listHostsWithGroups: 1 });
  });

  it('is still moved and renamed if calls of this run changed it before', async () => {
    const world = fleetWorld({ hosts: numbered(2), groups });
    const planned = { name: 'h1', groupId: ungroupedId };
    await world.coordinator.rename(hostId(1), 'ours');
    await world.coordinator.move(hostId(1), groupId(10));
    const done = [
      await world.coordinator.rename(hostId(1), 'on', { planned }),
      await world.coordinator.move(hostId(1), groupId(11), { planned }),
      await world.coordinator.remove(hostId(1), { planned }),
    ];
    expect(problemsOf(done)).toEqual([]);
    expect(Object.keys(world.names())).toEqual(['2']);
  });

  it('takes part in a cycle with our temporary name, even if the response to that call is lost', async () => {
    for (const nth of [1, 2, 3]) {
      const world = fleetWorld({
        hosts: numbered(3),
        faults: [{ action: 'renameHost', nth, effect: { kind: 'drop', when: 'after' } }],
      });
      const intended = rotation(3);
      const operations = Object.entries(intended).map(
        ([id, to]) =>
          () =>
            world.coordinator.rename(hostId(id), to, { planned: { name: `h${id}` } }),
      );
      expect(problemsOf(await inParallel(10, operations))).toEqual([]);
      expect(world.names()).toEqual(intended);
    }
  });
});

it('a deletion relies on no list that is older than a minute', async () => {
  const world = fleetWorld({ hosts: numbered(3) });
  await world.session.observed();
  await world.clock.sleep(61_000);
  world.emulator.edit({ kind: 'rename', id: '1', name: 'in-use-again' });
  const removed = await world.coordinator.remove(hostId(1), {
    planned: { name: 'h1', groupId: ungroupedId },
  });
  expect(problemsOf([removed])).toMatchObject([{ code: 'stale-plan' }]);
  expect(world.calls()).toEqual({ listHostsWithGroups: 2 });
});
