import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { realisticLimits } from '../../src/service/emulator/realistic-limits.ts';
import { connected, givenService, workplace } from '../given/command-line.ts';
import { hostileNames } from '../given/hostile-names.ts';

const site = {
  id: 'c1',
  name: 'Site, main',
  values: [
    { id: 'v1', name: 'Wien' },
    { id: 'v2', name: '=1+1' },
  ],
};
const fleet = {
  groups: [{ id: '17', name: 'Berlin' }],
  categories: [site],
  hosts: [
    {
      id: '9223372036854775807',
      name: 'PC-10',
      groupId: '17',
      computerName: 'WIN-A',
      customFields: { c1: 'v1' },
      antivirus: { installed: true, threats: 2, status: 0 },
    },
    { id: '8', name: 'PC-2', online: false, customFields: { c1: 'v2' } },
    { id: '9', name: null, antivirus: { supported: false } },
  ],
};

const paths = (requests: readonly { readonly path: string }[]) =>
  requests.map(({ path }) => path.replace('/public-api/', ''));

describe('hosts --columns', () => {
  it('shows the requested columns in that order, and custom fields by their names', async () => {
    const { rampart, emulator } = await connected(fleet);
    const { out, code } = await rampart([
      'hosts',
      '--columns',
      'name,host-name',
      '--columns',
      '"Site, main", antivirus',
      '--sort',
      'id:desc',
    ]);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        'NAME       HOST NAME  Site, main  ANTIVIRUS',
        'PC-10      WIN-A      Wien        installed',
        '(no name)  -          -           unsupported',
        'PC-2       PC-2       =1+1        missing',
        '',
      ].join('\n'),
    );
    expect(paths(emulator.requests)).toEqual([
      'v2/hostswithgroups',
      'v1/hosts/anti-virus/details',
      'v1/hosts/custom-fields/categories',
      'v1/hosts/custom-fields',
    ]);
  });

  it('reads only the lists that it needs', async () => {
    const { rampart, emulator } = await connected(fleet);
    await rampart('hosts --columns id,state-changed-at,host-name');
    expect(paths(emulator.requests)).toEqual(['v2/hostswithgroups']);
  });

  it('gives JSON the same, with ids as text and custom fields apart', async () => {
    const { rampart } = await connected(fleet);
    const columns = 'id,group-id,online,antivirus-threats,"Site, main"';
    const { out } = await rampart(['hosts', '--json', '--columns', columns, '--limit', '1']);
    expect(JSON.parse(out)).toEqual([
      {
        id: '9223372036854775807',
        group_id: '17',
        online: true,
        antivirus_threats: 2,
        custom_fields: { 'Site, main': 'Wien' },
      },
    ]);
  });

  it.each([
    ['a column that there is not', ['--columns', 'id,nmae'], 'did you mean "name"?'],
    ['a custom field that there is not', ['--columns', 'Sitte'], 'no column or custom field'],
    ['a column to sort by that there is not', ['--sort', 'nam'], 'did you mean "name"?'],
    ['no column', ['--columns', ','], 'names separated by commas'],
    ['a limit of none', ['--limit', '0'], 'whole number'],
  ])('%s is refused', async (_, flags, words) => {
    const { rampart } = await connected(fleet);
    const { code, out, err } = await rampart(['hosts', ...flags]);
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toContain(words);
  });
});

describe('hosts TEXT', () => {
  it.each([
    ['pc-1', ['9223372036854775807']],
    ['PC', ['9223372036854775807', '8']],
    ['berlin', ['9223372036854775807']],
    ['9', ['9223372036854775807', '9']],
    ['', ['9223372036854775807', '8', '9']],
    ['.*', []],
  ])('%j lists the hosts whose id, name or group contains it', async (text, ids) => {
    const { rampart } = await connected(fleet);
    const { out, code } = await rampart(['hosts', text, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out).map(({ id }: { readonly id: string }) => id)).toEqual(ids);
  });

  it('is combined with a condition', async () => {
    const { rampart } = await connected(fleet);
    const argv = ['hosts', 'pc', '--where', 'host.online', '--columns', 'name', '--format', 'csv'];
    expect((await rampart(argv)).out.trim().split(/\r?\n/)).toEqual(['name', 'PC-10']);
  });
});

it('hosts --sort takes numbers in names as numbers, and puts hosts without a name last', async () => {
  const { rampart } = await connected(fleet);
  const names = async (sort: string) =>
    (await rampart(['hosts', '--columns', 'name', '--sort', sort])).out.split('\n').slice(1, -1);
  expect(await names('name')).toEqual(['PC-2', 'PC-10', '(no name)']);
  expect(await names('name:desc')).toEqual(['PC-10', 'PC-2', '(no name)']);
});

describe('hosts --if', () => {
  const ids = async (where: string) => {
    const { rampart, emulator } = await connected(fleet);
    const ran = await rampart(['hosts', '--json', '--where', where]);
    const found =
      ran.code === 0 ? (JSON.parse(ran.out) as { readonly id: string }[]).map(({ id }) => id) : [];
    return { ...ran, found, requests: paths(emulator.requests) };
  };

  it('keeps the hosts of which it is true', async () => {
    expect((await ids('host.online && host.group == "Berlin"')).found).toEqual(['9223372036854775807']);
    expect((await ids('!host.online')).found).toEqual(['8']);
  });

  it('reads the lists that it needs, and no others', async () => {
    expect((await ids('host.name == ""')).requests).toEqual(['v2/hostswithgroups']);
    const infected = await ids('host.antivirus.threats > 1');
    expect(infected.found).toEqual(['9223372036854775807']);
    expect(infected.requests).toEqual(['v2/hostswithgroups', 'v1/hosts/anti-virus/details']);
    const vienna = await ids('host.customFields["Site, main"] == "Wien"');
    expect(vienna.found).toEqual(['9223372036854775807']);
    expect(vienna.requests).toHaveLength(3);
  });

  it('points at what is wrong in it, and sends nothing', async () => {
    const { code, err, requests } = await ids('host.online &&\n  host.nmae == "A"');
    expect(code).toBe(3);
    expect(err).toContain('--where:2:');
    expect(err).toContain('2 |   host.nmae == "A"\n   |        ^^^^');
    expect(requests).toEqual([]);
  });

  it('without an answer for a host is an error, not a shorter list', async () => {
    const { code, out, err } = await ids('1 / (host.online ? 1 : 0) == 1');
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ errors: true, problems: [{}] });
    expect(err).toContain("error[usage]: --where can't be evaluated for host 8: division by zero");
  });

  it('that needs inventory says how to get it', async () =>
    expect(await ids('host.inventory.hardware.serviceTag == "X"')).toExit(3, 'rampart hosts inventory pull'));

  it('that is true of none says so', async () => {
    const { rampart } = await connected(fleet);
    const { code, err } = await rampart(['hosts', '--where', 'host.name == "none"']);
    expect(code).toBe(0);
    expect(err).toBe('No host matches.\n');
  });
});

describe('hosts --format csv', () => {
  it('has one line per host, without formulas', async () => {
    const { rampart } = await workplace();
    const names = [...hostileNames, '=1+1', '+1', '-1', '@SUM(A1)', '\u001b[31m'];
    const { env } = await givenService({
      groups: [{ id: '17', name: '=cmd|x' }],
      hosts: names.map((name, index) => ({ id: String(index + 1), name, groupId: '17' })),
    });
    const { out } = await rampart('hosts --format csv', { env });
    const [head, ...rows] = parse(out);
    expect(head).toEqual(['id', 'name', 'group_id', 'group', 'online']);
    expect(rows).toHaveLength(names.length);
    for (const [, name, , group] of rows) {
      expect(name).not.toMatch(/^[=+@-]/);
      expect(name).not.toMatch(/\p{Cc}|\p{Cf}/u);
      expect(group).toBe("'=cmd|x");
    }
  });

  it('keeps long and negative ids as they are', async () => {
    const { rampart } = await connected({ hosts: [{ id: '-9223372036854775808', name: 'A' }] });
    const { out } = await rampart('hosts --format csv');
    expect(out).toBe('id,name,group_id,group,online\n-9223372036854775808,A,-1,,true\n');
  });
});

describe('what the service refuses', () => {
  it.each([
    ['the list of hosts with 401', 'listHostsWithGroups', 401, 4],
    ['the list of hosts with 403', 'listHostsWithGroups', 403, 4],
    ['the anti-virus with 403', 'listAntivirusDetails', 403, 1],
    ['the custom fields with 403', 'listCustomFields', 403, 1],
    ['the categories with 500', 'listCustomFieldCategories', 500, 1],
  ] as const)('%s prints no data', async (_, action, status, exit) => {
    const { rampart } = await connected(fleet, { faults: [{ action, effect: { kind: 'status', status } }] });
    const { code, out } = await rampart(['hosts', '--columns', 'id,antivirus,"Site, main"']);
    expect({ code, out }).toEqual({ code: exit, out: '' });
  });

  it('a list that is limited is waited for, or given up in time', async () => {
    const { rampart } = await connected(fleet, { limits: realisticLimits });
    await rampart('hosts');
    expect(await rampart('hosts --max-wait 5s')).toExit(1, 'rate limited');
  });
});
