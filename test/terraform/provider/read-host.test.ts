import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import type { RecordValue } from '../../../src/terraform/protocol/value/value.ts';
import { accepted, inDoubt } from './given/install-memory.ts';
import { type CoreOptions, rampartCore } from './given/rampart-core.ts';
import { resourceCalls } from './given/resource-calls.ts';

const hour = 3_600_000;
const now = Date.parse('2026-11-20T12:00:00Z');
const clock = { ...systemClock, now: () => now };

const given = {
  groups: [
    { id: '17', name: 'Servers' },
    { id: '18', name: 'Kiosks' },
  ],
  hosts: [
    {
      id: '1',
      name: 'A',
      groupId: '17',
      online: false,
      computerName: 'DESKTOP-A',
      stateChangedAt: '2026-11-20T08:00:00Z',
    },
    { id: '2', name: 'B ~rampart~3f9a1c', groupId: '18' },
    { id: '3', name: null, antivirus: { installed: true } },
  ],
};

/** Attributes that the resource does not set are null. */
const stateOf = (id: string, values: RecordValue = {}) => ({
  id,
  host_id: id,
  name: 'old name',
  group: 'Old group',
  online: true,
  on_destroy: 'delete',
  status: 'settled',
  ...values,
});

async function host(options: CoreOptions = {}, parts: Parameters<typeof rampartCore>[0] = given) {
  const core = await rampartCore(parts, { clock, ...options });
  return { ...core, ...resourceCalls(core, 'rampart_host') };
}

describe('the state of rampart_host after a read', () => {
  test('shows the host as listed, and keeps what only the configuration decides', async () => {
    const kept = {
      host_id: '1',
      previously: ['AA'],
      on_destroy: 'delete',
      wait_for_enrollment: '5m',
      adopted_name: 'AAA',
      adopted_group: 'First',
    };
    const { state, errors } = await (await host()).read(stateOf('1', kept));
    expect(errors).toEqual([]);
    expect(state).toEqual({
      id: '1',
      ...kept,
      name: 'A',
      group: 'Servers',
      group_id: null,
      antivirus: null,
      online: false,
      host_name: 'DESKTOP-A',
      status: 'settled',
    });
  });

  test('has the id of the group only if the resource sets it', async () => {
    const { read } = await host();
    expect((await read(stateOf('1', { group_id: '18' }))).state).toMatchObject({ group_id: '17' });
    expect((await read(stateOf('3', { group_id: '18' }))).state).toMatchObject({
      group_id: '-1',
      group: null,
      name: null,
    });
  });

  test('has the defaults after an import, which only gives ids', async () => {
    const { read, import: bring } = await host();
    for (const word of ['1', 'A']) {
      const imported = await bring(word);
      expect(imported).toMatchObject({ errors: [], state: { id: '1', host_id: '1', name: null } });
      expect((await read(imported.state as RecordValue)).state).toMatchObject({
        id: '1',
        host_id: '1',
        name: 'A',
        group: 'Servers',
        antivirus: null,
        on_destroy: 'forget',
      });
    }
    expect((await bring('Z')).errors.join()).toContain('"Z"');
    expect((await read({ ...stateOf('1'), host_id: null })).state).toMatchObject({ host_id: '1' });
  });

  test('reports that a host has a temporary name', async () => {
    const { state } = await (await host()).read(stateOf('2', { antivirus: 'installed' }));
    expect(state).toMatchObject({ name: 'B ~rampart~3f9a1c', status: 'temporary-name' });
  });

  test('keeps whether it was online until something else changes, and has it after an import', async () => {
    const { read } = await host();
    const before = stateOf('1', {
      name: 'A',
      group: 'Servers',
      host_name: 'DESKTOP-A',
    });
    const kept = { online: true };
    const now = { online: false };
    expect((await read(before)).state).toMatchObject(kept);
    for (const change of [{ name: 'B' }, { group: null }, { host_name: 'OLD' }, { status: 'temporary-name' }])
      expect((await read({ ...before, ...change })).state).toMatchObject(now);
    expect((await read({ ...before, online: null })).state).toMatchObject(now);
  });

  test('is absent if the host was deleted', async () => {
    expect(await (await host()).read(stateOf('99'))).toMatchObject({ state: null, errors: [] });
  });

  test("is unchanged if the list has no hosts at all, or can't be read", async () => {
    const prior = stateOf('1', { antivirus: 'installed' });
    const empty = await (await host({}, {})).read(prior, accepted(1));
    expect(empty).toMatchObject({ state: prior, memory: accepted(1) });
    expect(empty.errors.join()).toContain(
      'The list has no hosts, so it does not show whether host 1 was deleted',
    );
    for (const action of ['listHostsWithGroups', 'listAntivirusDetails'] as const) {
      const faults = [{ action, effect: { kind: 'status', status: 403 } }] as const;
      const refused = await (await host({ faults })).read(prior);
      expect(refused).toMatchObject({ state: prior, errors: [expect.any(String)] });
    }
  });
});

describe('the anti-virus of rampart_host after a read', () => {
  const managed = { antivirus: 'installed' };

  test('is not checked unless the resource manages it', async () => {
    const { read, emulator } = await host();
    expect((await read(stateOf('3'))).state).toMatchObject({ antivirus: null, status: 'settled' });
    expect(emulator.requests.map(({ action }) => action)).toEqual(['listHostsWithGroups']);
  });

  test('is settled once the list shows it, whatever was in doubt', async () => {
    const { read } = await host();
    for (const memory of [{}, inDoubt(now - hour), accepted(now - hour)]) {
      const { state } = await read(stateOf('3', managed), memory);
      expect(state).toMatchObject({ antivirus: 'installed', status: 'settled' });
    }
  });

  test.each([
    ['nothing', {}, null, 'settled'],
    ['an install that the service just accepted', accepted(now), 'installed', 'installing'],
    ['one of 23 hours ago', accepted(now - 23 * hour), 'installed', 'installing'],
    ['one of 24 hours ago', accepted(now - 24 * hour), null, 'settled'],
    ['one with a date in the future', accepted(now + 1), null, 'settled'],
    ['a doubt', inDoubt(now), null, 'in-doubt'],
    ['a doubt of 24 hours ago', inDoubt(now - 24 * hour), null, 'settled'],
    ['a doubt with a date in the future', inDoubt(now + 1), null, 'settled'],
  ])('that the list does not show, with the memory of %s', async (_what, memory, antivirus, status) => {
    const { state } = await (await host()).read(stateOf('1', managed), memory);
    expect(state).toMatchObject({ antivirus, status });
  });
});
