import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src/service/emulator/fault.ts';
import { groupId, hostId } from '../../given/fleet.ts';
import { fleetWorld, numbered } from './fleet-world.ts';
import { problemsOf } from './operations.ts';

const groups = { 10: 'Berlin', 11: 'Munich' };
/** The service accepts no call of this kind for two minutes. */
const busy = (action: 'moveHosts'): FaultRule => ({
  action,
  nth: 1,
  effect: { kind: 'status', status: 429, headers: { 'retry-after': '120' } },
});

describe('batches', () => {
  it('of more than 1,000 hosts are sent in parts, with each host in one of them', async () => {
    const world = fleetWorld({ hosts: numbered(1001), groups });
    const moves = numbered(1001).map(({ id }) => world.coordinator.move(hostId(id), groupId(10)));
    expect(problemsOf(await Promise.all(moves))).toEqual([]);
    const sent = world.emulator.requests.filter(({ action }) => action === 'moveHosts');
    const sizes = sent.map(({ body }) => (JSON.parse(body ?? '') as { hostIds: unknown[] }).hostIds.length);
    expect(sizes.toSorted((a, b) => b - a)).toEqual([1000, 1]);
  });

  it('send nothing for hosts that a read shows in their desired state before the call', async () => {
    const world = fleetWorld({ hosts: numbered(3), groups });
    await world.session.observed();
    const moves = Promise.all([1, 2].map((id) => world.coordinator.move(hostId(id), groupId(10))));
    world.emulator.edit({ kind: 'move', id: '1', groupId: '10' });
    world.emulator.edit({ kind: 'move', id: '2', groupId: '10' });
    await world.session.observed({ maxAgeMs: -1 });
    expect(problemsOf(await moves)).toEqual([]);
    expect(world.calls()['moveHosts']).toBeUndefined();
  });

  it('leave out a host that a read shows as deleted before the call, with its own problem', async () => {
    const world = fleetWorld({ hosts: numbered(3), groups });
    await world.session.observed();
    const moves = Promise.all([1, 2].map((id) => world.coordinator.move(hostId(id), groupId(10))));
    world.emulator.edit({ kind: 'delete', id: '1' });
    await world.session.observed({ maxAgeMs: -1 });
    const results = await moves;
    expect(results.map(({ ok }) => ok)).toEqual([false, true]);
    expect(problemsOf(results)).toMatchObject([{ code: 'missing-host', hostIds: ['1'] }]);
  });

  it('that are not needed end immediately', async () => {
    const world = fleetWorld({ hosts: [{ id: '1', name: 'a', groupId: '10' }], groups });
    await world.session.observed();
    const start = world.clock.now();
    expect(problemsOf([await world.coordinator.move(hostId(1), groupId(10))])).toEqual([]);
    expect(world.clock.now()).toBe(start);
  });

  it('that are refused as a whole fail for all with the response of the service', async () => {
    const faults: readonly FaultRule[] = [{ action: 'writes', effect: { kind: 'status', status: 401 } }];
    const world = fleetWorld({ hosts: numbered(4), groups, faults });
    const results = await Promise.all([
      ...[1, 2].map((id) => world.coordinator.move(hostId(id), groupId(10))),
      world.coordinator.remove(hostId(3)),
      world.coordinator.installAntivirus(hostId(4)),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([false, false, false, false]);
    expect(new Set(problemsOf(results).map(({ code }) => code))).toEqual(new Set(['not-authenticated']));
  });

  it('are not sent if all callers cancel while they wait for the service, and are sent if only one cancels', async () => {
    const world = fleetWorld({ hosts: numbered(3), groups, faults: [busy('moveHosts')] });
    await world.session.observed();
    const [first, second] = [new AbortController(), new AbortController()];
    const moves = Promise.all([
      world.coordinator.move(hostId(1), groupId(10), { signal: first.signal }),
      world.coordinator.move(hostId(2), groupId(10), { signal: second.signal }),
    ]);
    await world.clock.sleep(5000);
    first.abort();
    await world.clock.sleep(5000);
    const start = world.clock.now();
    second.abort();
    const results = await moves;
    expect(world.clock.now()).toBe(start);
    expect(problemsOf(results).map(({ hostIds }) => hostIds)).toEqual([['1'], ['2']]);
    expect(world.emulator.state().hosts.map((host) => host.groupId)).toEqual(['-1', '-1', '-1']);
    expect(world.calls()['moveHosts']).toBe(1);
  });
});

describe('anti-virus installs', () => {
  const codes = (results: Parameters<typeof problemsOf>[0]) => problemsOf(results).map(({ code }) => code);

  it('without a response are in doubt, and refused ones are not', async () => {
    const faults: readonly FaultRule[] = [
      { action: 'installAntivirus', nth: 1, effect: { kind: 'drop', when: 'after' } },
      { action: 'installAntivirus', nth: 2, effect: { kind: 'status', status: 403 } },
    ];
    const world = fleetWorld({ hosts: numbered(2), faults, switches: { installTakesMs: 3_600_000 } });
    const first = await world.coordinator.installAntivirus(hostId(1));
    expect(problemsOf([first])).toMatchObject([
      {
        code: 'antivirus-in-doubt',
        hostIds: ['1'],
        message: expect.stringContaining('may have been requested'),
      },
    ]);
    expect(codes([await world.coordinator.installAntivirus(hostId(2))])).toEqual(['forbidden']);
  });

  it("of a host that the list does not have, or whose list can't be read, fail with the reason", async () => {
    const world = fleetWorld({ hosts: numbered(1) });
    const unknown = await world.coordinator.installAntivirus(hostId(99));
    expect(problemsOf([unknown])).toMatchObject([
      { code: 'antivirus-unsupported', message: expect.stringContaining('is not in the anti-virus list') },
    ]);
    const faults: readonly FaultRule[] = [
      { action: 'listAntivirusDetails', effect: { kind: 'status', status: 401 } },
    ];
    const blind = fleetWorld({ hosts: numbered(1), faults });
    expect(codes([await blind.coordinator.installAntivirus(hostId(1))])).toEqual(['not-authenticated']);
  });

  it('make the next reader read again, even if someone read while they were in flight', async () => {
    const world = fleetWorld({ hosts: numbered(2) });
    await world.session.antivirus();
    const asked = world.coordinator.installAntivirus(hostId(1));
    await world.clock.sleep(10);
    await world.session.antivirus();
    expect((await asked).ok).toBe(true);
    const list = await world.session.antivirus();
    expect(list.ok && list.value.facts.get(hostId(1))?.installed).toBe(true);
  });
});

describe('deletions', () => {
  it('of the last host are done once, although the list is empty then', async () => {
    const world = fleetWorld({ hosts: numbered(1) });
    const planned = { name: 'h1' };
    expect((await world.coordinator.remove(hostId(1), { planned })).ok).toBe(true);
    await world.session.observed({ maxAgeMs: -1 });
    expect((await world.coordinator.remove(hostId(1), { planned })).ok).toBe(true);
    expect(world.calls()['deleteHosts']).toBe(1);
  });

  it('that no plan has shown are done in an account without hosts', async () => {
    const world = fleetWorld({ hosts: [] });
    expect((await world.coordinator.remove(hostId(1))).ok).toBe(true);
    expect(world.calls()).toEqual({ listHostsWithGroups: 1 });
  });

  it('that are requested twice at once do not disturb an operation that waits for the name', async () => {
    const world = fleetWorld({ hosts: numbered(2) });
    await world.session.observed();
    const [renamed, removed, twice] = await Promise.all([
      world.coordinator.rename(hostId(1), 'h2'),
      world.coordinator.remove(hostId(2)),
      world.coordinator.remove(hostId(2)),
    ]);
    expect([renamed.ok, removed.ok]).toEqual([true, true]);
    expect(problemsOf([twice])).toMatchObject([{ code: 'host-claimed-twice', hostIds: ['2'] }]);
    expect(world.names()).toEqual({ 1: 'h2' });
  });
});

describe('operations that are cancelled', () => {
  it('while the first list is read end at once', async () => {
    const world = fleetWorld({ hosts: numbered(2), groups, latencyMs: 5000 });
    const { signal, abort } = controlled();
    const all = Promise.all([
      world.coordinator.rename(hostId(1), 'new', { signal }),
      world.coordinator.move(hostId(1), groupId(10), { signal }),
      world.coordinator.remove(hostId(2), { signal }),
    ]);
    await world.clock.sleep(100);
    const start = world.clock.now();
    abort();
    const results = await all;
    expect(world.clock.now()).toBe(start);
    expect(problemsOf(results).map(({ code }) => code)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  it('while the anti-virus list is read end at once', async () => {
    const world = fleetWorld({ hosts: numbered(2), latencyMs: 5000 });
    await world.session.observed();
    const { signal, abort } = controlled();
    const install = world.coordinator.installAntivirus(hostId(1), { signal });
    await world.clock.sleep(100);
    const start = world.clock.now();
    abort();
    expect(problemsOf([await install]).map(({ code }) => code)).toEqual(['cancelled']);
    expect(world.clock.now()).toBe(start);
  });
});

function controlled() {
  const stop = new AbortController();
  return { signal: stop.signal, abort: () => stop.abort() };
}
