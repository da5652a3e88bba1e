import { TerraformResource, TerraformVariable } from 'cdktf';
import { expect, test } from 'vitest';
import { Fleet, GroupMembers, Host, NoDeletions } from '../../../src/cdktf/index.ts';
import { linesOf, type Make } from '../given/findings-in.ts';

const rule = 'rampart:no-deletions';

const findingsOf = (make: Make) => linesOf('', [new NoDeletions()], make);

test('a host that is deleted with its resource is an error, and those that are forgotten are not', () => {
  expect(
    findingsOf((stack) => {
      new Host(stack, 'one', { hostId: '1', onDestroy: 'delete' });
      new Host(stack, 'two', { hostId: '2', onDestroy: 'forget' });
      new Host(stack, 'three', { hostId: '3', onDestroy: 'prevent' });
      new Host(stack, 'four', { hostId: '4' });
      new GroupMembers(stack, 'five', { group: 'Kiosks', hostIds: ['4'], mode: 'authoritative' });
    }),
  ).toEqual([`error fleet/one: ${rule}: host 1 would be deleted with its resource: on_destroy is "delete"`]);
});

test('an override is detected, and so is a resource that is not one of our classes', () => {
  expect(
    findingsOf((stack) => {
      new Host(stack, 'one', { hostId: '1' }).addOverride('on_destroy', 'delete');
      const plain = new TerraformResource(stack, 'two', { terraformResourceType: 'rampart_host' });
      plain.addOverride('name', 'OLD');
      plain.addOverride('on_destroy', 'delete');
    }),
  ).toEqual([
    expect.stringContaining('error fleet/one: '),
    expect.stringContaining('error fleet/two: rampart:no-deletions: the host "OLD" would be deleted'),
  ]);
});

test('a name that only Terraform knows is a warning', () => {
  expect(
    findingsOf((stack) => {
      const variable = new TerraformVariable(stack, 'what', { type: 'string' });
      new Host(stack, 'one', { hostId: '1', onDestroy: variable.stringValue });
      new Fleet(stack, 'all', { content: variable.stringValue });
    }),
  ).toEqual([
    `warn fleet/one: ${rule}: only Terraform knows whether host 1 is deleted with its resource`,
    `warn fleet/all: ${rule}: the content of fleet.yaml is known only to Terraform, so it is not checked`,
  ]);
});

test('entries and rules of a desired state that delete are errors', () => {
  const content = [
    'version: 1',
    'hosts:',
    '  - { id: 1, name: A }',
    '  - { id: 2, ensure: absent }',
    '  - { name: OLD, ensure: absent, deleteAfter: 2027-01-31T00:00:00Z }',
    'rules:',
    '  - { name: retired, when: \'host.group == "Retired"\', ensure: absent }',
  ].join('\n');
  expect(findingsOf((stack) => void new Fleet(stack, 'all', { content }))).toEqual([
    `error fleet/all: ${rule}: fleet.yaml:4:7: host 2 would be deleted: ensure is "absent"`,
    `error fleet/all: ${rule}: fleet.yaml:5:7: the host "OLD" would be deleted: ensure is "absent"`,
    `error fleet/all: ${rule}: fleet.yaml:7:7: the rule "retired" deletes every host that it matches`,
  ]);
});

test('a desired state that is not valid does not pass', () => {
  expect(findingsOf((stack) => void new Fleet(stack, 'all', { content: 'version: 1\nhsots: []\n' }))).toEqual(
    [
      expect.stringMatching(
        /^error fleet\/all: rampart:no-deletions: fleet\.yaml:1:1: the content of fleet\.yaml can't be checked: /,
      ),
    ],
  );
});

test('for very many findings at one resource, only some are shown, with the number of the others', () => {
  const content = `version: 1\nhosts:\n${Array.from({ length: 300 }, (_, index) => `  - { id: ${index + 1}, ensure: absent }\n`).join('')}`;
  const found = findingsOf((stack) => void new Fleet(stack, 'all', { content }));
  expect(found).toHaveLength(21);
  expect(found.at(-1)).toBe(`error fleet/all: ${rule}: and 280 more like these`);
});
