import { TerraformVariable } from 'cdktf';
import { describe, expect, test } from 'vitest';
import {
  Fleet,
  GroupMembers,
  Host,
  NamingConvention,
  type NamingConventionProps,
} from '../../../src/cdktf/index.ts';
import { findingsIn } from '../given/findings-in.ts';

const rule = 'rampart:naming-convention';
const sites: NamingConventionProps = {
  pattern: '{site}-{role}-{number}',
  fields: { site: ['BER', 'LIS'], number: /\d\d/ },
};

function faultOf(props: NamingConventionProps, name: string): string | undefined {
  const [first] = findingsIn(
    [new NamingConvention(props)],
    (stack) => new Host(stack, 'host', { hostId: '7', name }),
  );
  return first?.message;
}

describe('a name', () => {
  test.each<[string, NamingConventionProps, string, string | undefined]>([
    ['of the pattern passes', sites, 'BER-WEB-01', undefined],
    ['of another form does not', sites, 'pc7', 'does not have the form "{site}-{role}-{number}"'],
    ['with another word does not', sites, 'PAR-WEB-01', 'has "PAR" for {site}, which is not one of BER, LIS'],
    [
      'with a field of another form does not',
      sites,
      'BER-WEB-001',
      'has "001" for {number}, which does not match /\\d\\d/',
    ],
    ['that the expression matches passes', { pattern: /[A-Z]+-\d+/ }, 'BER-1', undefined],
    ['matched only in part does not', { pattern: /[A-Z]+-\d+/ }, 'BER-1-x', 'does not match /[A-Z]+-\\d+/'],
    ['passes by one of two alternatives as a whole', { pattern: /A|B-\d/ }, 'B-1', undefined],
    ['of two lines does not pass by one of them', { pattern: /A/m }, 'A\nB', 'does not match /A/m'],
    ['is looked at from its beginning each time', { pattern: /A/g }, 'A', undefined],
    ['escaped for Terraform is read as it will be', { pattern: /\$\{A\}%\{B\}/ }, '$${A}%%{B}', undefined],
  ])('%s', (_case, props, name, fault) => {
    expect(faultOf(props, name)).toEqual(
      fault === undefined ? undefined : expect.stringContaining(`${rule}: host 7: the name "`),
    );
    if (fault !== undefined) expect(faultOf(props, name)).toContain(fault);
  });

  test('with characters that could move the cursor is shown safely', () =>
    expect(faultOf(sites, 'x\u001b[2J')).toContain('"x␛[2J"'));
});

test.each<[string, (name: string) => string]>([
  ['a token', (name) => name],
  ['a token in a text', (name) => `BER-${name}`],
  ['an expression written by hand', () => '${each.key}'],
  ['a directive written by hand', () => '%{ if true }A%{ endif }'],
])('a value that is known only later is a warning %s', (_case, nameOf) => {
  const found = findingsIn([new NamingConvention(sites)], (stack) => {
    const { stringValue } = new TerraformVariable(stack, 'name', { type: 'string' });
    new Host(stack, 'host', { name: nameOf(stringValue) });
  });
  expect(found).toEqual([
    {
      path: 'fleet/host',
      level: 'warn',
      message: `${rule}: the name of the host is known only to Terraform, so it is not checked`,
    },
  ]);
});

test('each entry of a desired state is checked, and reported with its line', () => {
  const content = [
    'version: 1',
    'hosts:',
    '  - { id: 1, name: BER-WEB-01 }',
    '  - { id: 2, name: pc2 }',
    '  - { name: old, ensure: absent }',
    '  - { id: 3, name: kept, ignore: [name] }',
    '  - { id: 4, group: Kiosks }',
    'rules:',
    '  - { name: web, when: \'host.online\', rename: "WEB-${host.id}" }',
  ].join('\n');
  const found = findingsIn([new NamingConvention(sites)], (stack) => {
    new Fleet(stack, 'all', { content: content.replaceAll('${', () => '$${'), file: 'hosts.yaml' });
    new GroupMembers(stack, 'kiosks', { group: 'Kiosks', hostIds: ['1'] });
  });
  expect(found.map(({ level, message }) => `${level} ${message}`)).toEqual([
    `error ${rule}: hosts.yaml:4:7: host 2: the name "pc2" does not have the form "{site}-{role}-{number}"`,
    `warn ${rule}: hosts.yaml:9:7: the rule "web" makes names that only a plan knows, so they are not checked`,
  ]);
});

test.each<[string, NamingConventionProps, string]>([
  ["a pattern that can't be read", { pattern: '{site' }, 'an unmatched brace'],
  ['a field that the pattern has not', { pattern: '{site}', fields: { role: ['A'] } }, 'has no field {role}'],
  ['field of an expression', { pattern: /x/, fields: { role: ['A'] } }, 'a regular expression has no fields'],
])('%s is refused', (_case, props, message) => expect(() => new NamingConvention(props)).toThrow(message));
