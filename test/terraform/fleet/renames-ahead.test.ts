import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../../src/core/problem/problem.ts';
import type { FaultRule } from '../../../src/service/emulator/fault.ts';
import type { PlannedRename } from '../../../src/terraform/fleet/plan-record.ts';
import { hostId } from '../../given/fleet.ts';
import { fleetWorld, inParallel, numbered } from './fleet-world.ts';
import { type Names, problemsOf, renames, rotation, shuffled } from './operations.ts';

/** A plan that gives hosts 1 to n, called h1 to hn, these names. */
function planOf(names: Names): Readonly<Record<string, PlannedRename>> {
  return Object.fromEntries(
    Object.entries(names).map(([id, to]) => [id, { hostId: hostId(id), from: `h${id}`, to }]),
  );
}

describe('renames of a known plan that Terraform requests ten at a time', () => {
  it('make a rotation of 60 in any order, with one temporary rename and one call for each host', async () => {
    const names = rotation(60);
    await fc.assert(
      fc.asyncProperty(shuffled(60), async (order) => {
        const world = fleetWorld({ hosts: numbered(60), planned: planOf(names) });
        const ops = renames(world.coordinator, names);
        const results = await inParallel(
          10,
          order.map((index) => ops[index] as () => Promise<Result<unknown>>),
        );
        expect(problemsOf(results)).toEqual([]);
        expect(world.names()).toEqual(names);
        expect(world.calls()['renameHost']).toBe(61);
      }),
      { numRuns: 10 },
    );
  });

  it('wait for Terraform first, so that its order is kept if possible', async () => {
    const names: Names = { 1: 'h2', 2: 'free' };
    const world = fleetWorld({ hosts: numbered(2), planned: planOf(names) });
    const first = world.coordinator.rename(hostId(1), 'h2');
    await world.clock.sleep(500);
    expect(world.calls()['renameHost']).toBeUndefined();
    await world.clock.sleep(1000);
    expect(world.names()).toEqual({ 1: 'h2', 2: 'free' });
    expect(problemsOf([await first, await world.coordinator.rename(hostId(2), 'free')])).toEqual([]);
    expect(world.calls()['renameHost']).toBe(2);
  });

  it('do not touch a host that the plan does not rename', async () => {
    const names: Names = { 1: 'h2', 2: 'h3' };
    const world = fleetWorld({ hosts: numbered(3), planned: planOf(names), maxWaitMs: 5000 });
    const before = world.names();
    const result = await world.coordinator.rename(hostId(1), 'h2');
    expect(problemsOf([result])).toMatchObject([{ code: 'blocked', hostIds: ['1', '2'] }]);
    expect(world.names()).toEqual(before);
  });

  it('do not touch a host that someone has renamed since the plan', async () => {
    const names: Names = { 1: 'wanted', 2: 'free' };
    const world = fleetWorld({ hosts: numbered(2), planned: planOf(names), maxWaitMs: 5000 });
    await world.session.observed();
    world.emulator.edit({ kind: 'rename', id: '2', name: 'wanted' });
    const result = await world.coordinator.rename(hostId(1), 'wanted');
    expect(problemsOf([result])).toMatchObject([{ code: 'blocked', hostIds: ['1', '2'] }]);
    expect(world.names()).toEqual({ 1: 'h1', 2: 'wanted' });
  });

  it('of a host whose own operation later requests another name end with that name', async () => {
    const world = fleetWorld({ hosts: numbered(2), planned: planOf({ 1: 'h2', 2: 'free' }) });
    const first = world.coordinator.rename(hostId(1), 'h2', { planned: { name: 'h1' } });
    await world.clock.sleep(2000);
    const second = world.coordinator.rename(hostId(2), 'other', { planned: { name: 'h2' } });
    expect(problemsOf(await Promise.all([first, second]))).toEqual([]);
    expect(world.names()).toEqual({ 1: 'h2', 2: 'other' });
  });

  it('that the service refuses fail for the operation that needs them, and for their own', async () => {
    const faults: readonly FaultRule[] = [
      { action: 'renameHost', nth: 1, effect: { kind: 'status', status: 400 } },
    ];
    const world = fleetWorld({ hosts: numbered(2), faults, planned: planOf({ 1: 'h2', 2: 'free' }) });
    const first = await world.coordinator.rename(hostId(1), 'h2');
    const second = await world.coordinator.rename(hostId(2), 'free');
    expect(problemsOf([first])).toMatchObject([{ code: 'step-skipped', hostIds: ['1', '2'] }]);
    expect(problemsOf([second])).toMatchObject([{ code: 'bad-request' }]);
    expect(world.calls()['renameHost']).toBe(1);
  });
});
