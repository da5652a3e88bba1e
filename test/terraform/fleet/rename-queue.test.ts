import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src/service/emulator/fault.ts';
import { groupId, hostId } from '../../given/fleet.ts';
import { fleetWorld, numbered } from './fleet-world.ts';
import { problemsOf } from './operations.ts';

describe('a rename', () => {
  it('of a host that is not listed, or that two operations rename, is an error that names it', async () => {
    const world = fleetWorld({ hosts: numbered(2) });
    expect(problemsOf([await world.coordinator.rename(hostId(99), 'new')])).toMatchObject([
      { code: 'missing-host', hostIds: ['99'] },
    ]);
    const [first, second] = await Promise.all([
      world.coordinator.rename(hostId(1), 'a'),
      world.coordinator.rename(hostId(1), 'b'),
    ]);
    expect(first.ok).toBe(true);
    expect(problemsOf([second])).toMatchObject([{ code: 'host-claimed-twice', hostIds: ['1'] }]);
    expect(world.names()).toEqual({ 1: 'a', 2: 'h2' });
  });

  it('whose response comes after it was cancelled is done', async () => {
    const world = fleetWorld({ hosts: numbered(1), latencyMs: 1000 });
    await world.session.observed();
    const stop = new AbortController();
    const renamed = world.coordinator.rename(hostId(1), 'new', { signal: stop.signal });
    await world.clock.sleep(500);
    stop.abort();
    expect((await renamed).ok).toBe(true);
    expect(world.names()).toEqual({ 1: 'new' });
  });

  it('that is cancelled while the service accepts none ends at once, and was not sent', async () => {
    const faults: readonly FaultRule[] = [
      {
        action: 'renameHost',
        nth: 1,
        effect: { kind: 'status', status: 429, headers: { 'retry-after': '120' } },
      },
    ];
    const world = fleetWorld({ hosts: numbered(1), faults });
    const stop = new AbortController();
    const renamed = world.coordinator.rename(hostId(1), 'new', { signal: stop.signal });
    await world.clock.sleep(5000);
    const start = world.clock.now();
    stop.abort();
    expect(problemsOf([await renamed])).toMatchObject([
      { code: 'interrupted', message: expect.stringContaining('was cancelled before it was sent') },
    ]);
    expect(world.clock.now()).toBe(start);
    expect(world.names()).toEqual({ 1: 'h1' });
  });

  it('leaves no listener behind', async () => {
    const world = fleetWorld({ hosts: numbered(1) });
    const { signal } = new AbortController();
    const kinds: string[] = [];
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
      kinds.push(given[0]);
      addEventListener.apply(signal, given);
    };
    signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
      if (kinds.includes(given[0])) kinds.splice(kinds.indexOf(given[0]), 1);
      removeEventListener.apply(signal, given);
    };
    expect((await world.coordinator.rename(hostId(1), 'new', { signal })).ok).toBe(true);
    await world.clock.sleep(1000);
    expect(kinds).toEqual([]);
  });

  it('whose name someone takes and leaves repeatedly is tried five times, and ends', async () => {
    const world = fleetWorld({ hosts: numbered(2) });
    const { session, coordinator } = world.start((exchange) => (request, options) => {
      if (request.method === 'PUT') world.emulator.edit({ kind: 'rename', id: '2', name: 'wanted' });
      return exchange(request, options);
    });
    await session.observed();
    let ended = false;
    const renamed = coordinator.rename(hostId(1), 'wanted').finally(() => (ended = true));
    for (let times = 0; times < 20 && !ended; times += 1) {
      await world.clock.sleep(2000);
      world.emulator.edit({ kind: 'rename', id: '2', name: 'away' });
      await session.reread.names();
    }
    expect(problemsOf([await renamed])).toMatchObject([{ code: 'name-conflict', hostIds: ['1', '2'] }]);
    expect(world.calls()['renameHost']).toBe(5);
  });

  it('to the name of a host with a second rename in progress waits for it', async () => {
    const world = fleetWorld({ hosts: numbered(2) });
    await world.coordinator.rename(hostId(2), 'taken');
    const results = await Promise.all([
      world.coordinator.rename(hostId(2), 'other'),
      world.coordinator.rename(hostId(1), 'taken'),
    ]);
    expect(problemsOf(results)).toEqual([]);
    expect(world.names()).toEqual({ 1: 'taken', 2: 'other' });
  });

  it('that fails at the end of a chain of thousands ends them all', async () => {
    const count = 3000;
    const world = fleetWorld({ hosts: numbered(count), switches: { maxDescriptionLength: 10 } });
    await world.session.observed();
    const chain = numbered(count).map(({ id }, index) =>
      world.coordinator.rename(hostId(id), index + 1 === count ? 'much too long a name' : `h${index + 2}`),
    );
    const problems = problemsOf(await Promise.all(chain));
    expect(problems).toHaveLength(count);
    expect(world.calls()['renameHost']).toBe(1);
  });
});

describe('a rename whose wait fails', () => {
  it('of a host without a name reports it, and what to do', async () => {
    const world = fleetWorld({ hosts: [{ id: '1', name: null }, ...numbered(3).slice(1)], maxWaitMs: 5000 });
    const [renamed] = problemsOf([await world.coordinator.rename(hostId(1), 'h2')]);
    expect(renamed).toMatchObject({ code: 'blocked', hostIds: ['1', '2'] });
    expect(renamed?.message).toBe(
      'host 1 can\'t become "h2" yet: host 2 has the name, and no change of that host was requested within 5 s',
    );
  });

  it('ends later ones for its name at once, and others after a tenth of the wait', async () => {
    const world = fleetWorld({ hosts: numbered(6), maxWaitMs: 5000 });
    await world.coordinator.rename(hostId(1), 'h6');
    const start = world.clock.now();
    const [behind] = problemsOf([await world.coordinator.rename(hostId(2), 'h1')]);
    expect(behind?.code).toBe('blocked');
    expect(behind?.message).toContain('the change of that host has already timed out');
    expect(world.clock.now()).toBe(start);
    const [late] = problemsOf([await world.coordinator.rename(hostId(3), 'h5')]);
    expect(late?.message).toContain('no change of that host was requested within 500 ms');
    expect(world.clock.now() - start).toBeLessThan(600);
  });

  it('waits equally long every time, whatever was done before, and however long ago', async () => {
    const world = fleetWorld({ hosts: numbered(4), groups: { 10: 'Berlin' }, maxWaitMs: 5000 });
    await world.coordinator.move(hostId(1), groupId(10));
    await world.coordinator.rename(hostId(1), 'new');
    await world.clock.sleep(60_000);
    const start = world.clock.now();
    const stop = new AbortController();
    const ended = world.coordinator.rename(hostId(2), 'h3', { signal: stop.signal });
    await Promise.race([ended, world.clock.sleep(20_000).then(() => stop.abort())]);
    expect(problemsOf([await ended])).toMatchObject([{ code: 'blocked' }]);
    expect(world.clock.now() - start).toBeGreaterThanOrEqual(5000);
    expect(world.clock.now() - start).toBeLessThan(6000);
  });

  it('for another waiting rename does not advise to rename that host by hand', async () => {
    const world = fleetWorld({ hosts: numbered(4), maxWaitMs: 5000 });
    const [first, second] = problemsOf(
      await Promise.all([
        world.coordinator.rename(hostId(1), 'h2'),
        world.coordinator.rename(hostId(2), 'h3'),
      ]),
    );
    expect(first?.message).toContain('the change of that host is waiting too');
    expect(first?.hint).not.toContain('rename or remove it first');
    expect(second?.hint).toContain('rename or remove it first');
  });
});
