import { describe, expect, test } from 'vitest';
import type { Schema } from '../../../src/terraform/protocol/schema/schema.ts';
import {
  isUnknown,
  type RecordValue,
  unknownValue,
  type Value,
} from '../../../src/terraform/protocol/value/value.ts';
import { hostSchema } from '../../../src/terraform/provider/host/schema.ts';
import { membersSchema } from '../../../src/terraform/provider/members/members-schema.ts';
import { proposedNew } from '../protocol/given/core.ts';
import { emptyOf, type RampartCore, rampartCore } from './given/rampart-core.ts';

const schemas: Readonly<Record<string, Schema>> = {
  rampart_host: hostSchema,
  rampart_group_members: membersSchema,
};

interface Asked {
  readonly prior?: RecordValue;
  /** Null: it will be destroyed. */
  readonly config: RecordValue | null;
  readonly private?: object;
}

/** Plans as Terraform does. */
async function plan({ call, valueOf, recordOf }: RampartCore, type: string, asked: Asked) {
  const schema = schemas[type] as Schema;
  const full = (record: RecordValue) => ({ ...emptyOf(schema), ...record });
  const prior = asked.prior === undefined ? null : full(asked.prior);
  const config = asked.config === null ? null : full(asked.config);
  const response = await call('PlanResourceChange', {
    typeName: type,
    priorState: valueOf(type, prior),
    config: valueOf(type, config),
    proposedNewState: valueOf(type, config === null ? null : proposedNew(schema, prior, config)),
    priorPrivate: new TextEncoder().encode(JSON.stringify(asked.private ?? {})),
  });
  const told = new TextDecoder().decode(response.plannedPrivate);
  return {
    planned: recordOf(type, response.plannedState),
    texts: response.diagnostics.map(({ summary, detail }) => `${summary} | ${detail}`),
    private: told === '' ? null : (JSON.parse(told) as object),
  };
}

const fleet = {
  groups: [
    { id: '17', name: 'Servers' },
    { id: '18', name: 'Kiosks' },
  ],
  hosts: Array.from({ length: 50 }, (_, index) => ({
    id: `${index + 1}`,
    name: `H${index + 1}`,
    groupId: index < 40 ? '18' : index < 45 ? '17' : '-1',
  })),
};
const ids = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}`);
const all = { group: 'Kiosks', mode: 'authoritative' };
const stored = { ...all, id: '18', joins: {}, evicts: {} };
const idsIn = (moves: Value | undefined) => Object.keys(moves as RecordValue);

describe('a plan of rampart_group_members', () => {
  test('lists which hosts join, from where, and which are evicted', async () => {
    const core = await rampartCore(fleet);
    const { planned, texts } = await plan(core, 'rampart_group_members', {
      config: { ...all, host_ids: [...ids(3, 40), '41', '50'] },
    });
    expect(planned).toMatchObject({
      id: '18',
      joins: { 41: "'H41' from 'Servers'", 50: "'H50' from no group" },
      evicts: { 1: "'H1'", 2: "'H2'" },
    });
    expect(texts).toEqual([
      '2 hosts leave the group "Kiosks" | The mode is "authoritative", and host_ids does not list host 1 "H1", host 2 "H2". They are in no group afterwards.',
    ]);
  });

  test.each([
    [5, undefined, []],
    [6, undefined, ['The plan removes 6 hosts from the group, and the limit is 5']],
    [6, 6, []],
    [6, 7, ['The plan removes 6 hosts from the group, and acks approves 7']],
    [1, 2, ['The plan removes 1 host from the group, and acks approves 2']],
    [0, 1, ['The plan removes 0 hosts from the group, and acks approves 1']],
  ])('that evicts %d of a fleet of 50 with an approval of %s', async (count, approved, refusals) => {
    const core = await rampartCore(fleet);
    const acks = approved === undefined ? null : { evict: approved };
    const { texts } = await plan(core, 'rampart_group_members', {
      config: { ...all, host_ids: ids(count + 1, 40), acks },
    });
    expect(
      texts.filter((text) => !text.includes('the group "Kiosks"')).map((text) => text.split(' | ')[0]),
    ).toEqual(refusals);
    expect(texts.some((text) => text.startsWith(`${count} host`))).toBe(count > 0);
  });

  test('lists twenty of many, and a group by its id', async () => {
    const core = await rampartCore({ ...fleet, groups: [] });
    const { texts } = await plan(core, 'rampart_group_members', {
      config: { group_id: '18', mode: 'authoritative', host_ids: ids(22, 40), acks: { evict: 21 } },
    });
    const warned = texts.find((text) => text.startsWith('21 hosts leave the group 18 | '));
    expect(warned).toContain('host 20 "H20" and 1 more. They are in no group afterwards.');
  });

  test('leaves all others alone if it is additive', async () => {
    const core = await rampartCore(fleet);
    const { planned, texts } = await plan(core, 'rampart_group_members', {
      config: { group: 'Kiosks', host_ids: ['1', '50'] },
    });
    expect(planned).toMatchObject({ joins: { 50: expect.any(String) }, evicts: {} });
    expect(texts).toEqual([]);
  });

  test('evicts only hosts of the state, and adds only hosts that are not in it', async () => {
    const core = await rampartCore(fleet);
    const { planned } = await plan(core, 'rampart_group_members', {
      prior: { ...stored, host_ids: [...ids(1, 3), '45'] },
      config: { ...all, host_ids: ['1', '45', '46'] },
    });
    expect([idsIn(planned?.['joins']), idsIn(planned?.['evicts'])]).toEqual([['46'], ['2', '3']]);
    const turned = await plan(await rampartCore(fleet), 'rampart_group_members', {
      prior: { ...stored, mode: 'additive', host_ids: ['1'] },
      config: { ...all, host_ids: ids(1, 38) },
    });
    expect([idsIn(turned.planned?.['joins']), idsIn(turned.planned?.['evicts'])]).toEqual([[], ['39', '40']]);
  });

  test('shows nothing if nothing changes, whatever joined the group since', async () => {
    const core = await rampartCore(fleet);
    const prior = { ...stored, host_ids: ['1'], evicts: { 9: "'H9'" } };
    const { planned, texts } = await plan(core, 'rampart_group_members', {
      prior,
      config: { ...all, host_ids: ['1'] },
    });
    expect(planned).toMatchObject(prior);
    expect(texts).toEqual([]);
  });

  test.each<readonly [string, RecordValue]>([
    ['list', { host_ids: unknownValue() }],
    ['id', { host_ids: ['1', unknownValue()] }],
    ['mode', { host_ids: ['1'], mode: unknownValue() }],
  ])('reports a %s that is not known yet', async (_what, unsure) => {
    const core = await rampartCore(fleet);
    const { planned, texts } = await plan(core, 'rampart_group_members', { config: { ...all, ...unsure } });
    expect([planned?.['joins'], planned?.['evicts']].every(isUnknown)).toBe(true);
    expect(texts.join()).toContain('This plan does not show which hosts the apply moves');
  });

  test('names missing hosts, and a missing group', async () => {
    const core = await rampartCore(fleet);
    const missing = await plan(core, 'rampart_group_members', { config: { ...all, host_ids: ['99'] } });
    expect(missing.texts.join()).toContain('Host 99 is not in the list');
    const unknown = await plan(core, 'rampart_group_members', {
      config: { ...all, group: 'Kiosk', host_ids: ['1'] },
    });
    expect(unknown.texts.join()).toContain('Kiosk');
    expect(unknown.planned).toBeNull();
  });
});

describe('a plan that deletes a host', () => {
  const state = (id: string, on_destroy = 'delete') => ({
    id,
    host_id: id,
    name: `H${id}`,
    group: 'Kiosks',
    online: true,
    on_destroy,
    status: 'settled',
  });

  test('warns, and remembers the host as it is', async () => {
    const core = await rampartCore(fleet);
    const { texts, private: remembered } = await plan(core, 'rampart_host', {
      prior: state('1'),
      config: null,
    });
    expect(texts).toEqual([
      'A host is deleted from the account | This deletes host 1 "H1", in "Kiosks", because its on_destroy is "delete". A deletion can\'t be undone.',
    ]);
    expect(remembered).toEqual({ deletes: { name: 'H1', groupId: '18' } });
    const ungrouped = await plan(core, 'rampart_host', { prior: state('50'), config: null });
    expect(ungrouped.texts.join()).toContain('host 50 "H50", in no group, because');
  });

  test('is one of all in the run, and the limit applies to all together', async () => {
    const core = await rampartCore(fleet);
    const plans = await Promise.all(
      ids(1, 6).map((id) => plan(core, 'rampart_host', { prior: state(id), config: null })),
    );
    const refusals = plans.flatMap(({ texts }) => texts.filter((text) => text.startsWith('This run')));
    expect(refusals).toEqual([expect.stringContaining('This run deletes 6 hosts, and 5 may be deleted')]);
  });

  test('of an already deleted host deletes nothing', async () => {
    const core = await rampartCore(fleet);
    const gone = await plan(core, 'rampart_host', { prior: state('99'), config: null });
    expect(gone).toMatchObject({ texts: [], private: { deletes: null } });
  });

  test('with another id counts if Terraform plans it first, and is remembered if Terraform plans it again', async () => {
    const core = await rampartCore(fleet);
    const first = await plan(core, 'rampart_host', {
      prior: state('1'),
      config: { host_id: '2', on_destroy: 'delete' },
    });
    expect(first.texts.join()).toContain('This deletes host 1 "H1"');
    expect(first.private).toMatchObject({ replaces: { hostId: '1', onDestroy: 'delete' } });
    const again = await plan(core, 'rampart_host', {
      config: { host_id: '2' },
      private: first.private ?? {},
    });
    expect(again.private).toMatchObject({ deletes: { name: 'H1', groupId: '18' } });
    expect(again.planned).toMatchObject({ id: '2', adopted_name: 'H2', adopted_group: 'Kiosks' });
  });

  test('is refused if the same host would be adopted again, or is protected', async () => {
    const core = await rampartCore(fleet);
    const { private: remembered } = await plan(core, 'rampart_host', {
      prior: state('1'),
      config: { host_id: '1' },
    });
    const again = await plan(core, 'rampart_host', { config: { host_id: '1' }, private: remembered ?? {} });
    expect(again.texts.join()).toContain(
      'The replacement deletes host 1 "H1", which then can\'t be adopted again',
    );
    const kept = { private: { replaces: { hostId: '1', onDestroy: 'prevent' } } };
    expect((await plan(core, 'rampart_host', { config: { host_id: '2' }, ...kept })).texts.join()).toContain(
      'protected',
    );
    expect(
      (await plan(core, 'rampart_host', { prior: state('1', 'prevent'), config: null })).texts.join(),
    ).toContain('protected');
  });

  test('does not count if the host is only forgotten', async () => {
    const core = await rampartCore(fleet);
    const first = await plan(core, 'rampart_host', { prior: state('1', 'forget'), config: { host_id: '2' } });
    expect(first).toMatchObject({ texts: [], private: {} });
    expect(await plan(core, 'rampart_host', { prior: state('1', 'forget'), config: null })).toMatchObject({
      texts: [],
    });
  });
});
