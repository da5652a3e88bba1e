import { describe, expect, test } from 'vitest';
import {
  isUnknown,
  type RecordValue,
  unknownValue,
  type Value,
} from '../../../src/terraform/protocol/value/value.ts';
import { rampartCore } from './given/rampart-core.ts';
import { resourceCalls } from './given/resource-calls.ts';

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
const given = async (type: string, parts = fleet) => resourceCalls(await rampartCore(parts), type);
const ids = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}`);
const all = { group: 'Kiosks', mode: 'authoritative' };
const stored = { ...all, id: '18', joins: {}, evicts: {} };
const idsIn = (moves: Value | undefined) => Object.keys(moves as RecordValue);

describe('a plan of rampart_group_members', () => {
  test('lists which hosts join, from where, and which are evicted', async () => {
    const { plan } = await given('rampart_group_members');
    expect(await plan({ config: { ...all, host_ids: [...ids(3, 40), '41', '50'] } })).toMatchObject({
      planned: {
        id: '18',
        joins: { 41: "'H41' from 'Servers'", 50: "'H50' from no group" },
        evicts: { 1: "'H1'", 2: "'H2'" },
      },
      errors: [],
      warnings: [
        '2 hosts leave the group "Kiosks" | The mode is "authoritative", and host_ids does not list host 1 "H1", host 2 "H2". They are in no group afterwards.',
      ],
    });
  });

  test.each([
    [5, undefined, []],
    [6, undefined, ['The plan removes 6 hosts from the group, and the limit is 5']],
    [6, 6, []],
    [6, 7, ['The plan removes 6 hosts from the group, and acks approves 7']],
    [1, 2, ['The plan removes 1 host from the group, and acks approves 2']],
    [0, 1, ['The plan removes 0 hosts from the group, and acks approves 1']],
  ])('that evicts %d of a fleet of 50 with an approval of %s', async (count, approved, refusals) => {
    const { plan } = await given('rampart_group_members');
    const acks = approved === undefined ? null : { evict: approved };
    const { errors, warnings } = await plan({ config: { ...all, host_ids: ids(count + 1, 40), acks } });
    expect(errors.map((text) => text.split(' | ')[0])).toEqual(refusals);
    expect(warnings).toEqual(count === 0 ? [] : [expect.stringMatching(`^${count} host`)]);
  });

  test('names a group by its id if its name is not known', async () => {
    const { plan } = await given('rampart_group_members', { ...fleet, groups: [] });
    const config = { group_id: '18', mode: 'authoritative', host_ids: ids(22, 40), acks: { evict: 21 } };
    const { warnings } = await plan({ config });
    expect(warnings.join()).toMatch(/,21 hosts leave the group 18 \| .*host 20 "H20" and 1 more\. They/);
  });

  test('evicts only hosts of the state, adds only hosts that are not in it, and evicts none if it is additive', async () => {
    const moves = async (asked: { readonly prior?: RecordValue; readonly config: RecordValue }) => {
      const { planned } = await (await given('rampart_group_members')).plan(asked);
      return [idsIn(planned?.['joins']), idsIn(planned?.['evicts'])];
    };
    const prior = { ...stored, host_ids: [...ids(1, 3), '45'] };
    const listed = await moves({ prior, config: { ...all, host_ids: ['1', '45', '46'] } });
    expect(listed).toEqual([['46'], ['2', '3']]);
    const added = { ...stored, mode: 'additive', host_ids: ['1'] };
    const turned = await moves({ prior: added, config: { ...all, host_ids: ids(1, 38) } });
    expect(turned).toEqual([[], ['39', '40']]);
    expect(await moves({ config: { group: 'Kiosks', host_ids: ['1', '50'] } })).toEqual([['50'], []]);
  });

  test('shows nothing if nothing changes, whatever joined the group since', async () => {
    const { plan } = await given('rampart_group_members');
    const prior = { ...stored, host_ids: ['1'], evicts: { 9: "'H9'" } };
    const made = await plan({ prior, config: { ...all, host_ids: ['1'] } });
    expect(made).toMatchObject({ planned: prior, errors: [], warnings: [] });
  });

  test.each<readonly [string, RecordValue]>([
    ['list', { host_ids: unknownValue() }],
    ['id', { host_ids: ['1', unknownValue()] }],
    ['mode', { host_ids: ['1'], mode: unknownValue() }],
  ])('reports a %s that is not known yet', async (_what, unsure) => {
    const { plan } = await given('rampart_group_members');
    const { planned, warnings } = await plan({ config: { ...all, ...unsure } });
    expect([planned?.['joins'], planned?.['evicts']].every(isUnknown)).toBe(true);
    expect(warnings.join()).toContain('This plan does not show which hosts the apply moves');
  });

  test('names a missing host, and a missing group', async () => {
    const { plan } = await given('rampart_group_members');
    const missing = await plan({ config: { ...all, host_ids: ['99'] } });
    expect(missing.errors.join()).toContain('Host 99 is not in the list');
    const unknown = await plan({ config: { ...all, group: 'Kiosk', host_ids: ['1'] } });
    expect(unknown).toMatchObject({ planned: null, errors: [expect.stringContaining('Kiosk')] });
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
    const { plan } = await given('rampart_host');
    expect(await plan({ prior: state('1'), config: null })).toMatchObject({
      errors: [],
      warnings: [
        'A host is deleted from the account | This deletes host 1 "H1", in "Kiosks", because its on_destroy is "delete". A deletion can\'t be undone.',
      ],
      private: { deletes: { name: 'H1', groupId: '18' } },
    });
    const { warnings } = await plan({ prior: state('50'), config: null });
    expect(warnings.join()).toContain('host 50 "H50", in no group, because');
  });

  test('is one of all in the run, and the limit applies to all together', async () => {
    const { plan } = await given('rampart_host');
    const plans = await Promise.all(ids(1, 6).map((id) => plan({ prior: state(id), config: null })));
    const refused = expect.stringContaining('This run deletes 6 hosts, and 5 may be deleted') as unknown;
    expect(plans.flatMap(({ errors }) => errors)).toEqual([refused]);
  });

  test('does not count if the host is already deleted, or only forgotten', async () => {
    const { plan } = await given('rampart_host');
    const none = { errors: [], warnings: [] };
    const gone = await plan({ prior: state('99'), config: null });
    expect(gone).toMatchObject({ ...none, private: { deletes: null } });
    const forgotten = state('1', 'forget');
    expect(await plan({ prior: forgotten, config: { host_id: '2' } })).toMatchObject(none);
    expect(await plan({ prior: forgotten, config: null })).toMatchObject(none);
  });

  test('with another id counts if Terraform plans it first, and is remembered if Terraform plans it again', async () => {
    const { plan } = await given('rampart_host');
    const first = await plan({ prior: state('1'), config: { host_id: '2', on_destroy: 'delete' } });
    expect(first.warnings.join()).toContain('This deletes host 1 "H1"');
    expect(first.private).toMatchObject({ replaces: { hostId: '1', onDestroy: 'delete' } });
    const again = await plan({ config: { host_id: '2' }, private: first.private ?? {} });
    expect(again.private).toMatchObject({ deletes: { name: 'H1', groupId: '18' } });
    expect(again.planned).toMatchObject({ id: '2', adopted_name: 'H2', adopted_group: 'Kiosks' });
  });
});
