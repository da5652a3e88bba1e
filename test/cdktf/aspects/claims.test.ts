import { type IAspect, TerraformIterator, TerraformLocal, TerraformVariable } from 'cdktf';
import { describe, expect, test } from 'vitest';
import {
  AntivirusCoverage,
  AntivirusEverywhere,
  Fleet,
  Host,
  HostGroup,
  ManagedFleet,
  ManagedHost,
  NamingConvention,
  NoDeletions,
  ProtectedHosts,
  RequiredGroup,
} from '../../../src/cdktf/index.ts';
import { linesOf, type Make } from '../given/findings-in.ts';

const names = new NamingConvention({ pattern: '{site}-{role}' });

const findingsOf = (aspects: readonly IAspect[], make: Make) => linesOf('', aspects, make);

describe('each instance of a for_each is checked if the stack has its collection', () => {
  const rows = { '1': { name: 'BER-WEB' }, '2': { name: 'pc2' }, '3': { name: 'a$${b}' } };
  const expected = [
    'error fleet/all: rampart:naming-convention: host 2: the name "pc2" does not have the form "{site}-{role}"',
    'error fleet/all: rampart:naming-convention: host 3: the name "a${b}" does not have the form "{site}-{role}"',
  ];

  test('a map', () => {
    expect(
      findingsOf([names], (stack) => {
        const hosts = TerraformIterator.fromMap(rows);
        new Host(stack, 'all', { forEach: hosts, hostId: hosts.key, name: hosts.getString('name') });
      }),
    ).toEqual(expected);
  });

  test('a local value', () => {
    expect(
      findingsOf([names], (stack) => {
        const hosts = TerraformIterator.fromMap(new TerraformLocal(stack, 'hosts', rows).asAnyMap);
        new Host(stack, 'all', { forEach: hosts, hostId: hosts.key, name: hosts.getString('name') });
      }),
    ).toEqual(expected);
  });

  test('a list, whose words are a part of the name', () => {
    expect(
      findingsOf([names], (stack) => {
        const words = TerraformIterator.fromList(['WEB', 'B C']);
        new Host(stack, 'all', { forEach: words, name: `BER-${words.value}` });
        new Host(stack, 'bare', { forEach: words, name: words.value });
      }),
    ).toEqual([
      'error fleet/bare: rampart:naming-convention: the host "WEB": the name "WEB" does not have the form "{site}-{role}"',
      'error fleet/bare: rampart:naming-convention: the host "B C": the name "B C" does not have the form "{site}-{role}"',
    ]);
  });

  test('but not a name that only Terraform knows', () => {
    expect(
      findingsOf([names], (stack) => {
        const { value } = new TerraformVariable(stack, 'hosts', { type: 'map(any)' });
        const hosts = TerraformIterator.fromMap(value);
        new Host(stack, 'all', { forEach: hosts, hostId: hosts.key, name: hosts.getString('name') });
        const some = TerraformIterator.fromMap({ '1': { group: 'A' } });
        new Host(stack, 'some', { forEach: some, hostId: some.key, name: some.getString('name') });
      }),
    ).toEqual([
      'warn fleet/all: rampart:naming-convention: the name of the host is known only to Terraform, so it is not checked',
      'warn fleet/some: rampart:naming-convention: the name of host 1 is known only to Terraform, so it is not checked',
    ]);
  });
});

describe('a desired state with expressions in it', () => {
  test('is read, except for these', () => {
    expect(
      findingsOf([names, new NoDeletions()], (stack) => {
        const { stringValue } = new TerraformVariable(stack, 'x', { type: 'string' });
        const content = [
          'version: 1',
          'hosts:',
          `  - { id: 1, name: "${stringValue}-WEB" }`,
          '  - { id: 2, name: "a$${b}" }',
          `  - { id: ${stringValue}, ensure: absent }`,
        ].join('\n');
        new Fleet(stack, 'all', { content });
      }),
    ).toEqual([
      'error fleet/all: rampart:naming-convention: fleet.yaml:4:7: host 2: the name "a${b}" does not have the form "{site}-{role}"',
      'warn fleet/all: rampart:naming-convention: fleet.yaml:3:7: the name of host 1 is known only to Terraform, so it is not checked',
      'error fleet/all: rampart:no-deletions: fleet.yaml:5:7: the host would be deleted: ensure is "absent"',
    ]);
  });

  test.each([
    ['nothing but one', '${file("fleet.yaml")}'],
    ['one that makes lines', 'version: 1\nhosts:\n${indent(2, var.hosts)}\n'],
    ['a directive', 'version: 1\nhosts: %{ if true }[]%{ endif }\n'],
    ['one with braces in it', 'version: ${ { a = 1 }.a }\nhosts: []\n'],
  ])('and %s is left to Terraform', (_case, content) => {
    expect(findingsOf([new NoDeletions()], (stack) => void new Fleet(stack, 'all', { content }))).toEqual([
      'warn fleet/all: rampart:no-deletions: the content of fleet.yaml is known only to Terraform, so it is not checked',
    ]);
  });
});

test('a fleet in nested blocks is read, block by block', () => {
  const all = [
    names,
    new NoDeletions(),
    new RequiredGroup({ groups: ['Kiosks'] }),
    new AntivirusEverywhere(),
    new ProtectedHosts({ hosts: [{ id: '9', name: 'DC-01' }], groups: ['Servers'] }),
  ];
  const found = findingsOf(all, (stack) => {
    const { stringValue } = new TerraformVariable(stack, 'x', { type: 'string' });
    new Fleet(stack, 'all', {
      host: [
        { id: '1', name: 'BER-1', group: 'Kiosks', antivirus: 'installed' },
        { id: '2', name: 'pc2', groupId: '-1' },
        { id: '3', ensure: 'absent' },
        { name: 'NEW-1', current: 'DC-01', group: stringValue, antivirus: stringValue },
        { id: '5', name: 'kept', ignore: ['name', 'antivirus'], ensure: stringValue },
      ],
      rule: [
        {
          name: 'web',
          when: `host.id in [5, ${stringValue}]`,
          rename: 'x',
          group: 'Attic',
          ensure: 'absent',
        },
      ],
      group: [{ name: 'Servers', exclusive: true, othersTo: 'Kiosks' }],
    });
  }).map((each) => each.replaceAll(/ fleet\/all: rampart|:(?= [a-z]+\[)/g, ''));
  expect(found).toEqual([
    'error:naming-convention host[1]: host 2: the name "pc2" does not have the form "{site}-{role}"',
    'warn:naming-convention rule[0]: the rule "web" makes names that only a plan knows, so they are not checked',
    'error:no-deletions host[2]: host 3 would be deleted: ensure is "absent"',
    'error:no-deletions rule[0]: the rule "web" deletes every host that it matches',
    'warn:no-deletions host[4]: only Terraform knows whether host 5 is deleted with its resource',
    'error:required-group host[1]: host 2 would be in no group',
    'error:required-group rule[0]: the rule "web": the group "Attic" is not "Kiosks"',
    'error:required-group group[0]: the members: the group "Servers" is not "Kiosks"',
    'warn:required-group host[3]: the group of the host "NEW-1" is known only to Terraform, so it is not checked',
    'error:antivirus-everywhere host[1]: nothing installs the anti-virus on host 2',
    'error:antivirus-everywhere host[4]: nothing installs the anti-virus on host 5',
    'warn:antivirus-everywhere host[3]: only a plan knows whether the host "NEW-1" gets the anti-virus',
    'error:protected-hosts host[3]: the host "NEW-1" is protected from renames, and would be renamed to "NEW-1"',
    'error:protected-hosts host[3]: the host "NEW-1" is protected from moves, and would be moved to a group that only Terraform knows',
    'error:protected-hosts group[0]: the members: every host that is not listed would be removed from the group "Servers", which is protected',
    'warn:protected-hosts rule[0]: the rule "web" may rename or move or delete protected hosts, which only a plan can check: also protect them with policy.protect',
  ]);
});

describe('the constructs of the second layer', () => {
  const all = () => [
    names,
    new NoDeletions(),
    new RequiredGroup({ groups: ['Kiosks'] }),
    new AntivirusEverywhere(),
    new ProtectedHosts({ hosts: [{ id: '9', name: 'DC-01' }] }),
  ];
  const desiredState = [
    'version: 1',
    'hosts:',
    '  - { id: 1, name: BER-1, group: Kiosks, antivirus: installed }',
    '  - { id: 2, name: pc2 }',
    '  - { id: 9, name: DC-02, group: Kiosks, antivirus: installed }',
    '',
  ].join('\n');
  const faults = [
    'the name "pc2" does not have the form "{site}-{role}"',
    'nothing assigns host 2 to a group',
    'nothing installs the anti-virus on host 2',
    'host 9 is protected from renames, and would be renamed to "DC-02"',
  ];

  test.each(['fleet', 'hosts', 'forEach'] as const)('a fleet in the form %s is read', (form) => {
    const found = findingsOf(all(), (stack) => void new ManagedFleet(stack, 'all', { desiredState, form }));
    for (const fault of faults)
      expect(
        found.filter((each) => each.endsWith(fault)),
        fault,
      ).toHaveLength(1);
    expect(found.filter((each) => !each.startsWith('error'))).toEqual([]);
  });

  test('a group of hosts and a coverage of hosts count for those hosts', () => {
    expect(
      findingsOf(all(), (stack) => {
        const one = new ManagedHost(stack, 'one', { hostId: '1', name: 'BER-1' });
        const two = new ManagedHost(stack, 'two', { name: 'BER-2' });
        const lobby = ManagedHost.fromHostId(stack, 'lobby', '4');
        new HostGroup(stack, 'kiosks', { groupName: 'Kiosks', hosts: [one, two, lobby] });
        new AntivirusCoverage(stack, 'cover', { hosts: [one, lobby] });
      }),
    ).toEqual([
      'error fleet/two/Default: rampart:antivirus-everywhere: nothing installs the anti-virus on the host "BER-2"',
    ]);
  });

  test('a coverage of all hosts leaves nothing to report, and a coverage of some hosts is known only to a plan', () => {
    const make = (where: string) =>
      findingsOf([new AntivirusEverywhere()], (stack) => {
        new ManagedHost(stack, 'one', { hostId: '1', name: 'BER-1' });
        new AntivirusCoverage(stack, 'cover', where === '' ? {} : { where });
      });
    expect(make('')).toEqual([]);
    expect(make('host.online')).toEqual([
      'warn fleet/one/Default: rampart:antivirus-everywhere: only a plan knows whether host 1 gets the anti-virus',
    ]);
  });
});
