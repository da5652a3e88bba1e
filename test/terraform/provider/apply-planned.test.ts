import { describe, expect, test } from 'vitest';
import {
  type RecordValue,
  unknownNotNull,
  unknownValue,
} from '../../../src/terraform/protocol/value/value.ts';
import { rampartCore } from './given/rampart-core.ts';
import { resourceCalls } from './given/resource-calls.ts';

const groups = [
  { id: '17', name: 'Servers' },
  { id: '18', name: 'Kiosks' },
];
const hosts = [
  { id: '1', name: 'A', groupId: '17' },
  { id: '2', name: 'B' },
  { id: '3', name: 'C', groupId: '18' },
];

async function given(type: string, others: typeof hosts = []) {
  const core = await rampartCore({ groups, hosts: [...hosts, ...others] });
  return { ...resourceCalls(core, type), hostsNow: () => core.emulator.state().hosts };
}

const stored = {
  id: '1',
  host_id: '1',
  name: 'A',
  group: 'Servers',
  online: true,
  host_name: null,
  on_destroy: 'forget',
  status: 'settled',
};
const unsure = { status: unknownNotNull };

describe('rampart_host applies the difference between the two sides of its plan', () => {
  test.each<readonly [string, RecordValue, RecordValue, readonly string[]]>([
    ['name', {}, { name: 'UNPLANNED' }, []],
    ['group', {}, { group: 'Kiosks' }, []],
    ['group_id', {}, { group_id: '18' }, []],
    ['antivirus', {}, { antivirus: 'installed' }, []],
    ['name', { name: 'NEW' }, {}, ['renameHost']],
    ['group', { group: 'Kiosks' }, {}, ['moveHosts']],
    ['group_id', { group: 'Kiosks', group_id: '18' }, {}, ['moveHosts']],
    ['antivirus', { antivirus: 'installed' }, {}, ['installAntivirus']],
  ])('%s planned as %j and configured as %j', async (_attribute, planned, config, calls) => {
    const { apply } = await given('rampart_host');
    const done = await apply({
      prior: stored,
      planned: { ...stored, ...unsure, ...planned },
      config: { host_id: '1', ...config },
    });
    expect(done).toMatchObject({ errors: [], calls, state: { ...stored, ...planned } });
  });

  test('an install in the state is not requested again, whatever the list shows', async () => {
    const { apply } = await given('rampart_host');
    const prior = { ...stored, antivirus: 'installed' };
    const planned = { ...prior, ...unsure, name: 'NEW' };
    const done = await apply({ prior, planned, config: { host_id: '1' } });
    expect(done).toMatchObject({ errors: [], calls: ['renameHost'], state: { status: 'installing' } });
  });

  test('of an adopted host, without touching what the plan does not know', async () => {
    const { apply } = await given('rampart_host');
    const planned = {
      ...stored,
      ...unsure,
      group: unknownValue(),
      adopted_name: 'A',
      adopted_group: 'Servers',
    };
    const config = { host_id: '1', name: 'UNPLANNED', group: 'Kiosks', antivirus: 'installed' };
    const done = await apply({ prior: null, planned, config });
    expect(done).toMatchObject({ errors: [], calls: [], state: { adopted_name: 'A', group: 'Servers' } });
  });

  test('a group whose name has changed since the plan does not move the host', async () => {
    const { apply } = await given('rampart_host');
    const prior = { ...stored, group: 'Renamed since' };
    const planned = { ...prior, ...unsure, group: 'Kiosks' };
    const done = await apply({ prior, planned, config: { host_id: '1' } });
    expect(done).toMatchObject({
      calls: [],
      errors: [expect.stringContaining('in "Renamed since", and no group has that name now')],
    });
  });
});

describe('rampart_host deletes what a plan showed', () => {
  const toDelete = { ...stored, on_destroy: 'delete' };
  const gone = { prior: toDelete, planned: null, config: null };

  test('only if its name and group are unchanged', async () => {
    const { apply } = await given('rampart_host');
    const unplanned = await apply(gone);
    expect(unplanned).toMatchObject({
      calls: [],
      errors: [expect.stringMatching(/^No plan showed the deletion of host 1, so it was not deleted \|/)],
      state: toDelete,
    });
    const changed = { ...gone, private: { deletes: { name: 'A', groupId: '18' } } };
    expect(await apply(changed)).toMatchObject({ calls: [], state: toDelete });
    const planned = { ...gone, private: { deletes: { name: 'A', groupId: '17' } } };
    expect(await apply(planned)).toMatchObject({
      calls: ['deleteHosts'],
      errors: [],
      state: null,
    });
  });

  test('except a host that was missing when it was planned', async () => {
    const { apply } = await given('rampart_host');
    const done = await apply({ ...gone, private: { deletes: null } });
    expect(done).toMatchObject({ calls: [], errors: [], state: null });
  });

  test('except one that another resource adopts, whose id the plan did not know', async () => {
    const { apply, plan } = await given('rampart_host');
    // Terraform plans it again in the apply.
    await plan({ config: { host_id: '1' } });
    const planned = { ...gone, private: { deletes: { name: 'A', groupId: '17' } } };
    expect(await apply(planned)).toMatchObject({
      calls: [],
      errors: [expect.stringContaining('One resource deletes host 1, and another one manages it')],
      state: expect.objectContaining(toDelete),
    });
  });

  test.each(['forget', 'prevent'])('except one whose on_destroy is %s', async (on_destroy) => {
    const { apply } = await given('rampart_host');
    const prior = { ...stored, on_destroy };
    const planned = { deletes: { name: 'A', groupId: '17' } };
    expect(await apply({ ...gone, prior, private: planned })).toMatchObject({
      calls: [],
    });
  });
});

describe('rampart_group_members moves the hosts that its plan lists', () => {
  const members = {
    id: '18',
    group: 'Kiosks',
    host_ids: ['3'],
    mode: 'authoritative',
    joins: {},
    evicts: {},
  };

  test('except those that only the configuration has, or that only the fleet has', async () => {
    const { apply } = await given('rampart_group_members', [{ id: '4', name: 'D', groupId: '18' }]);
    const done = await apply({
      prior: { ...members, mode: 'additive' },
      planned: members,
      config: { group: 'Servers', host_ids: ['2'], mode: 'authoritative' },
    });
    expect(done).toMatchObject({
      calls: [],
      state: members,
      warnings: [expect.stringMatching(/^The group has hosts that the plan did not show \|/)],
    });
  });

  test('in and out of the group, except one that someone else has removed', async () => {
    const { apply, hostsNow } = await given('rampart_group_members');
    const planned = {
      ...members,
      host_ids: ['2'],
      joins: { 2: "'B' from no group" },
      evicts: { 3: "'C'", 1: "'A'" },
    };
    const done = await apply({
      prior: members,
      planned,
      config: { group: 'Kiosks', host_ids: [], mode: 'additive' },
    });
    expect(done).toMatchObject({ errors: [], calls: ['moveHosts', 'moveHosts'], state: planned });
    expect(hostsNow().map(({ groupId }) => groupId)).toEqual(['17', '18', '-1']);
  });
});

describe('rampart_fleet applies the planned desired state', () => {
  const content = (name: string) => `version: 1\nhosts:\n  - { id: 1, name: ${name} }\n`;
  const unknown = unknownNotNull;
  const plan = {
    summary: unknown,
    counts: unknown,
    calls: unknown,
    changes: unknown,
    drift: unknown,
    checksum: unknown,
    applied_at: unknown,
  };

  test('and not that of the configuration', async () => {
    const { apply, hostsNow } = await given('rampart_fleet');
    const done = await apply({
      prior: null,
      planned: { ...plan, id: unknown, content: content('PLANNED') },
      config: { content: content('UNPLANNED') },
    });
    expect(done).toMatchObject({ errors: [], calls: ['renameHost'] });
    expect(hostsNow()[0]?.name).toBe('PLANNED');
  });

  test('and nothing if its plan changes no host', async () => {
    const { apply } = await given('rampart_fleet');
    const known = {
      id: '1',
      counts: {},
      calls: 0,
      summary: 'no changes',
      changes: {},
      drift: {},
      checksum: 'x',
      applied_at: '2026-01-01T00:00:00Z',
    };
    const prior = { ...known, content: content('A') };
    const done = await apply({
      prior,
      planned: { ...prior, strict: true },
      config: { content: content('UNPLANNED') },
    });
    expect(done).toMatchObject({ errors: [], calls: [] });
  });
});
