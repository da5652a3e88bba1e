import { describe, expect, test } from 'vitest';
import type { RecordValue } from '../../../src/terraform/protocol/value/value.ts';
import { hostileNames } from '../../given/hostile-names.ts';
import { type RampartCore, rampartCore } from './given/rampart-core.ts';
import { resourceCalls } from './given/resource-calls.ts';

const groups = [
  { id: '17', name: 'Servers' },
  { id: '18', name: 'Twins' },
  { id: '19', name: 'Twins' },
];
const hosts = [
  { id: '1', name: 'BER-1', groupId: '17' },
  { id: '2', name: 'BER-2', groupId: '17', online: false },
  { id: '3', name: 'HAM-1' },
  { id: '4', name: 'TWIN', groupId: '19' },
];
const typeName = 'rampart_host';

async function list(core: RampartCore, config: RecordValue = {}, more: object = {}) {
  const request = { typeName, config: core.configOf(typeName, config), ...more };
  const events = await core.events('ListResource', request);
  return {
    names: events.flatMap(({ displayName }) => (displayName === '' ? [] : [displayName])),
    errors: events.flatMap(({ diagnostic }) => diagnostic.map(({ summary }) => summary)),
    events: events.filter(({ displayName }) => displayName !== ''),
  };
}

/** Imports a host by the identity of an event, generates its configuration, and plans with it. */
async function importAndPlan(core: RampartCore, event: Awaited<ReturnType<typeof list>>['events'][number]) {
  const imported = await core.call('ImportResourceState', { typeName, identity: event.identity });
  expect(imported.diagnostics).toEqual([]);
  const read = await core.call('ReadResource', {
    typeName,
    currentState: imported.importedResources[0]?.state,
  });
  const state = core.recordOf(typeName, read.newState) as RecordValue;
  const generated = await core.call('GenerateResourceConfig', { typeName, state: read.newState });
  expect(generated.diagnostics).toEqual([]);
  const config = core.recordOf(typeName, generated.config) as RecordValue;
  expect((await resourceCalls(core, typeName).validate(config)).errors).toEqual([]);
  const { planned, errors } = await resourceCalls(core, typeName).plan({ prior: state, config });
  return { state, config, planned, errors };
}

describe('list "rampart_host"', () => {
  test('finds all hosts with one list call, in the order of the service', async () => {
    const core = await rampartCore({ groups, hosts });
    expect((await list(core)).names).toEqual(['BER-1', 'BER-2', 'HAM-1', 'TWIN']);
    await list(core, { group: 'Servers' });
    expect(core.emulator.requests.map(({ action }) => action)).toEqual(['listHostsWithGroups']);
  });

  test.each([
    [{ group: 'Servers' }, ['BER-1', 'BER-2']],
    [{ group_id: '19' }, ['TWIN']],
    [{ group_id: '-1' }, ['HAM-1']],
    [{ name_prefix: 'BER-' }, ['BER-1', 'BER-2']],
    [{ online: false }, ['BER-2']],
    [{ where: 'host.name.endsWith("-1")' }, ['BER-1', 'HAM-1']],
    [{ group: 'Servers', online: true, where: 'host.name.startsWith("BER")' }, ['BER-1']],
    [{ name_prefix: 'nobody' }, []],
  ])('with %j finds the hosts that match every argument', async (config, names) => {
    expect(await list(await rampartCore({ groups, hosts }), config)).toMatchObject({ names, errors: [] });
  });

  test.each([
    [{ group: 'Server' }, /Server/],
    [{ group: 'Twins' }, /Twins/],
    [{ where: 'host.antivirus.installed && 1' }, /./],
  ])('with %j reports an error and finds nothing', async (config, message) => {
    const { names, errors } = await list(await rampartCore({ groups, hosts }), config);
    expect(names).toEqual([]);
    expect(errors[0]).toMatch(message);
  });

  test('refuses both arguments for a group, invalid ids, and expressions that do not compile', async () => {
    const core = await rampartCore({ groups, hosts });
    const faults = async (config: RecordValue) => {
      const request = { typeName, config: core.configOf(typeName, config) };
      const { diagnostics } = await core.call('ValidateListResourceConfig', request);
      return diagnostics.map(({ attribute }) => attribute?.steps[0]?.attributeName);
    };
    expect(await faults({ group: 'A', group_id: '1' })).toEqual(['group_id']);
    expect(await faults({ group_id: 'A' })).toEqual(['group_id']);
    expect(await faults({ where: 'host.nme == 1' })).toEqual(['where']);
    expect(await faults({ where: 'host.online' })).toEqual([]);
  });

  test('without a config block finds all hosts', async () => {
    const core = await rampartCore({ groups, hosts });
    const events = await core.events('ListResource', { typeName });
    expect(events.map(({ displayName }) => displayName)).toEqual(['BER-1', 'BER-2', 'HAM-1', 'TWIN']);
  });

  test('stops at the limit', async () => {
    const core = await rampartCore({ groups, hosts });
    expect((await list(core, {}, { limit: 2n })).names).toEqual(['BER-1', 'BER-2']);
  });

  test('has the state only on request, and that state equals the one that an import reads', async () => {
    const core = await rampartCore({ groups, hosts });
    const bare = await list(core);
    expect(bare.events.every(({ resourceObject }) => resourceObject === undefined)).toBe(true);
    const { events } = await list(core, {}, { includeResourceObject: true });
    for (const event of events) {
      const { state } = await importAndPlan(core, event);
      expect(core.recordOf(typeName, event.resourceObject)).toEqual(state);
    }
  });

  test('with generated configuration imports every host, and the plan is empty', async () => {
    const core = await rampartCore({ groups, hosts });
    const { events } = await list(core);
    const configs: RecordValue[] = [];
    for (const event of events) {
      const { state, config, planned, errors } = await importAndPlan(core, event);
      expect({ planned, errors }).toEqual({ planned: state, errors: [] });
      configs.push(Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null)));
    }
    expect(configs).toEqual([
      { host_id: '1', name: 'BER-1', group: 'Servers' },
      { host_id: '2', name: 'BER-2', group: 'Servers' },
      { host_id: '3', name: 'HAM-1', group_id: '-1' },
      { host_id: '4', name: 'TWIN', group_id: '19' },
    ]);
    expect(core.emulator.requests.map(({ action }) => action)).toEqual(['listHostsWithGroups']);
  });

  test('shows hostile names safely, and imports them too', async () => {
    const names = [
      ...new Set(hostileNames),
      'line\nbreak',
      '\u001b[2Jcleared',
      '\u202eabc',
      'x'.repeat(5_000),
    ];
    const hostile = names.map((name, index) => ({ id: `${index + 1}`, name }));
    const core = await rampartCore({ hosts: [...hostile, { id: '999', name: null }] });
    const { events, names: shown, errors } = await list(core);
    expect(errors).toEqual([]);
    expect(shown).toHaveLength(names.length + 1);
    expect(shown.at(-1)).toBe('host 999');
    for (const name of shown) {
      expect(name).not.toMatch(/[\p{Cc}\u202e]/u);
      expect(name.length).toBeLessThan(1_000);
    }
    for (const event of events) {
      const { state, planned, errors: ofPlan } = await importAndPlan(core, event);
      expect({ planned, ofPlan }).toEqual({ planned: state, ofPlan: [] });
    }
  });

  test('reports a service that refuses the list', async () => {
    const faults = [{ action: 'listHostsWithGroups', effect: { kind: 'status', status: 403 } }] as const;
    const { names, errors } = await list(await rampartCore({ hosts }, { faults }));
    expect({ names, errors: errors.length }).toEqual({ names: [], errors: 1 });
  });
});
