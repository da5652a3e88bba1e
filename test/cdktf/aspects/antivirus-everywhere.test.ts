import { TerraformIterator, TerraformVariable } from 'cdktf';
import { expect, test } from 'vitest';
import { AntivirusEverywhere, Fleet, GroupMembers, Host } from '../../../src/cdktf/index.ts';
import { linesOf, type Make } from '../given/findings-in.ts';

const findingsOf = (make: Make) => linesOf('antivirus-everywhere', [new AntivirusEverywhere()], make);

test('every host needs it, by its own resource or by another one', () => {
  expect(
    findingsOf((stack) => {
      new Host(stack, 'one', { hostId: '1', antivirus: 'installed' });
      new Host(stack, 'two', { hostId: '2', name: 'TWO' });
      const three = new Host(stack, 'three', { hostId: '3', name: 'THREE' });
      new Host(stack, 'cover', { hostId: three.id, antivirus: 'installed' });
    }),
  ).toEqual(['error fleet/two: nothing installs the anti-virus on host 2']);
});

test('a host that only a list of members names needs it too', () => {
  expect(
    findingsOf((stack) => {
      const one = new Host(stack, 'one', { hostId: '1', antivirus: 'installed' });
      new GroupMembers(stack, 'kiosks', { group: 'Kiosks', hostIds: [one.id, '1', '2'] });
    }),
  ).toEqual(['error fleet/kiosks: nothing installs the anti-virus on host 2']);
});

test('if only Terraform knows which hosts get it, it is a warning', () => {
  expect(
    findingsOf((stack) => {
      const { listValue, stringValue } = new TerraformVariable(stack, 'ids', { type: 'any' });
      const hosts = TerraformIterator.fromList(listValue);
      new Host(stack, 'all', { forEach: hosts, hostId: hosts.key, antivirus: 'installed' });
      new Host(stack, 'two', { hostId: '2' });
      new Host(stack, 'three', { hostId: '3', antivirus: stringValue });
      new GroupMembers(stack, 'kiosks', { group: 'Kiosks', hostIds: ['4'] });
    }),
  ).toEqual([
    'warn fleet/two: only a plan knows whether host 2 gets the anti-virus',
    'warn fleet/three: only a plan knows whether host 3 gets the anti-virus',
    'warn fleet/kiosks: only a plan knows whether host 4 gets the anti-virus',
  ]);
});

test('entries of a desired state need it, except those that will be deleted', () => {
  const content = [
    'version: 1',
    'hosts:',
    '  - { id: 1, name: A, antivirus: installed }',
    '  - { id: 2, name: B }',
    '  - { id: 3, ensure: absent }',
  ].join('\n');
  expect(findingsOf((stack) => void new Fleet(stack, 'all', { content }))).toEqual([
    'error fleet/all: fleet.yaml:4:7: nothing installs the anti-virus on host 2',
  ]);
  const rules = `${content}\nrules:\n  - { name: all, when: 'host.online', antivirus: installed }\n`;
  expect(findingsOf((stack) => void new Fleet(stack, 'all', { content: rules }))).toEqual([
    'warn fleet/all: fleet.yaml:4:7: only a plan knows whether host 2 gets the anti-virus',
  ]);
});
