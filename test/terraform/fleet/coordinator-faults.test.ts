import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/service/contract/message.ts';
import type { FaultRule } from '../../../src/service/emulator/fault.ts';
import { groupId, hostId } from '../../given/fleet.ts';
import { fleetWorld, inParallel, numbered } from './fleet-world.ts';
import { problemsOf, renames, rotation } from './operations.ts';

describe('an operation that is cancelled', () => {
  it('while it waits ends immediately, and so do the operations that wait for it', async () => {
    const world = fleetWorld({ hosts: numbered(3) });
    const stop = new AbortController();
    const waiting = world.coordinator.rename(hostId(1), 'h3', { signal: stop.signal });
    const behind = world.coordinator.rename(hostId(2), 'h1');
    await world.clock.sleep(1_000);
    const start = world.clock.now();
    stop.abort();
    expect(problemsOf(await Promise.all([waiting, behind]))).toMatchObject([
      { code: 'interrupted', hostIds: ['1'] },
      { code: 'step-skipped', hostIds: ['2', '1'] },
    ]);
    expect(world.clock.now()).toBe(start);
  });

  it('in the middle of a cycle leaves one temporary name, reports it, and the next run finishes the rename', async () => {
    const world = fleetWorld({ hosts: numbered(5) });
    const stop = new AbortController();
    const { signal } = stop;
    const intended = rotation(4);
    const ops = Object.entries(intended).map(([id, to]) =>
      world.coordinator.rename(hostId(id), to, { signal }),
    );
    await world.clock.sleep(45);
    stop.abort();
    const problems = problemsOf(await Promise.all(ops));
    expect(problems.filter(({ message }) => message.includes('~rampart~'))).toHaveLength(1);
    expect(problems.every(({ code }) => code === 'interrupted' || code === 'step-skipped')).toBe(true);
    const again = await inParallel(10, renames(world.start().coordinator, intended));
    expect(problemsOf(again)).toEqual([]);
    expect(world.names()).toMatchObject({ ...intended, 5: 'h5' });
    expect(world.calls()['renameHost']).toBe(5);
  });

  it('before it began sends nothing', async () => {
    const world = fleetWorld({ hosts: numbered(2), groups: { 10: 'Berlin' } });
    await world.session.observed();
    const signal = AbortSignal.abort();
    const results = await Promise.all([
      world.coordinator.rename(hostId(1), 'x', { signal }),
      world.coordinator.move(hostId(1), groupId(10), { signal }),
      world.coordinator.remove(hostId(2), { signal }),
    ]);
    expect(problemsOf(results).map(({ code }) => code)).toEqual([
      'interrupted',
      'interrupted',
      'interrupted',
    ]);
    expect(world.calls()).toEqual({ listHostsWithGroups: 1 });
  });
});

describe('a process that dies in the middle of a rotation', () => {
  it('leaves a fleet that the next apply completes, after any last call', async () => {
    for (let last = 1; last <= 9; last += 1) {
      for (const when of ['before', 'after'] as const) {
        const world = fleetWorld({ hosts: numbered(9) });
        const intended = rotation(8);
        const dying = world.start(dyingAt(last, when));
        const ops = renames(dying.coordinator, intended).map((go) => go());
        await Promise.race([Promise.all(ops), world.clock.sleep(3_600_000)]);
        const again = await inParallel(10, renames(world.start().coordinator, intended));
        expect(problemsOf(again)).toEqual([]);
        expect(world.names()).toMatchObject({ ...intended, 9: 'h9' });
        expect(world.calls()['renameHost'] ?? 0).toBeLessThanOrEqual(10);
      }
    }
  });
});

/** From its n-th rename on, no response arrives any more. */
function dyingAt(nth: number, when: 'before' | 'after'): (exchange: Exchange) => Exchange {
  let seen = 0;
  const never = new Promise<never>(() => {});
  return (exchange) => async (request, options) => {
    if (request.method === 'PUT') seen += 1;
    if (seen > nth || (seen === nth && when === 'before')) return never;
    const reply = await exchange(request, options);
    return seen >= nth ? never : reply;
  };
}

describe('a service in trouble', () => {
  it('that limits renames gets them at the rate that it accepts', async () => {
    const world = fleetWorld({
      hosts: numbered(20),
      limits: { renameHost: { kind: 'token-bucket', perSecond: 1, burst: 1 } },
    });
    const results = await inParallel(10, renames(world.coordinator, rotation(10)));
    expect(problemsOf(results)).toEqual([]);
    expect(world.names()).toMatchObject(rotation(10));
  });

  it('that loses responses is read again, and nothing is done twice', async () => {
    const faults: readonly FaultRule[] = [
      { action: 'renameHost', nth: [1, 4], effect: { kind: 'drop', when: 'after' } },
      { action: 'renameHost', nth: [2], effect: { kind: 'drop', when: 'before' } },
    ];
    const world = fleetWorld({ hosts: numbered(8), faults });
    const results = await inParallel(10, renames(world.coordinator, rotation(8)));
    expect(problemsOf(results)).toEqual([]);
    expect(world.names()).toMatchObject(rotation(8));
    expect(world.calls()).toMatchObject({ renameHost: 10, listHostsWithGroups: 1 });
  });

  it('that refuses the credentials ends all operations with its response', async () => {
    const faults: readonly FaultRule[] = [{ action: 'renameHost', effect: { kind: 'status', status: 401 } }];
    const world = fleetWorld({ hosts: numbered(8), faults });
    const results = await inParallel(10, renames(world.coordinator, rotation(8)));
    expect(problemsOf(results).map(({ code }) => code)).toContain('not-authenticated');
    expect(results.every(({ ok }) => !ok)).toBe(true);
  });

  it("whose list can't be read fails all waiting callers, and the next caller reads it again", async () => {
    const faults: readonly FaultRule[] = [{ action: 'reads', effect: { kind: 'status', status: 401 } }];
    const world = fleetWorld({ hosts: numbered(8), faults });
    const results = await inParallel(10, renames(world.coordinator, rotation(8)));
    expect(new Set(problemsOf(results).map(({ code }) => code))).toEqual(new Set(['not-authenticated']));
    expect(world.calls()).toEqual({ listHostsWithGroups: 1 });
    world.setFaults([]);
    expect(problemsOf(await inParallel(10, renames(world.coordinator, rotation(8))))).toEqual([]);
  });
});
