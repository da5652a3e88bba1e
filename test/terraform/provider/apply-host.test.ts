import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import type { EmulatedAction } from '../../../src/service/emulator/emulated-action.ts';
import {
  type RecordValue,
  unknownNotNull,
  unknownValue,
} from '../../../src/terraform/protocol/value/value.ts';
import { inDoubt } from './given/install-memory.ts';
import { type CoreOptions, rampartCore } from './given/rampart-core.ts';
import { resourceCalls } from './given/resource-calls.ts';

const fleet = {
  groups: [
    { id: '17', name: 'Servers' },
    { id: '18', name: 'Kiosks' },
    { id: '19', name: 'Kiosks' },
  ],
  hosts: [
    { id: '1', name: 'A', groupId: '17' },
    { id: '2', name: 'B', groupId: '17' },
    { id: '3', name: 'C', antivirus: { installed: true } },
  ],
};

/** The status, and other values that only an apply can know. */
const unsure = { status: unknownNotNull };
const facts = { online: true, host_name: 'A' };
const stored = (values: RecordValue = {}) => ({
  id: '1',
  host_id: '1',
  name: 'A',
  group: 'Servers',
  ...facts,
  on_destroy: 'forget',
  status: 'settled',
  group_id: null,
  adopted_name: 'FIRST',
  adopted_group: 'First group',
  ...values,
});
/** What a plan shows of a host that may still enroll. */
const notYetKnown = {
  ...unsure,
  id: unknownNotNull,
  host_id: unknownNotNull,
  group: unknownValue(),
  adopted_name: unknownValue(),
  adopted_group: unknownValue(),
  online: unknownNotNull,
  host_name: unknownValue(),
  on_destroy: 'forget',
};

const refuse = (...actions: readonly EmulatedAction[]): CoreOptions => ({
  faults: actions.map((action) => ({ action, effect: { kind: 'status', status: 400 } })),
});

async function host(options: CoreOptions = {}) {
  const core = await rampartCore(fleet, options);
  const hostNow = (id: string) => core.emulator.state().hosts.find((each) => each.id === id);
  return { ...core, ...resourceCalls(core, 'rampart_host'), hostNow };
}

describe('an apply that adopts a host', () => {
  test('gives it the planned values, and stores its earlier ones', async () => {
    const { apply, hostNow } = await host();
    const planned = {
      ...stored({ name: 'NEW', group: 'Kiosks', group_id: '18', antivirus: 'installed' }),
      ...unsure,
      adopted_name: 'A',
      adopted_group: 'Servers',
    };
    const { state, errors, warnings, calls } = await apply({ prior: null, planned });
    expect([errors, warnings]).toEqual([[], []]);
    expect(new Set(calls)).toEqual(new Set(['installAntivirus', 'moveHosts', 'renameHost']));
    expect(state).toMatchObject({ ...planned, status: expect.any(String) });
    expect(hostNow('1')).toMatchObject({ name: 'NEW', groupId: '18' });
  });

  test('sends nothing for a host that already has the planned values', async () => {
    const { apply } = await host();
    const planned = { ...stored({ antivirus: 'installed' }), id: '3', host_id: '3', name: 'C', ...unsure };
    const { state, errors, calls, memory } = await apply({
      prior: null,
      planned: { ...planned, group: null },
    });
    expect(errors).toEqual([]);
    expect(calls).toEqual([]);
    expect(memory).toBeNull();
    expect(state).toMatchObject({ status: 'settled', antivirus: 'installed' });
  });

  test('waits for a host that enrolls later, and stores how it found it', async () => {
    const { apply, read, emulator, hostNow } = await host();
    await read(stored());
    const applying = apply({
      prior: null,
      planned: { ...notYetKnown, name: 'NEW', group: 'Kiosks', group_id: '18', wait_for_enrollment: '1m' },
    });
    await expect.poll(() => emulator.requests.length).toBeGreaterThan(2);
    emulator.edit({ kind: 'enroll', host: { id: '9', name: 'NEW', groupId: '17' } });
    const { state, errors, calls } = await applying;
    expect(errors).toEqual([]);
    expect(calls).toEqual(['moveHosts']);
    expect(hostNow('9')?.groupId).toBe('18');
    expect(state).toMatchObject({
      id: '9',
      host_id: '9',
      name: 'NEW',
      group: 'Kiosks',
      group_id: '18',
      adopted_name: 'NEW',
      adopted_group: 'Servers',
      wait_for_enrollment: '1m',
      on_destroy: 'forget',
    });
  });

  test('shows the group of a host that the configuration does not move', async () => {
    const { apply } = await host();
    const { state, errors } = await apply({ prior: null, planned: { ...notYetKnown, name: 'A' } });
    expect(errors).toEqual([]);
    expect(state).toMatchObject({ id: '1', group: 'Servers', group_id: null, adopted_group: 'Servers' });
  });

  test('stores and sends nothing if the host is not in the list, and waits only on request', async () => {
    const { apply, emulator } = await host();
    for (const naming of [{ name: 'NOBODY' }, { host_id: '99' }]) {
      const { state, errors, calls } = await apply({ prior: null, planned: { ...notYetKnown, ...naming } });
      expect([state, calls]).toEqual([null, []]);
      expect(errors).toEqual([expect.stringMatching(/^(?:No host has the name|Host 99 is not in the list)/)]);
    }
    expect(emulator.requests).toHaveLength(1);
    const planned = { ...notYetKnown, name: unknownValue() };
    const nobody = await apply({ prior: null, planned, mayThrow: true });
    expect(nobody).toMatchObject({ state: null, calls: [] });
    expect(nobody.errors.join()).toContain('the applied plan does not identify a host');
  });

  test('leaves a host alone that someone else has changed since the plan', async () => {
    const time = { aheadMs: 0 };
    const { apply, read, emulator } = await host({
      clock: { ...systemClock, now: () => systemClock.now() + time.aheadMs },
      config: { max_age: '10s' },
    });
    await read(stored());
    emulator.edit({ kind: 'rename', id: '1', name: 'THEIRS' });
    emulator.edit({ kind: 'move', id: '2', groupId: '18' });
    time.aheadMs = 10_001;
    const renamed = await apply({ prior: null, planned: { ...stored({ name: 'NEW' }), ...unsure } });
    expect(renamed).toMatchObject({ state: null, calls: [], about: ['name'] });
    expect(renamed.errors.join()).toContain('its name was "A" in the plan, and its name is "THEIRS" now');
    const planned = { ...stored({ id: '2', host_id: '2', name: 'B', group: 'Servers' }), ...unsure };
    const moved = await apply({ prior: null, planned });
    expect(moved).toMatchObject({ state: null, calls: [], about: ['group'] });
    expect(moved.errors.join()).toContain('it was in "Servers" in the plan, and is in "Kiosks" now');
  });
});

describe('an error of an apply', () => {
  test.each<readonly [EmulatedAction, RecordValue, string]>([
    ['renameHost', { name: 'NEW' }, 'name'],
    ['moveHosts', { group: null, group_id: '-1' }, 'group_id'],
    ['moveHosts', { group: 'Kiosks', group_id: '18' }, 'group_id'],
    ['installAntivirus', { antivirus: 'installed' }, 'antivirus'],
  ])('of %s is about the attribute of %j', async (action, change, attribute) => {
    for (const prior of [null, stored()]) {
      const { apply } = await host(refuse(action));
      const planned = { ...stored(change), ...unsure };
      const { errors, about, state } = await apply({ prior, planned });
      expect([errors.length, about]).toEqual([1, [attribute]]);
      // An adoption that failed is not stored, so that the next apply adopts the host again.
      if (prior === null) expect(state).toBeNull();
      else {
        const group_id = 'group_id' in change ? '17' : null;
        expect(state).toMatchObject({ ...prior, group_id, antivirus: null, status: expect.any(String) });
      }
    }
  });

  test('of a group that no longer exists is about the group, and moves nothing', async () => {
    const { apply } = await host();
    const { errors, about, calls } = await apply({
      prior: stored(),
      planned: { ...stored({ group: 'Gone' }), ...unsure },
    });
    expect([errors.length, about, calls]).toEqual([1, ['group'], []]);
  });

  test("keeps the prior state if the host can't be found any more", async () => {
    const { apply } = await host();
    const prior = stored({ id: '99', host_id: '99' });
    const { state, errors, calls } = await apply({ prior, planned: { ...prior, ...unsure, name: 'NEW' } });
    expect([state, calls]).toMatchObject([prior, []]);
    expect(errors).toEqual([expect.stringContaining('Host 99 is not in the list')]);
  });

  test('keeps the state if someone else deletes the host during the apply', async () => {
    const deleted: (() => void)[] = [];
    const { apply, emulator } = await host({
      faults: ({ action }) => {
        if (action !== 'renameHost') return [];
        for (const remove of deleted) remove();
        return [{ kind: 'status', status: 409 }];
      },
    });
    deleted.push(() => emulator.edit({ kind: 'delete', id: '1' }));
    const { state, errors } = await apply({
      prior: stored(),
      planned: { ...stored({ name: 'NEW' }), ...unsure },
    });
    expect(state).toMatchObject(stored());
    expect(errors).toEqual([expect.stringContaining('ost 1')]);
  });

  test("sends nothing if the fleet can't be read again", async () => {
    let readings = 0;
    const { apply } = await host({
      clock: { ...systemClock, now: () => systemClock.now() + 1000 * readings++ },
      config: { max_age: '1s' },
      faults: [{ action: 'listHostsWithGroups', from: 1, effect: { kind: 'status', status: 403 } }],
    });
    const planned = { ...stored({ group: null, group_id: '-1' }), ...unsure };
    const { calls, errors } = await apply({ prior: stored(), planned });
    expect(calls).toEqual([]);
    expect(errors.length).toBeGreaterThan(0);
  });

  test('is reported if the host has another name than the plan showed, even if the first list has it too', async () => {
    const { apply } = await host();
    const { errors, calls } = await apply({
      prior: stored({ name: 'OLD' }),
      planned: { ...stored({ name: 'NEW' }), ...unsure },
    });
    expect(calls).toEqual([]);
    expect(errors).toEqual([
      expect.stringContaining('its name was "OLD" in the plan, and its name is "A" now'),
    ]);
  });

  test('does not make the resource forget an earlier install', async () => {
    const { apply } = await host(refuse('renameHost'));
    const memory = inDoubt(1, 2);
    const done = await apply({
      prior: stored(),
      planned: { ...stored({ name: 'NEW' }), ...unsure },
      private: { ...memory, replaces: { hostId: '1', onDestroy: 'delete' } },
    });
    expect(done.memory).toEqual(memory);
  });

  test('stores the completed part: the part that failed stays planned for the next apply', async () => {
    const { apply } = await host({ ...refuse('renameHost'), switches: { installTakesMs: 60_000 } });
    const { state, errors, calls } = await apply({
      prior: stored({ group_id: '17' }),
      planned: {
        ...stored({ name: 'NEW', group: 'Kiosks', group_id: '18', antivirus: 'installed' }),
        ...unsure,
      },
    });
    expect(errors).toHaveLength(1);
    expect(new Set(calls)).toEqual(new Set(['installAntivirus', 'moveHosts', 'renameHost']));
    expect(state).toMatchObject({
      name: 'A',
      group: 'Kiosks',
      group_id: '18',
      antivirus: 'installed',
      adopted_name: 'FIRST',
      adopted_group: 'First group',
      status: 'installing',
    });
  });

  test('keeps the anti-virus of the prior state if the apply requests no install', async () => {
    const { apply } = await host(refuse('moveHosts'));
    const { state } = await apply({
      prior: stored({ antivirus: 'installed', group_id: '17' }),
      planned: { ...stored({ group: 'Kiosks', group_id: '18' }), ...unsure },
    });
    expect(state).toMatchObject({ antivirus: 'installed', group: 'Servers', group_id: '17' });
  });

  test('shows a temporary name that a swap has left behind', async () => {
    const { apply, hostNow } = await host({
      faults: [{ action: 'renameHost', nth: [2, 3], effect: { kind: 'status', status: 400 } }],
      config: { max_wait: '1s' },
    });
    const second = stored({ id: '2', host_id: '2', name: 'B' });
    const done = await Promise.all([
      apply({ prior: stored(), planned: { ...stored({ name: 'B' }), ...unsure } }),
      apply({ prior: second, planned: { ...second, ...unsure, name: 'A' } }),
    ]);
    const left = done.filter(({ state }) => state?.['status'] === 'temporary-name');
    expect(left).toHaveLength(1);
    expect(left[0]?.state?.['name']).toMatch(/ ~rampart~/);
    expect([hostNow('1')?.name, hostNow('2')?.name]).toContain(left[0]?.state?.['name']);
  });
});

describe('an apply with an unknown provider block', () => {
  test('reports which argument is missing, and sends nothing', async () => {
    const { apply, read, plan, emulator } = await host({ config: { company_id: unknownValue() } });
    const planned = { ...stored({ name: 'NEW' }), ...unsure };
    for (const { errors } of [
      await apply({ prior: null, planned }),
      await apply({ prior: stored(), planned }),
      await apply({ prior: stored({ on_destroy: 'delete' }), planned: null, private: { deletes: {} } }),
      await plan({ prior: stored({ on_destroy: 'delete' }), config: null }),
      await read(stored()),
    ])
      expect(errors).toEqual([expect.stringContaining('argument company_id is not known yet')]);
    expect(emulator.requests).toEqual([]);
  });
});
