import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import type { Attribute } from '../../../src/terraform/protocol/schema/schema.ts';
import {
  isUnknown,
  type RecordValue,
  unknownNotNull,
  unknownValue,
} from '../../../src/terraform/protocol/value/value.ts';
import { hostSchema } from '../../../src/terraform/provider/host/schema.ts';
import { membersSchema } from '../../../src/terraform/provider/members/members-schema.ts';
import { accepted, inDoubt } from './given/install-memory.ts';
import { type CoreOptions, rampartCore } from './given/rampart-core.ts';
import { resourceCalls } from './given/resource-calls.ts';

const hour = 3_600_000;
const now = Date.parse('2026-11-20T12:00:00Z');
const clock = { ...systemClock, now: () => now };

const fleet = {
  groups: [
    { id: '17', name: 'Servers' },
    { id: '18', name: 'Kiosks' },
  ],
  hosts: [
    { id: '1', name: 'A', groupId: '17', computerName: 'DESKTOP-A' },
    { id: '2', name: 'B' },
    { id: '3', name: null, antivirus: { supported: false } },
    { id: '4', name: 'D', antivirus: { installed: true } },
    { id: '5', name: 'E', online: false },
    { id: '6', name: 'TWIN' },
    { id: '7', name: 'twin' },
  ],
};

const stored = (values: RecordValue = {}) => ({
  id: '1',
  host_id: '1',
  name: 'A',
  group: 'Servers',
  online: true,
  host_name: 'DESKTOP-A',
  on_destroy: 'forget',
  status: 'settled',
  adopted_name: 'FIRST',
  adopted_group: 'First group',
  ...values,
});

async function host(options: CoreOptions = {}) {
  const core = await rampartCore(fleet, { clock, ...options });
  const actions = () => core.emulator.requests.map(({ action }) => action);
  return { ...core, ...resourceCalls(core, 'rampart_host'), actions };
}

describe('a plan that adopts a host', () => {
  test.each<readonly [string, RecordValue, RecordValue]>([
    ['its id', { host_id: '1' }, { name: 'A' }],
    ['its name', { name: 'A' }, { name: 'A' }],
    ['an earlier name', { name: 'NEW', previously: ['OLD', 'A'] }, { name: 'NEW' }],
  ])('finds it by %s, and shows its current state', async (_what, config, shown) => {
    const { plan } = await host();
    const { planned, errors, warnings } = await plan({ config });
    expect([errors, warnings]).toEqual([[], []]);
    expect(planned).toMatchObject({
      ...shown,
      id: '1',
      host_id: '1',
      adopted_name: 'A',
      adopted_group: 'Servers',
      on_destroy: 'forget',
    });
    expect(isUnknown(planned?.['group'])).toBe(true);
  });

  test.each<readonly [RecordValue, string | null]>([
    [{ group: 'Kiosks' }, 'Kiosks'],
    [{ group_id: '18' }, 'Kiosks'],
    [{ group_id: '-1' }, null],
  ])('shows the group that %j means by its name', async (config, group) => {
    const { planned } = await (await host()).plan({ config: { host_id: '1', ...config } });
    expect(planned).toMatchObject({ ...config, group, adopted_group: 'Servers' });
  });

  test('leaves values unknown that depend on unknown values', async () => {
    const { plan, actions } = await host();
    for (const config of [
      { host_id: unknownValue() },
      { name: unknownValue() },
      { name: 'NEW', previously: unknownValue() },
      { name: 'NEW', previously: ['A', unknownValue()] },
    ]) {
      const { planned, errors } = await plan({ config });
      expect(errors).toEqual([]);
      expect(isUnknown(planned?.['id'])).toBe(true);
    }
    expect(actions()).toEqual([]);
    const { planned } = await plan({ config: { host_id: '1', group_id: unknownValue() } });
    expect(planned).toMatchObject({ id: '1' });
    expect(isUnknown(planned?.['group'])).toBe(true);
  });

  test('leaves everything unknown while the provider block is unknown', async () => {
    const { plan, actions } = await host({ config: { company_id: unknownValue() } });
    const { planned, errors } = await plan({ config: { host_id: '99' } });
    expect(errors).toEqual([]);
    expect(isUnknown(planned?.['id'])).toBe(true);
    expect(actions()).toEqual([]);
  });

  test.each<readonly [string, RecordValue, string, string]>([
    [
      'a name that no host has',
      { name: 'NOBODY' },
      'all of them. Correct the name, or set host_id to adopt the host and give it this name. If the host enrolls later, set wait_for_enrollment.',
      'name',
    ],
    [
      'a name that differs from that of a host in case alone',
      { name: 'Twin' },
      'Did you mean "TWIN" (6) or "twin" (7)? Correct the name, or set host_id',
      'name',
    ],
    [
      'a name that two hosts had',
      { name: 'NEW', previously: ['TWIN', 'twin'] },
      '2 hosts match: "TWIN" (6), "twin" (7) | Identify the host by its id.',
      'name',
    ],
    ['a group that does not exist', { host_id: '1', group: 'Kiosk' }, 'Kiosk', 'group'],
    [
      'a host that does not support the anti-virus',
      { host_id: '3', antivirus: 'installed' },
      '3',
      'antivirus',
    ],
  ])('refuses %s', async (_what, config, text, attribute) => {
    const { planned, errors, about } = await (await host()).plan({ config });
    expect(planned).toBeNull();
    expect(errors.join()).toContain(text);
    expect(about).toEqual([attribute]);
  });

  test('warns if another host still has the earlier name', async () => {
    const { planned, warnings, about } = await (await host()).plan({
      config: { name: 'A', previously: ['B'] },
    });
    expect(planned).toMatchObject({ id: '1' });
    expect(warnings).toEqual([expect.stringContaining('another host has the previous name "B"')]);
    expect(about).toEqual(['name']);
  });

  test('warns about a group id that is not listed', async () => {
    const { planned, warnings, about } = await (await host()).plan({
      config: { host_id: '1', group_id: '99' },
    });
    expect(planned).toMatchObject({ group: null, group_id: '99' });
    expect(warnings).toEqual([expect.stringContaining('99')]);
    expect(about).toEqual(['group_id']);
  });

  test('waits only for a host that may still enroll', async () => {
    const { plan } = await host();
    for (const naming of [{ name: 'NEW' }, { host_id: '99' }]) {
      const { planned, errors } = await plan({ config: { ...naming, wait_for_enrollment: '5m' } });
      expect(errors).toEqual([]);
      expect(isUnknown(planned?.['id'])).toBe(true);
    }
    const there = await plan({ config: { name: 'A', wait_for_enrollment: '5m' } });
    expect(there.planned).toMatchObject({ id: '1', wait_for_enrollment: '5m' });
    const twins = await plan({
      config: { name: 'NEW', previously: ['TWIN', 'twin'], wait_for_enrollment: '5m' },
    });
    expect(twins.errors).toHaveLength(1);
    const faults = [{ action: 'listHostsWithGroups', effect: { kind: 'status', status: 403 } }] as const;
    const unread = await (await host({ faults })).plan({
      config: { name: 'NEW', wait_for_enrollment: '5m' },
    });
    expect(unread.errors).toHaveLength(1);
  });

  test('is the same plan after our own calls in the same run, and another one after calls by others', async () => {
    const { plan, apply, emulator } = await host({ clock: systemClock });
    const config = { host_id: '1', group: 'Kiosks' };
    const first = await plan({ config });
    await apply({ prior: stored(), planned: stored({ name: 'B2' }) });
    expect(emulator.state().hosts[0]?.name).toBe('B2');
    expect((await plan({ config })).planned).toEqual(first.planned);
  });

  test('shows a host that has enrolled since the run began', async () => {
    const time = { now };
    const core = await host({
      config: { max_age: '10s' },
      clock: { ...systemClock, now: () => time.now },
    });
    expect((await core.plan({ config: { name: 'NEW' } })).errors).toHaveLength(1);
    time.now += 10_001;
    core.emulator.edit({ kind: 'enroll', host: { id: '9', name: 'NEW' } });
    const { planned, errors } = await core.plan({ config: { name: 'NEW' } });
    expect(errors).toEqual([]);
    expect(planned).toMatchObject({ id: '9', adopted_name: 'NEW' });
  });
});

describe('a plan that changes a host', () => {
  test('keeps how the host was adopted, and each attribute that the configuration does not set', async () => {
    const prior = stored({ previously: null, adopted_name: null, adopted_group: null, group: null });
    const { planned, errors } = await (await host()).plan({
      prior,
      config: { host_id: '1', antivirus: 'installed' },
    });
    expect(errors).toEqual([]);
    expect(planned).toMatchObject({ ...prior, antivirus: 'installed', status: expect.anything() });
  });

  test('is that of the same host, even if no host has the new name', async () => {
    const { planned, errors, replaces } = await (await host()).plan({
      prior: stored(),
      config: { name: 'NEW' },
    });
    expect([errors, replaces]).toEqual([[], []]);
    expect(planned).toMatchObject({ id: '1', host_id: '1', name: 'NEW', group: 'Servers' });
  });

  test('does not follow a group that was renamed, if the configuration has its id', async () => {
    const prior = stored({ group: 'Old name', group_id: '17' });
    const config = { host_id: '1', group_id: '17' };
    expect((await (await host()).plan({ prior, config })).planned).toMatchObject(prior);
  });

  test('keeps the group when its id leaves the configuration, unless the new id is not known', async () => {
    const { plan } = await host();
    const prior = stored({ group_id: '17' });
    const removed = await plan({ prior, config: { host_id: '1' } });
    expect(removed.planned).toMatchObject({ group: 'Servers', group_id: null });
    const unsure = await plan({ prior, config: { host_id: '1', group_id: unknownValue() } });
    expect(isUnknown(unsure.planned?.['group'])).toBe(true);
    const named = await plan({ prior, config: { host_id: '1', group: unknownValue() } });
    expect(isUnknown(named.planned?.['group'])).toBe(true);
  });

  test('changes nothing if the configuration equals the state, and still finds faults', async () => {
    const { plan } = await host();
    const config = { host_id: '1', name: 'A', group: 'Servers' };
    expect(await plan({ prior: stored(), config })).toMatchObject({ planned: stored(), errors: [] });
    const gone = stored({ group: 'Gone' });
    const { errors, about } = await plan({ prior: gone, config: { ...config, group: 'Gone' } });
    expect([errors.length, about]).toEqual([1, ['group']]);
  });

  test('is a replacement only if the id of the host changes', async () => {
    const { plan } = await host();
    const other = await plan({ prior: stored(), config: { host_id: '2' } });
    expect(other.replaces).toEqual(['host_id']);
    const renamed = await plan({ prior: stored(), config: { host_id: '1', name: 'Z', group: 'Kiosks' } });
    expect(renamed.replaces).toEqual([]);
  });
});

describe('the anti-virus in a plan', () => {
  const config = { host_id: '1', antivirus: 'installed' };

  test.each<readonly [string, RecordValue | undefined, RecordValue]>([
    ['the configuration does not ask for it', undefined, { host_id: '1' }],
    ['it is not known whether it does', undefined, { host_id: '1', antivirus: unknownValue() }],
    ['the state has it', stored({ antivirus: 'installed' }), { ...config, name: 'Z', group: 'Kiosks' }],
  ])('is not checked if %s', async (_what, prior, asked) => {
    const { plan, actions } = await host();
    const { errors } = await plan({ ...(prior === undefined ? {} : { prior }), config: asked });
    expect(errors).toEqual([]);
    expect(actions()).toEqual(['listHostsWithGroups']);
  });

  test("is refused if its list can't be read, or does not have the host", async () => {
    const broken = [{ action: 'listAntivirusDetails', effect: { kind: 'status', status: 403 } }] as const;
    const lacking = [
      { action: 'listAntivirusDetails', effect: { kind: 'missing-hosts', ids: ['1'] } },
    ] as const;
    for (const faults of [broken, lacking]) {
      const { errors, about } = await (await host({ faults })).plan({ config });
      expect([errors.length, about]).toEqual([1, ['antivirus']]);
    }
  });

  const at = '2026-11-20T11:00:00.000Z';
  test.each([
    ['online', '1', inDoubt(now - hour), 'sends one call that asks the host to report'],
    ['offline', '5', inDoubt(now - hour), 'waits until the host is online'],
    ['refreshed', '5', inDoubt(now - hour, now), 'waits for the host to report'],
    [
      'refreshed two hours ago',
      '1',
      inDoubt(now - 3 * hour, now - 2 * hour),
      'still reports no install, so the apply requests it again',
    ],
    [
      'refreshed in the future',
      '1',
      inDoubt(now - hour, now + 1),
      'sends one call that asks the host to report',
    ],
  ])('in doubt on a host that is %s: the plan shows what the apply does', async (_what, id, memory, next) => {
    const prior = stored({ id, host_id: id, name: null, group: null, status: 'in-doubt' });
    const { warnings, errors, about } = await (await host()).plan({
      prior,
      config: { ...config, host_id: id },
      private: { installs: memory.installs.map((each) => ({ ...each, hostId: id })) },
    });
    expect(errors).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining(next)]);
    expect(warnings[0]).toContain(memory.installs[0]?.requestedAt === at ? at : '09:00:00');
    expect(about).toEqual(['antivirus']);
  });

  test('in doubt on a host that is not in the list any more is an error', async () => {
    const faults = [
      { action: 'listHostsWithGroups', effect: { kind: 'missing-hosts', ids: ['1'] } },
    ] as const;
    const { errors, about } = await (await host({ faults })).plan({ prior: stored(), config });
    expect(errors).toEqual([expect.stringContaining('Host 1 is not in the list')]);
    expect(about).toEqual(['antivirus']);
  });

  test('in doubt needs no warning once the list shows the install, or the window has passed', async () => {
    const { plan } = await host();
    const prior = stored({ id: '4', host_id: '4', name: 'D', group: null });
    const shown = await plan({
      prior,
      config: { host_id: '4', antivirus: 'installed' },
      private: inDoubt(now),
    });
    expect(shown.warnings).toEqual([]);
    const old = await plan({
      prior: stored(),
      config,
      private: inDoubt(now - 24 * hour),
    });
    expect(old.warnings).toEqual([]);
  });
});

describe('two resources for one host', () => {
  test.each<readonly [RecordValue, RecordValue, string, string]>([
    [{ name: 'X' }, { name: 'Y' }, 'two resources manage the name of host 1', 'name'],
    [{ group: 'Servers' }, { group: 'Kiosks' }, 'two resources manage the group of host 1', 'group'],
    [{ group: 'Servers' }, { group_id: '18' }, 'two resources manage the group of host 1', 'group_id'],
    [{ name: 'X' }, { name: 'X' }, 'both set it to "x"', 'name'],
    [{ group: 'Servers' }, { group: 'Servers' }, 'two resources manage the group of host 1', 'group'],
  ])('that want %j and %j are refused', async (one, other, text, attribute) => {
    const { plan } = await host();
    const first = { prior: stored(), config: { host_id: '1', ...one } };
    expect((await plan(first)).errors).toEqual([]);
    const { errors, about } = await plan({ prior: stored(), config: { host_id: '1', ...other } });
    expect([errors.length, about]).toEqual([1, [attribute]]);
    expect(errors[0]?.toLowerCase()).toContain(text);
  });

  test('are refused if they are equal, whether one of them is stored already or not', async () => {
    const config = { host_id: '1', name: 'X' };
    for (const [one, other] of [
      [{ prior: stored() }, {}],
      [{}, { prior: stored() }],
      [{}, {}],
    ]) {
      const { plan } = await host();
      expect((await plan({ ...one, config })).errors).toEqual([]);
      expect((await plan({ ...other, config })).errors).toEqual([
        expect.stringContaining('Two resources manage the name of host 1'),
      ]);
    }
  });

  test('that swap their hosts are not in conflict', async () => {
    const { plan } = await host();
    for (const [id, next] of [
      ['1', '2'],
      ['2', '1'],
    ] as const) {
      const config = { host_id: next, name: `N${next}` };
      const first = await plan({ prior: stored({ id, host_id: id, name: `N${id}` }), config });
      expect(first).toMatchObject({ errors: [], replaces: ['host_id'] });
      expect((await plan({ config, private: first.private ?? {} })).errors).toEqual([]);
    }
  });

  test('are refused if one of them deletes it, as after a new for_each key', async () => {
    const removed = { prior: stored({ on_destroy: 'delete' }), config: null };
    const replaced = {
      prior: stored({ on_destroy: 'delete' }),
      config: { host_id: '2', on_destroy: 'delete' },
    };
    for (const deletes of [removed, replaced]) {
      for (const isFirst of [true, false]) {
        const { plan } = await host();
        const keeps = { config: { host_id: '1' } };
        const [first, second] = isFirst ? [deletes, keeps] : [keeps, deletes];
        expect((await plan(first)).errors).toEqual([]);
        expect((await plan(second)).errors).toEqual([
          expect.stringContaining('One resource deletes host 1, and another one manages it'),
        ]);
      }
    }
  });

  test('that manage different attributes of it are compatible', async () => {
    const { plan } = await host();
    for (const config of [{ name: 'X' }, { group: 'Kiosks' }, { name: unknownValue() }, {}]) {
      expect((await plan({ prior: stored(), config: { host_id: '1', ...config } })).errors).toEqual([]);
    }
  });
});

describe('the memory of a plan of rampart_host', () => {
  test.each([
    ['accepted', accepted(now), 'forget'],
    ['in doubt', inDoubt(now), 'forget'],
    ['accepted', accepted(now), 'delete'],
  ])('contains the install that is %s, in an ordinary update', async (_what, memory, onDestroy) => {
    const { plan } = await host();
    const {
      warnings,
      errors,
      private: remembered,
    } = await plan({
      prior: stored({ on_destroy: onDestroy }),
      config: { host_id: '1', name: 'Z', on_destroy: onDestroy },
      private: memory,
    });
    expect([warnings, errors]).toEqual([[], []]);
    expect(remembered).toEqual({ ...memory, replaces: { hostId: '1', onDestroy } });
  });

  test('contains no deletion if the plan is refused anyway', async () => {
    const { plan } = await host();
    const prior = stored({ on_destroy: 'delete' });
    const { errors, warnings } = await plan({ prior, config: { host_id: '2', group: 'Gone' } });
    expect([errors.length, warnings]).toEqual([1, []]);
  });

  test('contains no deletion over the limit', async () => {
    const { plan } = await host({ clock: systemClock, config: { limits: { delete: '0' } } });
    const prior = stored({ on_destroy: 'delete' });
    const refused = await plan({ prior, config: { host_id: '2' } });
    expect(refused.errors).toEqual([
      expect.stringContaining('This run deletes 1 host, and 0 may be deleted'),
    ]);
  });

  test('shows the warnings of the new host together with those of the deleted one', async () => {
    const { plan } = await host({ config: { limits: { delete: '1' } } });
    const config = { host_id: '2', group_id: '99' };
    const shown = await plan({ prior: stored({ on_destroy: 'delete' }), config });
    expect(shown.warnings).toEqual([
      expect.stringContaining('99'),
      expect.stringContaining('This deletes host 1'),
    ]);
    const gone = stored({ id: '98', host_id: '98', on_destroy: 'delete' });
    const { errors, warnings } = await plan({ prior: gone, config });
    expect([errors, warnings]).toEqual([[], [expect.stringContaining('99')]]);
  });

  test('contains the deletion of the replaced host, even if the new one is not known yet', async () => {
    const { plan } = await host({ config: { limits: { delete: '1' } } });
    const { warnings, private: remembered } = await plan({
      config: { host_id: unknownValue() },
      private: { replaces: { hostId: '1', onDestroy: 'delete' } },
    });
    expect(warnings).toEqual([expect.stringContaining('This deletes host 1 "A", in "Servers"')]);
    expect(remembered).toEqual({ deletes: { name: 'A', groupId: '17' } });
  });
});

describe('the configuration of rampart_host', () => {
  test.each<readonly [RecordValue, string | null]>([
    [{ host_id: 'WEB-01' }, 'host_id'],
    [{ host_id: '1', name: '' }, 'name'],
    [{ host_id: '1', group: '' }, 'group'],
    [{ host_id: '1', group_id: 'Servers' }, 'group_id'],
    [{ host_id: '1', antivirus: 'removed' }, 'antivirus'],
    [{ host_id: '1', on_destroy: 'keep' }, 'on_destroy'],
    [{ host_id: '1', wait_for_enrollment: 'long' }, 'wait_for_enrollment'],
    [{ host_id: '1', group: 'Servers', group_id: '17' }, null],
    [{ group: 'Servers' }, null],
  ])('is refused as %j', async (config, attribute) => {
    const { errors, about } = await (await host()).validate(config);
    expect(errors).toHaveLength(1);
    if (attribute !== null) expect(about).toEqual([attribute]);
  });

  test.each<RecordValue>([
    { host_id: '9007199254740993' },
    { name: 'WEB-01', previously: ['WEB'], group_id: '-1', on_destroy: 'prevent' },
  ])('is accepted as %j', async (config) => {
    expect((await (await host()).validate(config)).errors).toEqual([]);
  });

  test('marks values in a plan that are never null, so that conditions on them are known', async () => {
    const { planned } = await (await host()).plan({ config: { host_id: unknownValue() } });
    const neverNull = Object.entries(planned ?? {})
      .filter(([, value]) => isUnknown(value) && value.promises !== null)
      .map(([name]) => name);
    expect(new Set(neverNull)).toEqual(new Set(['id', 'online', 'status']));
    const open = await (await host()).plan({ config: { name: 'NEW', wait_for_enrollment: '1m' } });
    expect(open.planned?.['host_id']).toEqual(unknownNotNull);
  });
});

test.each(Object.entries({ ...hostSchema.attributes, ...membersSchema.attributes }))(
  'the default of %s is allowed in a plan, because the attribute is optional and computed',
  (_name, attribute) => {
    const { default: given, optional, computed } = attribute as Attribute;
    if (given !== undefined) expect([optional, computed]).toEqual([true, true]);
  },
);

test('a field of every schema is required, optional or computed, as Terraform requires', async () => {
  const { call } = await host();
  const { resourceSchemas, dataSourceSchemas } = await call('GetProviderSchema');
  const none: string[] = [];
  for (const [type, schema] of [...Object.entries(resourceSchemas), ...Object.entries(dataSourceSchemas)]) {
    const blocks = [schema.block, ...(schema.block?.blockTypes ?? []).map(({ block }) => block)];
    const attributes = blocks.flatMap((block) => block?.attributes ?? []);
    for (const each of [
      ...attributes,
      ...attributes.flatMap(({ nestedType }) => nestedType?.attributes ?? []),
    ])
      if (!each.required && !each.optional && !each.computed) none.push(`${type}.${each.name}`);
  }
  expect(none).toEqual([]);
});

describe('a plan that deletes a host', () => {
  const deleted = { prior: stored({ on_destroy: 'delete' }), config: null };

  test("is refused if the list has no hosts, or can't be read", async () => {
    const core = await rampartCore({}, { clock });
    const empty = await resourceCalls(core, 'rampart_host').plan(deleted);
    expect(empty.errors).toEqual([expect.stringContaining('The list has no hosts, so it does not show')]);
    const faults = [{ action: 'listHostsWithGroups', effect: { kind: 'status', status: 403 } }] as const;
    const unread = await (await host({ faults })).plan(deleted);
    expect([unread.errors.length, unread.warnings]).toEqual([1, []]);
    expect(unread.errors.join()).not.toContain('unexpectedly');
  });

  test('is refused as a whole if on_destroy protects the host, or the same host would come back', async () => {
    const { plan, apply } = await host();
    const prior = stored({ on_destroy: 'prevent' });
    const memory = { deletes: { name: 'A', groupId: '17' } };
    const again = 'The replacement deletes host 1 "A", which then can\'t be adopted again';
    const before = (onDestroy: string) => ({ private: { replaces: { hostId: '1', onDestroy } } });
    for (const [text, { errors, about }] of [
      ['protected', await plan({ prior, config: null })],
      ['protected', await plan({ config: { host_id: '2' }, ...before('prevent') })],
      [again, await plan({ config: { host_id: '1' }, ...before('delete') })],
      ['protected', await apply({ prior, planned: null, private: memory })],
    ] as const) {
      expect(errors).toEqual([expect.stringContaining(text)]);
      expect(about).toEqual(['on_destroy']);
    }
  });
});

describe('a host that does not exist', () => {
  test('is a warning in the plan that would adopt it by its name, after a refresh that no longer finds it', async () => {
    const { read, plan } = await host();
    const config = { name: 'WAS-99' };
    expect((await plan({ config })).errors).toHaveLength(1);
    const gone = await read(stored({ id: '99', host_id: '99', name: 'WAS-99' }));
    expect(gone).toMatchObject({ state: null, errors: [] });
    const { errors, warnings, planned } = await plan({ config });
    expect(errors).toEqual([]);
    expect(warnings).toEqual([
      'The host "WAS-99" is not in the account anymore | The apply fails for this resource only. Remove the resource, or set wait_for_enrollment to wait for the host.',
    ]);
    expect(isUnknown(planned?.['id'])).toBe(true);
    await read(stored({ id: '98', host_id: '98', name: 'twin' }));
    expect((await plan({ config: { name: 'TwIn' } })).errors).toHaveLength(1);
  });

  test('is a warning in every plan that would adopt it by its id', async () => {
    const { read, plan } = await host();
    const config = { host_id: '99' };
    const before = await plan({ config });
    expect(before.errors).toEqual([]);
    expect(before.warnings).toEqual([
      'Host 99 is not in the account | The apply fails for this resource only. Check the id, remove the resource, or set wait_for_enrollment to wait for the host.',
    ]);
    expect(isUnknown(before.planned?.['id'])).toBe(true);
    await read(stored({ id: '99', host_id: '99' }));
    const after = await plan({ config });
    expect(after.warnings).toEqual([expect.stringContaining('Host 99 is not in the account anymore |')]);
  });

  test.each(['delete', 'forget'])(
    'is an error in the plan of a replacement, which would %s the host before',
    async (onDestroy) => {
      const { read, plan } = await host();
      await read(stored({ id: '99', host_id: '99' }));
      const replaces = { replaces: { hostId: '1', onDestroy } };
      const { errors, about } = await plan({ config: { host_id: '99' }, private: replaces });
      expect([errors, about]).toEqual([[expect.stringContaining('Host 99 is not in the list')], ['host_id']]);
    },
  );

  test('is an error in the plan if the list has no hosts, because the list may be wrong', async () => {
    const core = await rampartCore({ hosts: [] }, { clock });
    const { errors } = await resourceCalls(core, 'rampart_host').plan({ config: { host_id: '99' } });
    expect(errors).toEqual([expect.stringContaining('The list has no hosts')]);
  });
});

describe('a name that two hosts request', () => {
  test('is an error in the plan of the second, in any letter case', async () => {
    const { plan } = await host();
    expect((await plan({ config: { host_id: '1', name: 'NEW' } })).errors).toEqual([]);
    const { errors, about } = await plan({ config: { host_id: '2', name: 'new' } });
    expect(errors).toEqual([expect.stringContaining('Host 2 and host 1 both request the name "new"')]);
    expect(about).toEqual(['name']);
  });

  test('is not an error if one resource is planned twice, for the host before and the host after', async () => {
    const { plan } = await host();
    const config = { host_id: '2', name: 'NEW' };
    expect((await plan({ prior: stored({ name: 'NEW' }), config })).errors).toEqual([]);
    expect((await plan({ config })).errors).toEqual([]);
  });

  test('is an error in the plan of a whole fleet too, except for a host that it deletes', async () => {
    const core = await host();
    expect((await core.plan({ config: { host_id: '1', name: 'NEW' } })).errors).toEqual([]);
    const fleets = resourceCalls(core, 'rampart_fleet');
    const content = 'version: 1\nhosts:\n  - { id: 2, name: NEW }\n';
    expect((await fleets.plan({ config: { content } })).errors).toEqual([
      expect.stringContaining('Host 2 and host 1 both request the name "NEW"'),
    ]);
  });
});

describe('the status in the plan of an update', () => {
  test('is known only if the apply writes nothing, and the last one was complete', async () => {
    const statusOf = async (prior: RecordValue, config: RecordValue) => {
      const { plan } = await host();
      const { planned } = await plan({
        prior: stored(prior),
        config: { host_id: '1', name: 'Z', ...config },
      });
      return planned?.['status'];
    };
    const named = { name: 'Z' };
    expect(await statusOf(named, {})).toBe('settled');
    expect(await statusOf(named, { on_destroy: 'delete' })).toBe('settled');
    expect(isUnknown(await statusOf({ ...named, status: 'temporary-name' }, { on_destroy: 'delete' }))).toBe(
      true,
    );
    expect(isUnknown(await statusOf({}, {}))).toBe(true);
    expect(isUnknown(await statusOf(named, { group: 'Kiosks' }))).toBe(true);
    expect(isUnknown(await statusOf(named, { group_id: unknownValue() }))).toBe(true);
    expect(isUnknown(await statusOf(named, { antivirus: 'installed' }))).toBe(true);
  });
});
