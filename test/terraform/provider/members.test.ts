import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import {
  type RecordValue,
  unknownNotNull,
  unknownValue,
} from '../../../src/terraform/protocol/value/value.ts';
import { type CoreOptions, rampartCore } from './given/rampart-core.ts';
import { resourceCalls } from './given/resource-calls.ts';

const fleet = {
  groups: [
    { id: '17', name: 'Servers' },
    { id: '18', name: 'Kiosks' },
    { id: '19', name: 'Twins' },
    { id: '20', name: 'Twins' },
  ],
  hosts: [
    { id: '1', name: 'A', groupId: '18' },
    { id: '2', name: 'B', groupId: '18' },
    { id: '3', name: 'C', groupId: '17' },
    { id: '4', name: null },
    { id: '5', name: 'E\u001b[31m', groupId: '18' },
  ],
};

async function members(options: CoreOptions = {}) {
  /** Set forward, so that the provider reads the list again. */
  const time = { aheadMs: 0 };
  const clock = { ...systemClock, now: () => systemClock.now() + time.aheadMs };
  const core = await rampartCore(fleet, { clock, ...options, config: { max_age: '10s', ...options.config } });
  const groups = () => core.emulator.state().hosts.map(({ groupId }) => groupId);
  const resource = resourceCalls(core, 'rampart_group_members');
  /** The plan of a configuration, and what applying it does. */
  const planAndApply = async (
    config: RecordValue,
    before: Parameters<typeof resource.plan>[0] = { config },
  ) => {
    const { planned, errors, private: remembered } = await resource.plan({ ...before, config });
    expect(errors).toEqual([]);
    return resource.apply({ prior: before.prior ?? null, planned, config, private: remembered ?? {} });
  };
  return { ...core, ...resource, planAndApply, groups, time };
}

const additive = (values: RecordValue = {}) => ({
  id: '18',
  group: 'Kiosks',
  host_ids: ['1'],
  mode: 'additive',
  joins: {},
  evicts: {},
  ...values,
});
const authoritative = (values: RecordValue = {}) => additive({ mode: 'authoritative', ...values });
const refuse = (...nth: readonly number[]): CoreOptions => ({
  faults: [{ action: 'moveHosts', nth, effect: { kind: 'status', status: 400 } }],
});
const unreadable: CoreOptions = {
  faults: [{ action: 'listHostsWithGroups', effect: { kind: 'status', status: 403 } }],
};

describe('the state of rampart_group_members after a read', () => {
  test('has only the listed hosts that are still in the group or were deleted, or all hosts of the group', async () => {
    const { read } = await members();
    const host_ids = ['1', '3', '99'];
    expect((await read(additive({ host_ids }))).state).toEqual({
      ...additive({ host_ids: ['1', '99'] }),
      group_id: null,
      acks: null,
    });
    const whole = await read(authoritative({ host_ids, evicts: { 9: "'I'" } }));
    expect(whole.state).toEqual({
      ...authoritative({ host_ids: ['1', '2', '5', '99'] }),
      group_id: null,
      acks: null,
    });
  });

  test("is absent if the group was deleted, and unchanged if the list can't be read", async () => {
    expect(await (await members()).read(additive({ id: '99' }))).toMatchObject({ state: null, errors: [] });
    const { state, errors } = await (await members(unreadable)).read(additive());
    expect(state).toMatchObject(additive());
    expect(errors).toHaveLength(1);
  });

  test('has no moves, so that a plan shows only its own', async () => {
    const { read } = await members();
    const moves = { joins: { 1: "'A' from 'Servers'" }, evicts: { 2: "'B'" } };
    expect((await read(additive(moves))).state).toMatchObject(additive());
    const unset = { id: '18', group: 'Kiosks', host_ids: null, mode: null, joins: null, evicts: null };
    expect((await read(unset)).state).toMatchObject(additive({ host_ids: [] }));
  });
});

describe('an import of rampart_group_members', () => {
  test('has the members of the group, by its id or by its name, and evicts hosts only on request', async () => {
    const { import: bring, read, plan } = await members();
    const byId = await bring('18');
    expect(byId).toMatchObject({ errors: [], state: { id: '18', group_id: '18', group: null } });
    const byName = await bring('Kiosks');
    expect(byName).toMatchObject({ errors: [], state: { id: '18', group_id: null, group: 'Kiosks' } });
    const prior = (await read(byName.state as RecordValue)).state as RecordValue;
    expect(prior).toMatchObject(additive({ host_ids: ['1', '2', '5'] }));
    const config = { group: 'Kiosks', host_ids: ['1'] };
    expect((await plan({ prior, config })).planned).toMatchObject({ mode: 'additive', evicts: {} });
    const again = await members();
    const asked = await again.plan({
      prior,
      config: { ...config, mode: 'authoritative', acks: { evict: 2 } },
    });
    expect(asked).toMatchObject({ errors: [], planned: { evicts: { 2: "'B'", 5: "'E␛[31m'" } } });
  });

  test('refuses a group that does not exist or is not the only one, and needs the list', async () => {
    const { import: bring } = await members();
    expect(await bring('Kiosk')).toMatchObject({ state: null, errors: [expect.stringContaining('Kiosk')] });
    expect(await bring('Twins')).toMatchObject({ state: null, errors: [expect.stringContaining('Twins')] });
    expect(await (await members(unreadable)).import('18')).toMatchObject({
      state: null,
      errors: [expect.any(String)],
    });
  });
});

describe('a plan of rampart_group_members is refused', () => {
  test.each<readonly [string, RecordValue, string]>([
    ['for a group that does not exist', { group: 'Kiosk', host_ids: ['1'] }, 'group'],
    ['for one of two groups of a name', { group: 'Twins', host_ids: ['1'] }, 'group'],
    ['for a host that is not in the list', { group: 'Kiosks', host_ids: ['1', '99'] }, 'host_ids'],
  ])('%s', async (_what, config, attribute) => {
    const { errors, about } = await (await members()).plan({ config });
    expect([errors.length, about]).toEqual([1, [attribute]]);
  });

  test('if another resource puts the same host into another group', async () => {
    const core = await members();
    const one = { group: 'Kiosks', host_ids: ['1', '3'] };
    expect((await core.plan({ config: one })).errors).toEqual([]);
    const { errors, about } = await core.plan({ config: { group: 'Servers', host_ids: ['3'] } });
    expect([errors.length, about]).toEqual([1, ['host_ids']]);
    expect(errors[0]).toContain('wo resources manage the group of host 3');
    const host = await resourceCalls(core, 'rampart_host').plan({ config: { host_id: '1', group_id: '-1' } });
    expect(host.errors).toHaveLength(1);
  });

  test("if the list can't be read", async () => {
    const { errors } = await (await members(unreadable)).plan({ config: { group: 'Kiosks', host_ids: [] } });
    expect(errors).toHaveLength(1);
  });

  test('if an id or an approval is meaningless', async () => {
    const { validate } = await members();
    const config = { group: 'Kiosks', host_ids: ['1', 'WEB-02'], acks: { delete: 1 } };
    const { errors, about } = await validate(config);
    expect(errors).toEqual([
      expect.stringContaining('1 of host_ids are not host ids'),
      expect.stringContaining('This argument takes only evict.'),
    ]);
    expect(about).toEqual(['host_ids', 'acks.delete']);
    expect((await validate({ ...config, host_ids: ['1'], acks: { evict: 0 } })).errors).toEqual([]);
    for (const naming of [{ group: null }, { group_id: '18' }, { group: null, group_id: 'eighteen' }])
      expect((await validate({ host_ids: [], group: 'Kiosks', ...naming })).errors.length).toBeGreaterThan(0);
  });
});

describe('a plan of rampart_group_members', () => {
  test('warns about a group id that is not listed, and has no name to show', async () => {
    const { warnings, about } = await (await members()).plan({ config: { group_id: '99', host_ids: ['1'] } });
    expect([warnings.length, about]).toEqual([1, ['group_id']]);
  });

  test('shows names safely for a terminal, and hosts without a name', async () => {
    const { planned, warnings } = await (await members({ config: { limits: { evict: '5' } } })).plan({
      config: { group: 'Kiosks', host_ids: ['1', '2', '4'], mode: 'authoritative' },
    });
    expect(planned).toMatchObject({
      joins: { 4: 'a host without a name from no group' },
      evicts: { 5: "'E␛[31m'" },
    });
    expect(warnings).toEqual([
      expect.stringMatching(/^1 host leaves the group "Kiosks" \| .*host 5 "E␛\[31m"/),
    ]);
  });

  test.each([
    [20, /host 20\. They/],
    [21, /host 20 and 1 more\. They/],
  ])('lists at most twenty of %d evicted hosts', async (count, text) => {
    const hosts = Array.from({ length: count }, (_, index) => ({ id: `${index + 1}`, groupId: '18' }));
    const core = await rampartCore({ groups: fleet.groups, hosts }, { config: { limits: { evict: '99' } } });
    const { warnings } = await resourceCalls(core, 'rampart_group_members').plan({
      config: { group: 'Kiosks', host_ids: [], mode: 'authoritative' },
    });
    expect(warnings).toEqual([expect.stringMatching(text)]);
  });

  test('marks values that are never null, and reports which attribute makes the moves unknown', async () => {
    const { planned, about } = await (await members()).plan({
      config: { group: unknownValue(), host_ids: unknownValue() },
    });
    const never = unknownNotNull;
    expect(planned).toMatchObject({ id: never, joins: never, evicts: never, mode: 'additive' });
    expect(about).toEqual([]);
    const unsure = await (await members()).plan({ config: { group: 'Kiosks', host_ids: unknownValue() } });
    expect(unsure.about).toEqual(['host_ids']);
  });

  test('leaves everything unknown while the group or the provider block is unknown', async () => {
    const { plan, emulator } = await members();
    const later = await plan({ config: { group: unknownValue(), host_ids: ['99'] } });
    expect(later).toMatchObject({ errors: [], planned: { id: unknownNotNull } });
    const unconfigured = await members({ config: { company_id: unknownValue() } });
    expect(await unconfigured.plan({ config: { group: 'Gone', host_ids: ['99'] } })).toMatchObject({
      errors: [],
    });
    expect([...emulator.requests, ...unconfigured.emulator.requests]).toEqual([]);
  });

  test('is the same plan in the apply, after our own calls for other resources', async () => {
    const core = await members();
    const config = { group: 'Servers', host_ids: ['1', '3'], mode: 'authoritative' };
    const { planned } = await core.plan({ config });
    const prior = { id: '1', host_id: '1', name: 'A', group: 'Kiosks', online: true, on_destroy: 'forget' };
    await resourceCalls(core, 'rampart_host').apply({
      prior: { ...prior, status: 'settled' },
      planned: { ...prior, group: 'Servers', status: unknownValue() },
    });
    expect(core.groups()[0]).toBe('17');
    expect((await core.plan({ config })).planned).toEqual(planned);
  });

  test.each([
    ['additive', additive],
    ['authoritative', authoritative],
  ])(
    'warns about a listed host that was deleted, and moves the others, if it is %s',
    async (mode, stored) => {
      const gone = expect.stringContaining('Host 1 is not in the account anymore | Remove it from host_ids.');
      /** Its own run, after a refresh. */
      const refreshed = async (host_ids: readonly string[]) => {
        const core = await members({ config: { limits: { evict: '0' } } });
        core.emulator.edit({ kind: 'delete', id: '1' });
        const prior = (await core.read(stored({ host_ids: ['1', '2', '5'] }))).state as RecordValue;
        const config = { group: 'Kiosks', host_ids, mode };
        return { ...core, prior, config, made: await core.plan({ prior, config }) };
      };
      const same = await refreshed(['1', '2', '5']);
      expect(same.made).toMatchObject({
        planned: same.prior,
        errors: [],
        warnings: [gone],
        about: ['host_ids'],
      });
      const { made, apply, prior, config } = await refreshed(['1', '2', '3', '5']);
      expect(made).toMatchObject({
        planned: { joins: { 3: "'C' from 'Servers'" }, evicts: {} },
        warnings: [gone],
      });
      expect(await apply({ prior, planned: made.planned, config })).toMatchObject({
        errors: [],
        calls: ['moveHosts'],
      });
      expect((await refreshed(['2', '5'])).made).toMatchObject({
        planned: { evicts: {} },
        errors: [],
        warnings: [],
      });
    },
  );

  test("warns about a listed host that can't be read", async () => {
    const core = await rampartCore({ groups: fleet.groups, hosts: [] });
    const { errors, warnings } = await resourceCalls(core, 'rampart_group_members').plan({
      prior: additive(),
      config: { group: 'Kiosks', host_ids: ['1'] },
    });
    expect([errors, warnings]).toEqual([[], [expect.stringContaining('The list has no hosts')]]);
  });

  test('reports many hosts that are not in the list in one error, with the first ten', async () => {
    const host_ids = Array.from({ length: 200 }, (_, index) => `${index + 100}`);
    const { errors } = await (await members()).plan({ config: { group: 'Kiosks', host_ids } });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/The first 10 of 200:\n- host 100 is not in the list\n/);
    expect(errors[0]).toContain('Compare host_ids with the data source rampart_hosts.');
  });

  test('shows a host that has enrolled since the first list', async () => {
    const { plan, planAndApply, emulator, time, groups } = await members();
    const config = { group: 'Kiosks', host_ids: ['1', '9'] };
    expect((await plan({ config: { ...config, host_ids: ['9'] } })).errors).toHaveLength(1);
    emulator.edit({ kind: 'enroll', host: { id: '9', name: 'I', groupId: '17' } });
    time.aheadMs = 10_001;
    const { state, errors } = await planAndApply(config);
    expect(errors).toEqual([]);
    expect(state).toMatchObject({ joins: { 9: "'I' from 'Servers'" } });
    expect(groups().at(-1)).toBe('18');
  });
});

describe('the group of a rampart_group_members in its plan', () => {
  const renamed = async () => {
    const core = await members();
    core.emulator.edit({ kind: 'put-group', id: '18', name: 'Lobby' });
    return core;
  };
  const prior = additive({ group_id: null, acks: null });
  const now = 'Group 18 was renamed in the service, from "Kiosks" to "Lobby"';

  test('is kept by its id if it was renamed in the service, with a warning that has the new name', async () => {
    const { plan } = await renamed();
    const made = await plan({ prior, config: { group: 'Kiosks', host_ids: ['1', '3'] } });
    expect(made).toMatchObject({
      errors: [],
      replaces: [],
      planned: { id: '18', joins: { 3: expect.any(String) } },
    });
    expect(made.warnings).toEqual([expect.stringContaining(`${now} | Set group to "Lobby"`)]);
  });

  test('gets the new name without a replacement', async () => {
    const { plan, apply } = await renamed();
    const config = { group: 'Lobby', host_ids: ['1'] };
    const made = await plan({ prior, config });
    expect(made).toMatchObject({
      errors: [],
      replaces: [],
      planned: { id: '18', group: 'Lobby', joins: {} },
    });
    expect(made.warnings).toEqual([now]);
    expect(await apply({ prior, planned: made.planned, config })).toMatchObject({ errors: [], calls: [] });
  });

  test('is replaced if the name belongs to another group, or is unknown', async () => {
    const { plan } = await renamed();
    const other = await plan({ prior, config: { group: 'Servers', host_ids: ['1'] } });
    expect(other).toMatchObject({ errors: [], replaces: ['group'], planned: { id: '17' } });
    const unsure = await plan({ prior, config: { group: unknownValue(), host_ids: ['1'] } });
    expect(unsure.replaces).toEqual(['group']);
    const byId = await (await renamed()).plan({ prior, config: { group_id: '18', host_ids: ['1'] } });
    expect(byId).toMatchObject({ errors: [], warnings: [], replaces: [] });
    const { errors } = await (await members()).plan({
      prior: { ...prior, id: '99' },
      config: { group: 'Gone', host_ids: [] },
    });
    expect(errors).toHaveLength(1);
  });
});

describe('an approval of evictions', () => {
  const config = (values: RecordValue = {}) => ({
    group: 'Kiosks',
    host_ids: ['1'],
    mode: 'authoritative',
    acks: { evict: 2 },
    ...values,
  });
  const limits = { config: { limits: { evict: '1' } } };
  /** The stored state of an apply whose two evictions were approved. */
  async function approvedOnce() {
    const core = await members(limits);
    const { state, memory, errors } = await core.planAndApply(config());
    expect(errors).toEqual([]);
    expect(core.groups()).toEqual(['18', '-1', '17', '-1', '-1']);
    return { state: state as RecordValue, memory: memory ?? {} };
  }
  /** The errors of the next plan, after two more hosts have joined the group. */
  async function nextPlan(before: RecordValue, values: RecordValue = {}) {
    const { state, memory } = await approvedOnce();
    const prior = { ...state, host_ids: ['1', '3', '4'], ...before };
    const { plan } = await members(limits);
    return (await plan({ prior, config: config(values), private: memory })).errors;
  }

  test('is required over the limit', async () => {
    const { plan } = await members(limits);
    const none = await plan({ config: config({ acks: null }) });
    expect(none.errors).toEqual([
      expect.stringMatching(/^The plan removes 2 hosts from the group, and the limit is 1 \| .*evict = 2/),
    ]);
    expect(none.about).toEqual(['host_ids', 'acks']);
  });

  test.each<readonly [RecordValue, string]>([
    [
      { acks: { evict: 3 } },
      'The plan removes 2 hosts from the group, and acks approves 3 | Check each host that the warning names, then approve exactly this number with acks = { evict = 2 }.',
    ],
    [
      { host_ids: ['1', '2', '5'], acks: { evict: 1 } },
      'The plan removes 0 hosts from the group, and acks approves 1 | Remove evict from acks.',
    ],
    [{ acks: { evict: unknownValue() } }, 'The plan removes 2 hosts from the group, and the limit is 1 |'],
    [{ acks: unknownValue() }, 'The plan removes 2 hosts from the group, and the limit is 1 |'],
  ])('is refused as %j', async (values, text) => {
    const { plan } = await members(limits);
    expect((await plan({ config: config(values) })).errors).toEqual([expect.stringContaining(text)]);
  });

  test('is not valid a second time for the same list of hosts', async () => {
    expect(await nextPlan({})).toEqual([expect.stringContaining('and the limit is 1')]);
  });

  test.each<readonly [string, RecordValue, RecordValue]>([
    ['another list of hosts', {}, { host_ids: ['4'] }],
    ['another number than before', { acks: { evict: 1 } }, {}],
    ['another naming of the group', { group: null, group_id: '18' }, { group: null, group_id: '18' }],
    ['a resource that had no approval', { acks: null }, {}],
  ])('is valid for %s', async (_what, before, values) => {
    expect(await nextPlan(before, values)).toEqual([]);
  });

  test('of an additive list is valid once the list is authoritative', async () => {
    const { apply } = await members(limits);
    const planned = additive({ host_ids: ['1'], acks: { evict: 2 } });
    const { state, memory } = await apply({ prior: null, planned });
    const { plan } = await members(limits);
    const next = await plan({ prior: state as RecordValue, config: config(), private: memory ?? {} });
    expect(next.errors).toEqual([]);
  });

  test('remembers the list without its order, and nothing if there was no approval', async () => {
    const digests = new Set<unknown>();
    for (const host_ids of [
      ['1', '2', '5'],
      ['5', '2', '1'],
    ]) {
      const { apply } = await members();
      const planned = authoritative({ host_ids, acks: { evict: 0 } });
      const { memory } = await apply({ prior: null, planned });
      digests.add((memory as { approvedFor?: unknown }).approvedFor);
    }
    expect([...digests]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    const { memory } = await (await members()).apply({ prior: null, planned: authoritative() });
    expect(memory).toBeNull();
  });
});

describe('an apply of rampart_group_members', () => {
  const joining = (...ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, 'a host']));

  test('sends nothing without a list of moves, or without the fleet', async () => {
    const { apply } = await members();
    const unlisted = await apply({
      mayThrow: true,
      prior: null,
      planned: authoritative({ joins: joining('3'), evicts: unknownValue() }),
    });
    expect(unlisted).toMatchObject({ state: null, calls: [] });
    expect(unlisted.errors.join()).toContain('the applied plan does not contain its moves');
    const unread = await (await members(unreadable)).apply({
      prior: null,
      planned: additive({ joins: joining('3') }),
    });
    expect(unread).toMatchObject({ state: null, calls: [], errors: [expect.any(String)] });
  });

  test('stores nothing new if a move fails, and reports that the others were made', async () => {
    const { apply, groups } = await members(refuse(1));
    const prior = additive();
    const { state, errors, about } = await apply({
      prior,
      planned: authoritative({
        host_ids: ['1', '3'],
        joins: joining('3'),
        evicts: { 2: "'B'" },
      }),
    });
    expect(state).toMatchObject(prior);
    expect(errors).toEqual([
      expect.any(String),
      expect.stringContaining('Not all hosts are in the planned group'),
    ]);
    expect(about).toEqual(['host_ids', null]);
    expect([groups()[1], groups()[2]]).toContain(groups()[1] === '18' ? '18' : '-1');
    expect(groups().filter((group) => group === '18')).toHaveLength(groups()[1] === '18' ? 4 : 2);
  });

  test('leaves a host alone that someone else has moved since the plan', async () => {
    const { apply, read, emulator, time, groups } = await members();
    await read(additive());
    emulator.edit({ kind: 'move', id: '3', groupId: '19' });
    time.aheadMs = 10_001;
    const { errors, calls } = await apply({
      prior: additive(),
      planned: additive({ host_ids: ['1', '3'], joins: joining('3') }),
    });
    expect(calls).toEqual([]);
    expect(errors.join()).toContain('and is in "Twins" now');
    expect(groups()[2]).toBe('19');
  });

  test('warns about hosts in an authoritative group that the plan did not show, and about no others', async () => {
    const { apply } = await members();
    const done = await apply({ prior: null, planned: authoritative() });
    expect(done.errors).toEqual([]);
    expect(done.about).toEqual(['host_ids']);
    expect(done.warnings).toEqual([expect.stringContaining('the apply left them there: 2, 5. Plan again')]);
    expect((await apply({ prior: null, planned: additive() })).warnings).toEqual([]);
    const whole = await apply({ prior: null, planned: authoritative({ host_ids: ['1', '2', '5'] }) });
    expect(whole.warnings).toEqual([]);
  });

  test.each([
    [20, /: 1, .*, 20\. Plan/],
    [21, /: 1, .*, 20 and 1 more\. Plan/],
  ])('lists at most twenty of the %d hosts that the plan did not show', async (count, text) => {
    const hosts = Array.from({ length: count }, (_, index) => ({ id: `${index + 1}`, groupId: '18' }));
    const core = await rampartCore({ groups: fleet.groups, hosts });
    const { warnings } = await resourceCalls(core, 'rampart_group_members').apply({
      prior: null,
      planned: authoritative({ host_ids: [] }),
    });
    expect(warnings).toEqual([expect.stringMatching(text)]);
  });
});
