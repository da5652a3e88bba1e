import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FleetParts } from '../../src/service/emulator/fleet-state.ts';
import { connected, givenService, workplace } from '../given/command-line.ts';
import { trickyNames } from '../given/hostile-fleet.ts';

const fleet: FleetParts = {
  groups: [
    { id: '17', name: 'Berlin' },
    { id: '18', name: 'Munich' },
    { id: '19', name: 'Munich' },
    { id: '20', name: null },
  ],
  hosts: [
    { id: '9007199254740993', name: 'BER-WEB-02', groupId: '17', antivirus: { installed: true } },
    { id: '12', name: 'BER-WEB-01', groupId: '17' },
    { id: '3', name: 'MUC-DB-01', groupId: '18' },
    { id: '4', name: 'twin', groupId: '20' },
    { id: '5', name: 'TWIN' },
    { id: '6', name: null },
    { id: '7', name: 'two\n  - id: 666', groupId: '19' },
  ],
};

const wholeFleet = `version: 1
account: { companyId: 1234567890 }

hosts:
  # Berlin: 2 hosts
  - id: 12
    name: BER-WEB-01
    group: Berlin
  - id: 9007199254740993
    name: BER-WEB-02
    group: Berlin

  # Munich: 1 host
  - id: 3
    name: MUC-DB-01
    group: { id: 18 }

  # Munich: 1 host
  # 7 has no name here: its name contains a line break: "two␊  - id: 666"
  - id: 7
    group: { id: 19 }

  # Group 20, without a name: 1 host
  # 4 has no name here: the service may treat its name "twin" as equal to "TWIN" (host 5)
  - id: 4
    group: { id: 20 }

  # In no group: 2 hosts
  # 5 has no name here: the service may treat its name "TWIN" as equal to "twin" (host 4)
  - id: 5
    group: null
  # 6 has no name here: the service has no name for it
  - id: 6
    group: null
`;

describe('import', () => {
  it("prints the fleet by groups, with ids, and comments if a name can't be claimed", async () => {
    const { rampart, emulator } = await connected(fleet);
    const ran = await rampart('import');
    expect(ran).toExit(0, '4 names left out:');
    expect(ran.out).toBe(wholeFleet);
    expect(emulator.requests.every(({ method }) => method === 'GET')).toBe(true);
    expect((await rampart('import --format yaml')).out).toBe(wholeFleet);
  });

  const forms: readonly (readonly [what: string, argv: readonly string[], file: string, state: string])[] = [
    ['YAML', ['--out', 'fleet.yaml', '--antivirus'], 'fleet.yaml', ''],
    ['JSON', ['--out', 'fleet.json', '--json'], 'fleet.json', ''],
    [
      'a table',
      ['--out', 'hosts.csv', '--format', 'csv'],
      'fleet.yaml',
      'version: 1\nhostsFrom: hosts.csv\n',
    ],
    ['a folder', ['--out', 'fleet', '--by-group'], 'fleet', ''],
  ];
  for (const [what, argv, file, state] of forms) {
    it(`as ${what} is planned without a change`, async () => {
      const { rampart, write } = await connected(fleet);
      expect(await rampart(['import', ...argv])).toExit(0, { out: '' });
      if (state !== '') await write(file, state);
      const plan = await rampart(['plan', '-f', file, '--detailed-exitcode', '--json']);
      expect(plan).toExit(0);
      expect(JSON.parse(plan.out).summary).toMatchObject({ unchanged: 7, unmanaged: 0 });
    });
  }

  it('of a snapshot needs no credentials', async () => {
    const { rampart } = await workplace();
    const { env } = await givenService(fleet);
    await rampart('hosts snapshot --out saved.json', { env });
    expect((await rampart('import --observed saved.json')).out).toBe(wholeFleet);
  });

  it('of one group, by its name or its id', async () => {
    const { rampart } = await connected(fleet);
    const berlin = await rampart('import --group Berlin --group -1');
    expect(berlin.out.match(/- id: \d+/g)).toEqual([
      '- id: 12',
      '- id: 9007199254740993',
      '- id: 5',
      '- id: 6',
    ]);
    expect(await rampart('import --group Munich')).toExit(3, '18, 19');
    expect((await rampart('import --group Berlni')).err).toContain('did you mean "Berlin"?');
  });

  it('includes the anti-virus on request', async () => {
    const { rampart } = await connected(fleet);
    const { out } = await rampart('import --antivirus --group 17');
    expect(out).toContain('    name: BER-WEB-02\n    group: Berlin\n    antivirus: installed\n');
    expect(out.match(/antivirus/g)).toHaveLength(1);
  });

  it('writes one file for each group, with safe names', async () => {
    const { rampart, folder } = await connected({
      groups: [
        { id: '1', name: '../../etc/passwd' },
        { id: '2', name: 'CON' },
        { id: '3', name: 'Größe 1' },
        { id: '4', name: 'größe-1' },
        { id: '5', name: '名前' },
        { id: '6', name: null },
      ],
      hosts: ['1', '2', '3', '4', '5', '6', '-1'].map((groupId, index) => ({
        id: String(index + 1),
        name: `H${index}`,
        groupId,
      })),
    });
    expect((await rampart('import --by-group --out all/of')).code).toBe(0);
    expect((await readdir(join(folder, 'all/of'))).toSorted()).toEqual([
      'etc-passwd.yaml',
      'group-2.yaml',
      'group-3-gro-e-1.yaml',
      'group-4-gro-e-1.yaml',
      'group-5.yaml',
      'group-6.yaml',
      'ungrouped.yaml',
    ]);
  });

  it('overwrites nothing without --force', async () => {
    const { rampart, write, folder } = await connected(fleet, {}, { 'fleet.yaml': 'mine\n' });
    expect(await rampart('import --out fleet.yaml')).toExit(3, 'fleet.yaml already exists');
    expect(await readFile(join(folder, 'fleet.yaml'), 'utf8')).toBe('mine\n');
    expect((await rampart('import --out fleet.yaml --force')).code).toBe(0);
    expect(await readFile(join(folder, 'fleet.yaml'), 'utf8')).toBe(wholeFleet);
    await mkdir(join(folder, 'fleet'));
    await write('fleet/ungrouped.yaml', 'mine\n');
    await write('fleet/old.yaml', 'mine\n');
    expect((await rampart('import --by-group --out fleet')).code).toBe(3);
    expect(await readdir(join(folder, 'fleet'))).toHaveLength(2);
    const forced = await rampart('import --by-group --out fleet --force');
    expect(forced.err).toContain('Existing files left unchanged: fleet/old.yaml');
  });

  it('points to a schema that is there, from where the file is', async () => {
    const { rampart, folder } = await connected(fleet);
    expect(await rampart('import --schema none.json')).toExit(3);
    await mkdir(join(folder, 'schema'));
    await writeFile(join(folder, 'schema', 'fleet.schema.json'), (await rampart('schema')).out);
    await rampart('import --by-group --out deep/er');
    expect(await readFile(join(folder, 'deep/er/berlin.yaml'), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/\.\.\/schema\/fleet\.schema\.json\nversion: 1\n/,
    );
    const address = await rampart('import --schema https://example.com/fleet.json');
    expect(address.out).toMatch(/^# yaml-language-server: \$schema=https:\/\/example\.com\/fleet\.json\n/);
  });

  it('reports flags that exclude each other', async () => {
    const { rampart } = await workplace();
    for (const argv of [
      ['--by-group'],
      ['-f', 'fleet.yaml'],
      ['--dry-run'],
      ['--update', '--out', 'x.yaml'],
      ['--update', '--force'],
      ['--format', 'markdown'],
    ]) {
      expect((await rampart(['import', ...argv, '--emulator'])).code, argv.join(' ')).toBe(3);
    }
  });

  it('of any names is planned without a change', async () => {
    const { rampart, folder } = await workplace();
    const names = trickyNames.filter((name) => name.isWellFormed());
    const { env } = await givenService({
      groups: names.map((name, index) => ({ id: String(index + 1), name })),
      hosts: names.map((name, index) => ({ id: String(index + 1), name, groupId: String(index + 1) })),
    });
    expect((await rampart('import --out fleet.yaml', { env })).code).toBe(0);
    expect(await rampart('plan --detailed-exitcode', { env })).toExit(0);
    await rampart('import --format hcl --out hosts.tf', { env });
    const text = await readFile(join(folder, 'hosts.tf'), 'utf8');
    expect(text.match(/^import \{$/gm)).toHaveLength(names.length);
    await rampart('import --format cdktf --out fleet-stack.ts', { env });
    const stack = await readFile(join(folder, 'fleet-stack.ts'), 'utf8');
    expect(stack.match(/^ {2}\{ hostId: /gm)).toHaveLength(names.length);
  });
});

describe('import --update', () => {
  const small = `version: 1
account: { companyId: 1234567890 }
# by hand
hosts:
  - name: BER-WEB-01       # by its name
  - id: 99                 # gone
    name: 'was here'
  - { id: 3, name: MUC-DB-01, group: { id: 18 } }
policy: { limits: { delete: 5% } }
`;

  it('adds the hosts that no entry claims, below those that are there', async () => {
    const { rampart, folder } = await connected(fleet, {}, { 'fleet.yaml': small });
    const ran = await rampart('import new');
    expect(ran).toExit(0, 'host 99, with the intended name "was here", is not in the list');
    expect(ran.out).toBe('fleet.yaml: 5 hosts added\n');
    const after = await readFile(join(folder, 'fleet.yaml'), 'utf8');
    expect(after).toBe(
      small.replace(
        'policy:',
        `  - { id: 9007199254740993, name: BER-WEB-02, group: Berlin }
  # 7 has no name here: its name contains a line break: "two␊  - id: 666"
  - { id: 7, group: { id: 19 } }
  # 4 has no name here: the service may treat its name "twin" as equal to "TWIN" (host 5)
  - { id: 4, group: { id: 20 } }
  # 5 has no name here: the service may treat its name "TWIN" as equal to "twin" (host 4)
  - { id: 5, group: null }
  # 6 has no name here: the service has no name for it
  - { id: 6, group: null }
policy:`,
      ),
    );
    expect((await rampart('plan --detailed-exitcode')).code).toBe(0);
    expect((await rampart('import new')).out).toBe('fleet.yaml: 0 hosts added\n');
    expect(await readFile(join(folder, 'fleet.yaml'), 'utf8')).toBe(after);
  });

  it('leaves out a name that another entry claims', async () => {
    const { rampart, write, folder } = await connected(fleet);
    await write('fleet.yaml', 'version: 1\nhosts:\n  - id: 3\n    name: ber-web-01\n  - name: BER-WEB-02\n');
    await rampart('import new');
    const text = await readFile(join(folder, 'fleet.yaml'), 'utf8');
    expect(text).toContain(
      '# 12 has no name here: its name "BER-WEB-01" is claimed by another entry\n  - id: 12\n    group',
    );
    expect(text).not.toContain('9007199254740993');
  });

  it('shows what it would add with --dry-run', async () => {
    const { rampart, folder } = await connected(fleet, {}, { 'fleet.yaml': small });
    const { out } = await rampart('import new --dry-run');
    expect(out).toMatch(
      /^--- fleet\.yaml\n\+\+\+ fleet\.yaml\n@@ -8,0 \+9,9 @@\n\+ {2}- \{ id: 9007199254740993/,
    );
    expect(await readFile(join(folder, 'fleet.yaml'), 'utf8')).toBe(small);
    const json = await rampart('import new --dry-run --json');
    expect(JSON.parse(json.out)).toMatchObject({
      file: 'fleet.yaml',
      added: [{ id: '9007199254740993', name: 'BER-WEB-02' }, {}, {}, {}, {}],
      missing: [{ id: '99', name: 'was here' }],
    });
  });

  it('of several files fills the last one, or the one of --into', async () => {
    const { rampart, write, folder } = await connected(fleet);
    await mkdir(join(folder, 'fleet'));
    await write('fleet/a.yaml', '\ufeffversion: 1\r\nhosts: []\r\n');
    await write('fleet/b.yaml', 'version: 1\nhosts:\n  - name: BER-WEB-01\n');
    await rampart('import new --into ./fleet/a.yaml');
    expect(await readFile(join(folder, 'fleet/b.yaml'), 'utf8')).toContain('- name: BER-WEB-01\n');
    const a = await readFile(join(folder, 'fleet/a.yaml'), 'utf8');
    expect(a).toMatch(/^\ufeffversion: 1\r\nhosts:\r\n {2}- id: 9007199254740993\r\n/);
    expect((await rampart('plan --detailed-exitcode')).code).toBe(0);
    expect(await rampart('import new --into c.yaml')).toExit(3, 'the files are fleet/a.yaml, fleet/b.yaml');
  });

  it('refuses the files of another account, also on a saved fleet, and leaves them as they are', async () => {
    const text = 'version: 1\naccount: { companyId: 5 }\nhosts: []\n';
    const { rampart, folder } = await connected(fleet, {}, { 'fleet.yaml': text });
    await rampart('hosts snapshot --out saved.json');
    for (const command of ['import new', 'import new --observed saved.json'])
      expect(await rampart(command), command).toExit(3, 'account-mismatch');
    expect(await readFile(join(folder, 'fleet.yaml'), 'utf8')).toBe(text);
  });
});
