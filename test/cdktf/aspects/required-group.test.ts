import { TerraformIterator, TerraformStack, TerraformVariable } from 'cdktf';
import { describe, expect, test } from 'vitest';
import {
  Fleet,
  GroupMembers,
  Host,
  RequiredGroup,
  type RequiredGroupProps,
} from '../../../src/cdktf/index.ts';
import { linesOf, type Make } from '../given/findings-in.ts';

const findingsOf = (props: RequiredGroupProps, make: Make) =>
  linesOf('required-group', [new RequiredGroup(props)], make);

describe('without a list of groups', () => {
  test('a host needs one', () => {
    expect(
      findingsOf({}, (stack) => {
        new Host(stack, 'one', { hostId: '1' });
        new Host(stack, 'two', { hostId: '2', groupId: '-1' });
        new Host(stack, 'three', { hostId: '3', group: 'Kiosks' });
        new Host(stack, 'four', { hostId: '4', groupId: '17' });
      }),
    ).toEqual([
      'error fleet/one: nothing assigns host 1 to a group',
      'error fleet/two: host 2 would be in no group',
    ]);
  });

  test('a list of members anywhere in the app is as good, by id or by reference', () => {
    expect(
      findingsOf({}, (stack, app) => {
        new Host(stack, 'one', { hostId: '1' });
        const two = new Host(stack, 'two', { name: 'TWO' });
        new GroupMembers(stack, 'kiosks', { group: 'Kiosks', hostIds: [two.id] });
        const other = new TerraformStack(app, 'other');
        new GroupMembers(other, 'more', { group: 'More', hostIds: ['1'] });
        new Host(stack, 'three', { hostId: '3' });
      }),
    ).toEqual(['error fleet/three: nothing assigns host 3 to a group']);
  });

  test('if only Terraform knows the members, a host without a group is a warning', () => {
    expect(
      findingsOf({}, (stack) => {
        new Host(stack, 'one', { hostId: '1' });
        const { listValue } = new TerraformVariable(stack, 'ids', { type: 'list(string)' });
        new GroupMembers(stack, 'kiosks', { group: 'Kiosks', hostIds: listValue });
      }),
    ).toEqual([
      'warn fleet/one: nothing assigns host 1 to a group, except perhaps a list that only Terraform knows',
    ]);
  });

  test('an authoritative list leaves hosts without a group', () => {
    const make = (mode: string) =>
      findingsOf(
        {},
        (stack) => void new GroupMembers(stack, 'kiosks', { group: 'Kiosks', hostIds: ['1'], mode }),
      );
    expect(make('additive')).toEqual([]);
    expect(make('authoritative')).toEqual([
      'warn fleet/kiosks: the members: a host that is removed from the group "Kiosks" is then in no group',
    ]);
  });
});

describe('with a list of groups', () => {
  const groups = ['Kiosks', { id: '17', name: 'Berlin Servers' }];

  test('a host is in one of them, by the name or the id that is listed', () => {
    expect(
      findingsOf({ groups }, (stack) => {
        new Host(stack, 'one', { hostId: '1', group: 'Kiosks' });
        new Host(stack, 'two', { hostId: '2', group: 'Berlin Servers' });
        new Host(stack, 'three', { hostId: '3', groupId: '17' });
        new Host(stack, 'four', { hostId: '4', group: 'kiosks' });
        new Host(stack, 'five', { hostId: '5', groupId: '18' });
        new GroupMembers(stack, 'six', { group: 'Attic', hostIds: ['1'] });
      }),
    ).toEqual([
      'error fleet/four: host 4: the group "kiosks" is not "Kiosks" or "Berlin Servers" (17)',
      'error fleet/five: host 5: group 18 is not "Kiosks" or "Berlin Servers" (17)',
      'error fleet/six: the members: the group "Attic" is not "Kiosks" or "Berlin Servers" (17)',
    ]);
  });

  test('a group of an iterator is a warning', () => {
    expect(
      findingsOf({ groups }, (stack) => {
        const { value } = new TerraformVariable(stack, 'hosts', { type: 'map(any)' });
        const hosts = TerraformIterator.fromMap(value);
        new Host(stack, 'all', { forEach: hosts, hostId: hosts.key, group: hosts.getString('group') });
      }),
    ).toEqual(['warn fleet/all: the group of the host is known only to Terraform, so it is not checked']);
  });

  test('entries, rules and policies of a desired state count', () => {
    const content = [
      'version: 1',
      'hosts:',
      '  - { id: 1, name: A, group: Attic }',
      '  - { id: 2, name: B, group: { id: 17 } }',
      '  - { id: 3, name: C, group: null }',
      '  - { id: 4, ensure: absent }',
      '  - { id: 5, name: E }',
      'rules:',
      "  - { name: web, when: 'host.online', group: Cellar }",
    ].join('\n');
    expect(findingsOf({ groups }, (stack) => void new Fleet(stack, 'all', { content }))).toEqual([
      'error fleet/all: fleet.yaml:3:7: host 1: the group "Attic" is not "Kiosks" or "Berlin Servers" (17)',
      'error fleet/all: fleet.yaml:5:7: host 3 would be in no group',
      'error fleet/all: fleet.yaml:9:7: the rule "web": the group "Cellar" is not "Kiosks" or "Berlin Servers" (17)',
      'warn fleet/all: fleet.yaml:7:7: nothing assigns host 5 to a group, except perhaps a list that only Terraform knows',
    ]);
  });
});

test.each<[string, RequiredGroupProps, string]>([
  ['no group at all', { groups: [] }, 'RequiredGroup: groups is empty'],
  ['a group without a name', { groups: [''] }, 'a group without a name'],
  ['an id that is none', { groups: [{ id: 'Kiosks' }] }, '"Kiosks" is not a group id'],
])('%s is refused', (_case, props, message) => expect(() => new RequiredGroup(props)).toThrow(message));
