import { describe, expect, test } from 'vitest';
import type { RecordValue } from '../../../src/terraform/protocol/value/value.ts';
import { hostSchema } from '../../../src/terraform/provider/host/schema.ts';
import { emptyOf, rampartCore } from './given/rampart-core.ts';
import { resourceCalls } from './given/resource-calls.ts';

const hosts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${index + 1}`, name: `H-${index + 1}` }));

const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe('a refresh', () => {
  test('of 1,000 hosts, ten at a time as Terraform requests them, takes one list call', async () => {
    const { call, emulator, valueOf, recordOf } = await rampartCore({ hosts: hosts(1_000) });
    const empty = emptyOf(hostSchema);
    let next = 1;
    let changed = 0;
    const worker = async () => {
      for (let id = next++; id <= 1_000; id = next++) {
        const state = { ...empty, id: `${id}`, host_id: `${id}`, name: `H-${id}`, on_destroy: 'forget' };
        const currentState = valueOf('rampart_host', state);
        const response = await call('ReadResource', { typeName: 'rampart_host', currentState });
        const read = recordOf('rampart_host', response.newState);
        if (read?.['name'] !== `H-${id}` || read['status'] !== 'settled') changed += 1;
      }
    };
    await Promise.all(Array.from({ length: 10 }, worker));
    expect(changed).toBe(0);
    expect(emulator.requests.map(({ action }) => action)).toEqual(['listHostsWithGroups']);
  });

  test('returns the identity of each host, which import accepts', async () => {
    const { call, valueOf, recordOf } = await rampartCore({
      hosts: [{ id: '9007199254740993', name: 'A' }],
    });
    const { identitySchemas } = await call('GetResourceIdentitySchemas');
    expect(identitySchemas['rampart_host']?.identityAttributes).toMatchObject([
      { name: 'host_id', requiredForImport: true },
    ]);
    const state = { ...emptyOf(hostSchema), id: '9007199254740993' };
    const read = await call('ReadResource', {
      typeName: 'rampart_host',
      currentState: valueOf('rampart_host', state),
    });
    const imported = await call('ImportResourceState', {
      typeName: 'rampart_host',
      identity: read.newIdentity,
    });
    expect(imported.diagnostics).toEqual([]);
    const [resource] = imported.importedResources;
    expect(recordOf('rampart_host', resource?.state)).toMatchObject({ host_id: '9007199254740993' });
  });
});

test("the drift of a rampart_fleet whose list can't be read is a warning, and its state stays", async () => {
  const core = await rampartCore(
    { hosts: [{ id: '1', name: 'A' }] },
    { faults: () => [{ kind: 'status', status: 401 }] },
  );
  const fleet = resourceCalls(core, 'rampart_fleet');
  const content = 'version: 1\nhosts:\n  - { id: 1, name: B }\n';
  const drift = { 1: 'earlier' };
  const state = { id: '1', content, summary: '', counts: {}, calls: 0, changes: {}, drift, checksum: 'x' };
  const read = await fleet.read({ ...state, applied_at: '2026-01-01T00:00:00Z' });
  expect(read.errors).toEqual([]);
  expect(read.warnings).toEqual([expect.stringContaining('The drift of the fleet is not known')]);
  expect(read.state).toMatchObject({ drift });
});

test('a group resource has the id of its group as identity, which import accepts', async () => {
  const { call, valueOf, recordOf } = await rampartCore({
    groups: [{ id: '17', name: 'Servers' }],
    hosts: [{ id: '1', name: 'A', groupId: '17' }],
  });
  const typeName = 'rampart_group_members';
  const { identitySchemas } = await call('GetResourceIdentitySchemas');
  expect(identitySchemas[typeName]?.identityAttributes).toMatchObject([
    { name: 'group_id', requiredForImport: true },
  ]);
  const byName = await call('ImportResourceState', { typeName, id: 'Servers' });
  const identity = byName.importedResources[0]?.identity;
  expect(identity?.identityData).toBeDefined();
  const imported = await call('ImportResourceState', { typeName, identity: identity as never });
  expect(imported.diagnostics).toEqual([]);
  const state = recordOf(typeName, imported.importedResources[0]?.state);
  expect(state).toMatchObject({ id: '17', group_id: '17', mode: 'additive' });
  const read = await call('ReadResource', { typeName, currentState: valueOf(typeName, state) });
  expect(read.newIdentity).toEqual(identity);
  expect(recordOf(typeName, read.newState)).toMatchObject({ host_ids: ['1'] });
});

describe('an import of rampart_fleet', () => {
  const fleetOf = async () =>
    rampartCore({
      groups: [
        { id: '17', name: 'Servers' },
        { id: '18', name: 'Twins' },
        { id: '19', name: 'Twins' },
      ],
      hosts: [
        { id: '1', name: 'A', groupId: '17' },
        { id: '2', name: 'B', groupId: '19' },
        { id: '3', name: 'SAME' },
        { id: '4', name: 'same' },
        { id: '5', name: null },
      ],
    });

  test('by its identity writes the whole fleet as blocks, and generated configuration plans empty', async () => {
    const core = await fleetOf();
    const fleet = resourceCalls(core, 'rampart_fleet');
    const { identitySchemas } = await core.call('GetResourceIdentitySchemas');
    expect(identitySchemas['rampart_fleet']?.identityAttributes).toMatchObject([
      { name: 'account', requiredForImport: true },
    ]);
    const byId = await fleet.import(core.emulator.credentials.companyId);
    expect(byId.errors).toEqual([]);
    const read = await core.call('ReadResource', {
      typeName: 'rampart_fleet',
      currentState: core.valueOf('rampart_fleet', byId.state),
    });
    const imported = await core.call('ImportResourceState', {
      typeName: 'rampart_fleet',
      identity: read.newIdentity,
    });
    expect(imported.diagnostics).toEqual([]);
    const state = core.recordOf('rampart_fleet', read.newState);
    const hosts = (state?.['host'] ?? []) as readonly RecordValue[];
    expect(hosts.map(({ id, name, group, group_id }) => [id, name, group, group_id])).toEqual([
      ['1', 'A', 'Servers', null],
      ['2', 'B', null, '19'],
      ['3', null, null, '-1'],
      ['4', null, null, '-1'],
      ['5', null, null, '-1'],
    ]);
    expect(state).toMatchObject({ summary: 'no changes', calls: 0, changes: {}, drift: {} });
    const generated = await core.call('GenerateResourceConfig', {
      typeName: 'rampart_fleet',
      state: read.newState,
    });
    const config = core.recordOf('rampart_fleet', generated.config) as RecordValue;
    expect((await fleet.validate(config)).errors).toEqual([]);
    const { planned, errors } = await fleet.plan({ prior: state as RecordValue, config });
    expect({ planned, errors }).toEqual({ planned: state, errors: [] });
  });

  test('reads an identity that was stored before', async () => {
    const core = await fleetOf();
    const rawIdentity = { json: json({ account: '1234567890' }) };
    const upgrade = (version: bigint) =>
      core.call('UpgradeResourceIdentity', { typeName: 'rampart_fleet', version, rawIdentity });
    const { upgradedIdentity, diagnostics } = await upgrade(0n);
    expect(diagnostics).toEqual([]);
    expect(Buffer.from(upgradedIdentity?.identityData?.msgpack ?? []).toString()).toContain('1234567890');
    expect((await upgrade(1n)).diagnostics[0]?.summary).toContain('written by a newer version');
  });

  test('of another account is refused', async () => {
    const { state, errors } = await resourceCalls(await fleetOf(), 'rampart_fleet').import('77');
    expect(state).toBeNull();
    expect(errors[0]).toContain("The fleet 77 is not that of the provider's credentials");
  });
});
