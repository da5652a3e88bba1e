import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TerraformStack, TerraformVariable, Testing } from 'cdktf';
import { describe, expect, test } from 'vitest';
import { ManagedFleet, type ManagedFleetOptions } from '../../src/cdktf/index.ts';
import { readDesired } from '../../src/input/read-desired.ts';
import { defineFleet } from '../../src/input/typescript/define-fleet.ts';
import type { Fleet } from '../../src/input/typescript/fleet.ts';
import { type Document, withProvider } from './given/stack.ts';

const fleet: Fleet = {
  hosts: [
    { id: 9007199254740993n, name: 'BER-${WEB}-01', group: 'Berlin %{x}', antivirus: 'installed' },
    { id: -6, name: 'BER-WEB-02', group: { id: 17 } },
    { id: 6, group: null },
  ],
};

const withRule: Fleet = {
  ...fleet,
  rules: [{ name: 'laptops', when: 'host.name.startsWith("LT-")', rename: 'B-${host.name}' }],
};

function resourcesOf(source: Fleet, options: ManagedFleetOptions = {}): Record<string, unknown> {
  return documentOf(source, options)['resource'] as Record<string, unknown>;
}

function documentOf(source: Fleet, options: ManagedFleetOptions = {}): Document {
  return withProvider((stack) => {
    ManagedFleet.fromDesiredState(stack, 'offices', defineFleet(source), options);
  });
}

/** Terraform's result for a template in which nothing is evaluated. */
function evaluated(template: unknown): string {
  const text = String(template);
  expect(text.replaceAll(/\$\$\{|%%\{/g, '')).not.toMatch(/[$%]\{/);
  return text.replaceAll('$${', () => '${').replaceAll('%%{', '%{');
}

function contentOf(document: Document): string {
  const { resource } = document as { resource: { rampart_fleet: { offices: { content: string } } } };
  return evaluated(resource.rampart_fleet.offices.content);
}

describe('a resource for each host', () => {
  test("has its place in the state by the host's id, and says what the entry says", () => {
    expect(resourcesOf(fleet)).toEqual({
      rampart_host: {
        [address('host-9007199254740993')]: {
          host_id: '9007199254740993',
          name: 'BER-$${WEB}-01',
          group: 'Berlin %%{x}',
          antivirus: 'installed',
        },
        [address('host--6')]: { host_id: '-6', name: 'BER-WEB-02', group_id: '17' },
        [address('host-6')]: { host_id: '6', group_id: '-1' },
      },
    });
  });

  test('stays where it is when hosts are renamed, and when others come and go', () => {
    const hosts = [{ id: 5, name: 'NEW' }, ...(fleet.hosts ?? []).map(({ id }) => ({ id, name: `X-${id}` }))];
    const before = Object.keys(resourcesOf(fleet)['rampart_host'] as object);
    const after = Object.keys(resourcesOf({ hosts })['rampart_host'] as object);
    expect(after).toEqual(expect.arrayContaining(before));
  });

  test("is available by the host's id", () => {
    const stack = new TerraformStack(Testing.app(), 'fleet');
    const { hosts, resource } = ManagedFleet.fromDesiredState(stack, 'offices', fleet);
    expect([...hosts.keys()]).toEqual(['9007199254740993', '-6', '6']);
    expect(hosts.get('6')?.resource.input.groupId).toBe('-1');
    expect(resource).toBe(undefined);
  });
});

describe('one resource for all', () => {
  test('has a text with the same content', () => {
    const content = contentOf(documentOf(withRule));
    const read = readDesired([{ file: 'fleet.yaml', text: content }]);
    expect(read.ok && Array.from({ length: read.value.count }, (_, at) => read.value.at(at))).toMatchObject([
      { id: '9007199254740993', name: 'BER-${WEB}-01', group: { kind: 'named', name: 'Berlin %{x}' } },
      { id: '-6', name: 'BER-WEB-02', group: { kind: 'id', id: '17' } },
      { id: '6', group: { kind: 'ungrouped' } },
    ]);
    expect(read.ok && read.value.rules.map(({ rename }) => rename?.source)).toEqual(['B-${host.name}']);
    expect(content.split('\n').length).toBeGreaterThan(3);
  });

  test('of a YAML file holds the file, and messages call it by its name', () => {
    const path = join('examples', 'main-job', 'fleet.yaml');
    const document = withProvider((stack) => {
      const { form } = ManagedFleet.fromYaml(stack, 'offices', path, { form: 'fleet', strict: true });
      expect(form).toBe('fleet');
    });
    expect(contentOf(document)).toBe(readFileSync(path, 'utf8'));
    expect(document['resource']).toMatchObject({
      rampart_fleet: { offices: { file: 'fleet.yaml', strict: true } },
    });
  });

  test('takes what concerns the whole', () => {
    const options = {
      acks: { delete: 28 },
      skipBlocked: true,
      deleteFirst: true,
      strict: false,
      ticket: 'CHG1',
    } as const;
    expect(resourcesOf(withRule, options)).toMatchObject({
      rampart_fleet: {
        offices: {
          acks: { delete: 28 },
          skip_blocked: true,
          delete_first: true,
          strict: false,
          ticket: 'CHG1',
        },
      },
    });
  });
});

test('one resource with an instance for each host', () => {
  const { resource, locals } = documentOf(fleet, { form: 'forEach', onDestroy: 'prevent' });
  const local = Object.keys(locals as object)[0] as string;
  expect(resource).toEqual({
    rampart_host: {
      offices: {
        for_each: `\${local.${local}}`,
        host_id: '${each.key}',
        name: '${each.value.name}',
        group: '${each.value.group}',
        group_id: '${each.value.group_id}',
        antivirus: '${each.value.antivirus}',
        on_destroy: 'prevent',
      },
    },
  });
  expect(locals).toEqual({
    [local]: {
      '9007199254740993': {
        name: 'BER-$${WEB}-01',
        group: 'Berlin %%{x}',
        group_id: '${null}',
        antivirus: 'installed',
      },
      '-6': { name: 'BER-WEB-02', group: '${null}', group_id: '17', antivirus: '${null}' },
      '6': { name: '${null}', group: '${null}', group_id: '-1', antivirus: '${null}' },
    },
  });
});

describe('the default form', () => {
  const hosts = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `H${index}` }));
  test.each<readonly [string, Fleet, string]>([
    ['few hosts', fleet, 'hosts'],
    ['a hundred hosts', { hosts: hosts(100) }, 'hosts'],
    ['one more', { hosts: hosts(101) }, 'fleet'],
    ['a rule', withRule, 'fleet'],
    ['an entry without an id', { hosts: [{ name: 'A' }] }, 'fleet'],
    ['a deletion', { hosts: [{ id: 1, ensure: 'absent' }] }, 'fleet'],
    ['a policy', { ...fleet, policy: { limits: { delete: 1 } } }, 'fleet'],
    ['a protected host', { hosts: [{ id: 1, name: 'A', protect: ['delete'] }] }, 'fleet'],
    ['what may differ', { hosts: [{ id: 1, name: 'A', ignore: ['name'] }] }, 'fleet'],
    ['the account', { ...fleet, account: { companyId: 5 } }, 'fleet'],
    ['unmanaged hosts', { ...fleet, unmanaged: 'report' }, 'fleet'],
    ['groups', { ...fleet, groups: [{ group: 'Kiosks', exclusive: true }] }, 'fleet'],
  ])('%s', (_case, source, form) => {
    const stack = new TerraformStack(Testing.app(), 'fleet');
    expect(ManagedFleet.fromDesiredState(stack, 'offices', source).form).toBe(form);
  });
});

describe('errors are reported at once', () => {
  test.each<readonly [string, Fleet, object, string]>([
    [
      'a mistake in the desired state',
      { hosts: [{ id: 1, nmae: 'x' }] } as never,
      {},
      'fleet.ts:1:1 (hosts[0]): unknown key "nmae"',
    ],
    ["what hosts can't say", withRule, { form: 'hosts' }, 'the form "hosts" does not support rules'],
    [
      "what instances can't say, all of it",
      { hosts: [{ name: 'A' }, { id: 2, ensure: 'absent' }], unmanaged: 'report' },
      { form: 'forEach' },
      'entries without an id; the form "forEach" does not support absent hosts (ensure); the form "forEach" does not support a setting for unmanaged hosts (unmanaged)',
    ],
    ['approval without a plan', fleet, { acks: { delete: 1 } }, 'acks does not work with the form "hosts"'],
    ['an end of hosts', withRule, { onDestroy: 'delete' }, 'onDestroy does not work with the form "fleet"'],
    ['another form', fleet, { form: 'all' }, 'form is "all", not "fleet" or "hosts" or "forEach"'],
    ['half a change', withRule, { acks: { delete: 0.5 } }, 'acks.delete must be a number of changes'],
  ])('%s', (_case, source, options, message) => expect(() => resourcesOf(source, options)).toThrow(message));

  test.each<readonly [string, string, string]>([
    ['text that is no YAML', '{', 'mine.yaml:1:'],
    [
      'a table that is not among its tables',
      'version: 1\nhostsFrom: hosts.csv\n',
      'mine.yaml:2:12: tables has no "hosts.csv"',
    ],
    [
      'what looks like a token',
      'version: 1\nhosts: [{ id: 1, name: "${TfToken[TOKEN.3]}" }]\n',
      'must be text and not a token',
    ],
  ])('%s', (_case, desiredState, message) => {
    const stack = new TerraformStack(Testing.app(), 'fleet');
    expect(() => new ManagedFleet(stack, 'x', { desiredState, file: 'mine.yaml' })).toThrow(message);
  });

  test('a promise, and a token', () => {
    const stack = new TerraformStack(Testing.app(), 'fleet');
    expect(() => ManagedFleet.fromDesiredState(stack, 'x', Promise.resolve(fleet))).toThrow('await it');
    const { stringValue } = new TerraformVariable(stack, 'text', { type: 'string' });
    expect(() => new ManagedFleet(stack, 'y', { desiredState: stringValue })).toThrow(
      'must be text and not a token',
    );
  });
});

test('isManagedFleet knows its own', () => {
  const stack = new TerraformStack(Testing.app(), 'fleet');
  expect(ManagedFleet.isManagedFleet(ManagedFleet.fromDesiredState(stack, 'a', fleet))).toBe(true);
  expect([stack, null, undefined, {}, 'x'].some((each) => ManagedFleet.isManagedFleet(each))).toBe(false);
});

function address(id: string): string {
  const stack = new TerraformStack(Testing.app(), 'fleet');
  const { hosts } = ManagedFleet.fromDesiredState(stack, 'offices', fleet);
  return hosts.get(id.replace('host-', ''))?.resource.friendlyUniqueId as string;
}
