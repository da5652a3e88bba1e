import { TerraformVariable } from 'cdktf';
import { describe, expect, test } from 'vitest';
import {
  Fleet,
  GroupMembers,
  Host,
  type HostConfig,
  ProtectedHosts,
  type ProtectedHostsProps,
} from '../../../src/cdktf/index.ts';
import { findingsIn } from '../given/findings-in.ts';

const rule = 'rampart:protected-hosts: ';

function findingsOf(props: ProtectedHostsProps, make: Parameters<typeof findingsIn>[1]): readonly string[] {
  return findingsIn([new ProtectedHosts(props)], make).map(({ level, message }) =>
    `${level} ${message}`.replace(rule, ''),
  );
}

const dc = { id: '1', name: 'DC-01', group: 'Domain Controllers' };
const hosts = [dc];

describe('a host that is protected', () => {
  test.each<[string, HostConfig, readonly string[]]>([
    ['may be said as it is', { hostId: '1', name: 'DC-01', group: 'Domain Controllers' }, []],
    [
      'is not renamed',
      { hostId: '1', name: 'DC-02' },
      ['error host 1 is protected from renames, and would be renamed to "DC-02"'],
    ],
    [
      'is not moved',
      { hostId: '1', group: 'Attic' },
      ['error host 1 is protected from moves, and would be moved to the group "Attic"'],
    ],
    [
      'is not taken out of its group',
      { hostId: '1', groupId: '-1' },
      ['error host 1 is protected from moves, and would be moved to no group'],
    ],
    [
      'is not deleted',
      { hostId: '1', onDestroy: 'delete' },
      [
        'error host 1 is protected from deletion, and would be deleted with its resource: on_destroy is "delete"',
      ],
    ],
    [
      'is found by its name',
      { name: 'DC-01', group: 'Attic' },
      ['error the host "DC-01" is protected from moves, and would be moved to the group "Attic"'],
    ],
    [
      'is found by an earlier name',
      { name: 'NEW', previously: ['DC-01'] },
      ['error the host "NEW" is protected from renames, and would be renamed to "NEW"'],
    ],
    ['may have the anti-virus', { hostId: '1', antivirus: 'installed' }, []],
    ['is another than one with that name and another id', { hostId: '2', group: 'Attic' }, []],
  ])('%s', (_case, config, expected) =>
    expect(findingsOf({ hosts }, (stack) => void new Host(stack, 'host', config))).toEqual(expected),
  );

  test('is protected only from what is named', () => {
    const all: HostConfig = { hostId: '1', name: 'X', group: 'Attic', onDestroy: 'delete' };
    expect(findingsOf({ hosts, from: ['move'] }, (stack) => void new Host(stack, 'host', all))).toEqual([
      'error host 1 is protected from moves, and would be moved to the group "Attic"',
    ]);
  });

  test('may be neither renamed nor moved if only its id is given', () => {
    const config: HostConfig = { hostId: '1', name: 'DC-01', group: 'Domain Controllers' };
    expect(
      findingsOf({ hosts: [{ id: '1' }] }, (stack) => void new Host(stack, 'host', config)),
    ).toHaveLength(2);
  });

  test('is not moved by a list of members, by id or by reference, nor emptied out by one', () => {
    expect(
      findingsOf({ hosts }, (stack) => {
        const host = new Host(stack, 'host', { hostId: '1' });
        new GroupMembers(stack, 'attic', { group: 'Attic', hostIds: [host.id] });
        new GroupMembers(stack, 'own', {
          group: 'Domain Controllers',
          hostIds: ['2'],
          mode: 'authoritative',
        });
        new GroupMembers(stack, 'same', {
          group: 'Domain Controllers',
          hostIds: ['1'],
          mode: 'authoritative',
        });
      }),
    ).toEqual([
      'error host 1 is protected from moves, and would be moved to the group "Attic"',
      'error host 1 is protected from moves, and would be removed from the group "Domain Controllers"',
    ]);
  });

  test('is reported as unknown if only Terraform knows the host', () => {
    expect(
      findingsOf({ hosts }, (stack) => {
        const { stringValue } = new TerraformVariable(stack, 'id', { type: 'string' });
        new Host(stack, 'host', { hostId: stringValue });
      }),
    ).toEqual([
      'warn Rampart does not check whether the host is protected, because only Terraform knows its id and name',
    ]);
  });
});

describe('a group that is protected', () => {
  const groups = ['Domain Controllers'];

  test('keeps the hosts that the stack says are in it', () => {
    expect(
      findingsOf({ groups }, (stack) => {
        new Host(stack, 'one', { hostId: '1', group: 'Domain Controllers' });
        new Host(stack, 'two', { hostId: '2', name: 'DC-02', group: 'Domain Controllers' });
        new Host(stack, 'three', { hostId: '3', group: 'Domain Controllers', onDestroy: 'delete' });
        new Host(stack, 'four', { name: 'DC-04', group: 'Domain Controllers' });
        new Host(stack, 'five', { hostId: '5', name: 'WEB', group: 'Servers', onDestroy: 'delete' });
      }),
    ).toEqual([
      'error host 2 is protected from renames: a host of the group "Domain Controllers", and would be renamed to "DC-02"',
      'error host 3 is protected from deletion: a host of the group "Domain Controllers", and would be deleted with its resource: on_destroy is "delete"',
    ]);
  });

  test('is not emptied by an authoritative list, nor by an exclusive policy', () => {
    const content = [
      'version: 1',
      'hosts: []',
      'groups:',
      '  - { group: Domain Controllers, exclusive: true, othersTo: Attic }',
    ].join('\n');
    expect(
      findingsOf({ groups }, (stack) => {
        new GroupMembers(stack, 'dc', { group: 'Domain Controllers', hostIds: ['1'], mode: 'authoritative' });
        new GroupMembers(stack, 'add', { group: 'Domain Controllers', hostIds: ['1'] });
        new Fleet(stack, 'all', { content });
      }),
    ).toEqual([
      'error the members: every host that is not listed would be removed from the group "Domain Controllers", which is protected',
      'error fleet.yaml:4:7: the members: every host that is not listed would be removed from the group "Domain Controllers", which is protected',
    ]);
  });
});

test('entries of a desired state are checked, and the effects of its rules are warnings', () => {
  const content = [
    'version: 1',
    'hosts:',
    '  - { id: 1, ensure: absent }',
    '  - { id: 2, name: NEW, current: DC-01 }',
    'rules:',
    '  - { name: web, when: \'host.online\', rename: "WEB-${host.id}", group: Web }',
  ].join('\n');
  expect(
    findingsOf({ hosts: [dc, { name: 'DC-01' }] }, (stack) => {
      new Fleet(stack, 'all', { content: content.replaceAll('${', () => '$${') });
    }),
  ).toEqual([
    'error fleet.yaml:3:7: host 1 is protected from deletion, and would be deleted: ensure is "absent"',
    'error fleet.yaml:4:7: host 2 is protected from renames, and would be renamed to "NEW"',
    'warn fleet.yaml:6:7: the rule "web" may rename or move protected hosts, which only a plan can check: also protect them with policy.protect',
  ]);
});

test.each<[string, ProtectedHostsProps, string]>([
  ['nothing at all', {}, 'set hosts or groups'],
  ["a host that can't be identified", { hosts: [{ group: 'A' }] }, 'a host with neither id nor name'],
  ['an id that is none', { hosts: [{ id: 'DC-01' }] }, '"DC-01" is not a host id'],
  ['protection from nothing', { groups: ['A'], from: [] }, 'from is empty'],
  ['a group without a name', { groups: [''] }, 'a group without a name'],
])('%s is refused', (_case, props, message) =>
  expect(() => new ProtectedHosts(props)).toThrow(`ProtectedHosts: ${message}`),
);
