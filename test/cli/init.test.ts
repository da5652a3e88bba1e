import '../tiers/uses-a-system.ts';
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAccounts } from '../../src/accounts/config/read-accounts.ts';
import { projectKey } from '../../src/cli/pipelines/pipeline.ts';
import { keyPattern } from '../../src/forge/marker.ts';
import { connected, givenService, testPsk, workplace } from '../given/command-line.ts';

const fleet = {
  groups: [{ id: '17', name: 'Berlin' }],
  hosts: [
    { id: '9007199254740993', name: 'BER-WEB-01', groupId: '17' },
    { id: '2', name: null },
  ],
};

/** Types one answer after the other. */
function typing(...answers: readonly string[]): () => Promise<string> {
  const left = [...answers];
  return async () => left.shift() ?? 'unexpected question';
}

describe('init', () => {
  it('with --emulator leaves a folder in which a plan can be made at once', async () => {
    const { rampart, folder } = await workplace();
    const ran = await rampart('init --emulator --yes');
    expect(ran.code).toBe(0);
    expect(ran.out).toBe('fleet.yaml\nrampart.config.yaml\n.gitignore\nschema/fleet.schema.json\n');
    expect((await readdir(folder)).toSorted()).toEqual(
      '.gitignore fleet.yaml rampart.config.yaml schema'.split(' '),
    );
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe('.rampart/\nplan.json\n');
    expect(await readFile(join(folder, 'fleet.yaml'), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=schema\/fleet\.schema\.json\nversion: 1\naccount: \{ companyId: 1234567890 \}\n/,
    );
    expect((await rampart('plan --emulator --detailed-exitcode')).code).toBe(0);
    expect((await readAccounts({ folder, env: {} })).ok).toBe(true);
  });

  it('with a seed is for the account of the seed', async () => {
    const { rampart, write } = await workplace();
    await write('seed.yaml', 'companyId: 77\nhosts:\n  - { id: 1, name: A }\n');
    const ran = await rampart('init --dir trial --emulator=seed.yaml --yes');
    expect(ran.err).toContain('  cd trial\n  rampart plan --emulator=../seed.yaml\n');
    expect((await rampart('plan -f trial/fleet.yaml --emulator=seed.yaml')).code).toBe(0);
    expect((await rampart('plan -f trial/fleet.yaml --emulator')).code).toBe(3);
  });

  it('leaves a desired state that a plan never overwrites', async () => {
    const { rampart, folder } = await workplace();
    await rampart('init --emulator --yes');
    const before = await readFile(join(folder, 'fleet.yaml'), 'utf8');
    for (const command of ['plan', 'apply']) {
      const ran = await rampart([command, '--emulator', '--out', './fleet.yaml']);
      expect(ran.code).toBe(3);
      expect(ran.err).toContain('--out ./fleet.yaml would overwrite a file that is not an earlier plan');
      expect(await readFile(join(folder, 'fleet.yaml'), 'utf8')).toBe(before);
    }
    expect((await rampart('plan fleet.yaml --emulator')).err).toContain('rampart plan -f fleet.yaml');
    expect((await rampart('apply fleet.yaml --emulator')).err).toContain('is passed with -f');
  });

  it('with --from-fleet writes the current fleet', async () => {
    const { rampart } = await workplace();
    const ran = await rampart('init --emulator --from-fleet --yes');
    expect(ran.code).toBe(0);
    expect(ran.err).toContain('40 hosts in 20 groups and in no group.\n');
    const plan = await rampart('plan --emulator --detailed-exitcode --json');
    expect(plan.code).toBe(0);
    expect(JSON.parse(plan.out).summary).toMatchObject({ unchanged: 40, unmanaged: 0 });
  });

  it('asks on a terminal, and its answers lead to the service', async () => {
    const { rampart, folder } = await workplace();
    const { env } = await givenService(fleet);
    const secret = { BERLIN_PSK: testPsk, HOME: folder };
    const answer = typing(env['RAMPART_BASE_URL'] ?? '', '1234567890', '', 'BERLIN_PSK', '', 'yes');
    const ran = await rampart('init --dir berlin', { env: secret, answer });
    expect({ code: ran.code, err: ran.err }).toMatchObject({ code: 0 });
    expect(ran.err).toContain('Is the PSK in a variable or in a file? [variable] ');
    expect(ran.err).toContain('  cd berlin\n');
    expect(ran.err).toContain('  rampart plan --account main\n');
    const config = await readFile(join(folder, 'berlin/rampart.config.yaml'), 'utf8');
    expect(config).toContain(`  main:
    baseUrl: "${env['RAMPART_BASE_URL']}"
    companyId: '1234567890'
    key: { variable: BERLIN_PSK }    # in the file that BERLIN_PSK_FILE names, or in BERLIN_PSK
`);
    expect(`${config}${ran.out}${ran.err}`).not.toContain(testPsk);
    expect(await readFile(join(folder, 'berlin/fleet.yaml'), 'utf8')).toContain('  - id: 9007199254740993\n');
    // The address was typed, so the next command does not ask whether the key may go there.
    const argv = ['plan', '-f', 'berlin/fleet.yaml', '--account', 'main'];
    await cp(join(folder, 'berlin/rampart.config.yaml'), join(folder, 'rampart.config.yaml'));
    expect(await rampart(argv, { env: secret })).toExit(0);
  });

  it('never keeps or repeats a secret that was typed in the wrong place', async () => {
    const { rampart, folder } = await workplace();
    for (const flags of [
      ['--psk-variable', testPsk],
      ['--psk-file', testPsk],
    ]) {
      const argv = [
        'init',
        '--yes',
        '--base-url',
        'https://remote.example.com',
        '--company-id',
        '5',
        ...flags,
      ];
      const ran = await rampart(argv);
      expect(ran.code).toBe(3);
      expect(`${ran.out}${ran.err}`).not.toContain(testPsk.slice(0, 20));
      expect(await readdir(folder)).toEqual([]);
    }
    const answer = typing(
      'https://user:hunter2@x.example',
      'https://remote.example.com',
      '5',
      'variable',
      testPsk,
      'MY_PSK',
      '',
      '',
    );
    const ran = await rampart('init', { answer });
    expect(ran.code).toBe(0);
    expect(`${ran.out}${ran.err}`).not.toMatch(/hunter2|psk\+Zx9/);
    for (const file of ['rampart.config.yaml', 'fleet.yaml']) {
      expect(await readFile(join(folder, file), 'utf8')).not.toMatch(/hunter2|psk\+Zx9/);
    }
  });

  it('without a terminal and without flags says which flags it needs', async () => {
    const { rampart, folder } = await workplace();
    const ran = await rampart('init');
    expect(ran.code).toBe(3);
    for (const flag of '--base-url --company-id --psk-variable --language --from-fleet --yes'.split(' ')) {
      expect(ran.err).toContain(flag);
    }
    expect(await readdir(folder)).toEqual([]);
    const part = await rampart('init --yes --base-url https://remote.example.com');
    expect(part).toMatchObject({ code: 3, err: expect.stringContaining('--company-id is missing') });
  });

  it('refuses invalid answers', async () => {
    const { rampart } = await workplace();
    for (const flags of [
      ['--base-url', 'http://remote.example.com', '--company-id', '5'],
      ['--base-url', 'https://remote.example.com', '--company-id', '5e3'],
      ['--base-url', 'https://remote.example.com', '--company-id', '5', '--language', 'perl'],
    ]) {
      expect((await rampart(['init', '--yes', ...flags])).code, flags.join(' ')).toBe(3);
    }
  });

  it('overwrites nothing', async () => {
    const { rampart, write, folder } = await workplace({ '.gitignore': 'mine\n' });
    await write('rampart.config.yaml', 'accounts: {}\n');
    const ran = await rampart('init --emulator --yes');
    expect(ran.code).toBe(0);
    expect(ran.err).toContain('Add this line to .gitignore: .rampart/');
    expect(ran.err).toContain('Add this line to .gitignore: plan.json');
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe('mine\n');
    expect(await readFile(join(folder, 'rampart.config.yaml'), 'utf8')).toBe('accounts: {}\n');
    for (const state of ['fleet.yaml', 'fleet.ts']) {
      const place = await workplace();
      await place.write(state, 'mine\n');
      expect(await place.rampart('init --emulator --yes')).toExit(3);
      expect(await readdir(place.folder)).toEqual([state]);
    }
    const withFolder = await workplace();
    await mkdir(join(withFolder.folder, 'fleet'));
    expect((await withFolder.rampart('init --emulator --yes')).code).toBe(3);
  });

  it('in TypeScript writes a script that says the same', async () => {
    const { rampart, folder, env } = await connected(fleet);
    const argv = ['init', '--yes', '--language', 'typescript', '--from-fleet', '--company-id', '1234567890'];
    expect(await rampart([...argv, '--base-url', env['RAMPART_BASE_URL'] ?? ''])).toExit(0);
    expect(
      await readFile(join(folder, 'fleet.ts'), 'utf8'),
    ).toBe(`import { defineFleet, host } from 'rampart';

export default defineFleet({
  account: { companyId: 1234567890n },
  hosts: [
    // Berlin: 1 host
    host({ id: 9007199254740993n, name: "BER-WEB-01", group: "Berlin" }),
    // In no group: 1 host
    // 2 has no name here: the service has no name for it
    host({ id: 2n, group: null }),
  ],
});
`);
    expect(await rampart('plan --detailed-exitcode')).toExit(0);
  });
});

describe('init with a pipeline', () => {
  const action = `acme/rampart@${'a'.repeat(40)}`;
  const live = ['--base-url', 'https://remote.example.com', '--company-id', '5', '--yes'];

  it('writes workflows that fit the folder of the project in its repository', async () => {
    const { rampart, folder, write } = await workplace();
    await mkdir(join(folder, '.git'));
    await mkdir(join(folder, 'sites/berlin'), { recursive: true });
    const argv = [
      'init',
      '--github',
      '--dir',
      'sites/berlin',
      '--branch',
      'trunk',
      '--action',
      action,
      ...live,
    ];
    const ran = await rampart(argv, { env: { HOME: folder } });
    expect(ran).toExit(0, '  gh secret set RAMPART_PSK');
    expect(ran.err).not.toContain('git init');
    const workflows = join(folder, '.github/workflows');
    expect((await readdir(workflows)).toSorted()).toEqual(
      ['apply', 'commands', 'drift', 'review'].map((name) => `rampart.sites.berlin-${name}.yml`),
    );
    const apply = await readFile(join(workflows, 'rampart.sites.berlin-apply.yml'), 'utf8');
    for (const line of [
      'branches: [trunk]',
      'paths: [sites/berlin/fleet.yaml,',
      "'sites/berlin/**/*.csv', 'sites/berlin/**/*.tsv', 'sites/berlin/**/*.json', 'sites/berlin/**/*.ndjson', ",
      `uses: ${action}`,
      'working-directory: sites/berlin',
      'comment-key: sites.berlin',
      'path: sites/berlin/.rampart',
    ])
      expect(apply).toContain(line);
    await write('sites/berlin/fleet.yaml', 'version: 1\nhosts: []\n');
    const again = await rampart(argv, { env: { HOME: folder } });
    expect(again.code).toBe(0);
    expect(again).toMatchObject({ err: expect.stringContaining('Left unchanged: fleet.yaml'), out: '' });
  });

  it('gives two folders never the same name, whatever their characters', () => {
    const words = fc.constantFrom('a', 'b', 'A', '-', '/', '.', '_', ' ', 'é', 'x'.repeat(70));
    const folder = fc.array(words, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
    const keyOf = (each: string) => projectKey({ folder: each });
    fc.assert(
      fc.property(fc.uniqueArray(folder, { minLength: 2, maxLength: 6 }), (folders) => {
        const keys = folders.map(keyOf);
        expect(new Set(keys).size).toBe(folders.length);
        for (const key of keys) expect(key).toMatch(keyPattern);
        // Boards and file systems may ignore the letter case, and artifacts have no dots.
        const artifacts = keys.map((key) => key.toLowerCase().replaceAll('.', '_'));
        expect(new Set(artifacts).size).toBe(folders.length);
      }),
    );
    expect(['a/b', 'a-b', 'berlin'].map(keyOf)).toEqual(['a.b', 'a-b', 'berlin']);
  });

  it('replaces a file that differs only with --force, and names it', async () => {
    const { rampart, folder } = await workplace({ '.gitlab-ci.yml': 'mine: true\n' });
    const argv = ['init', '--gitlab', '--emulator', '--yes'];
    expect(await rampart(argv)).toExit(3, '.gitlab-ci.yml already exists with different content');
    expect(await readdir(folder)).toEqual(['.gitlab-ci.yml']);
    expect(await rampart([...argv, '--force'])).toExit(0);
    expect(await readFile(join(folder, '.gitlab-ci.yml'), 'utf8')).toContain('rampart-plan:');
  });

  it.each(['$(id)', '${{ github.token }}', "it's", 'a"b', 'a`b', '*', 'a#b', ' a', 'a\nb', '-rf'])(
    'refuses the folder %j, which a pipeline could take for something else',
    async (name) => {
      const { rampart, folder } = await workplace();
      await mkdir(join(folder, '.git'));
      await mkdir(join(folder, 'x', name), { recursive: true });
      for (const system of ['--github', '--gitlab', '--azure']) {
        const ran = await rampart([
          'init',
          system,
          '--dir',
          join(folder, 'x', name),
          '--emulator',
          '--yes',
          '--action',
          action,
        ]);
        expect({ system, code: ran.code }).toEqual({ system, code: 3 });
        expect(ran.err).toContain("pipelines can't contain the name of the folder");
      }
      expect(await readdir(join(folder, 'x', name))).toEqual([]);
    },
  );

  it('writes through no link that leads out of the repository, not even with --force', async () => {
    for (const [link, target] of [
      ['repository/.gitlab-ci.yml', 'nowhere.yml'],
      ['repository/.gitlab-ci.yml', 'there.yml'],
      ['repository/.github', 'elsewhere'],
      ['repository/.github/workflows', 'elsewhere'],
    ] as const) {
      const { rampart, folder } = await workplace({ 'there.yml': 'mine\n' });
      await mkdir(join(folder, 'elsewhere'));
      await mkdir(join(folder, 'repository/.git'), { recursive: true });
      await mkdir(dirname(join(folder, link)), { recursive: true });
      await symlink(join(folder, target), join(folder, link));
      const system = link.includes('github') ? '--github' : '--gitlab';
      const argv = ['init', system, '--dir', 'repository', '--emulator', '--yes', '--action', action];
      for (const more of [[], ['--force']]) {
        const ran = await rampart([...argv, ...more]);
        expect([link, ran.code]).toEqual([link, 3]);
        expect(ran.err).toContain('outside of the repository');
      }
      expect((await readdir(folder)).toSorted()).toEqual(['elsewhere', 'repository', 'there.yml']);
      expect(await readdir(join(folder, 'elsewhere'))).toEqual([]);
      expect(await readFile(join(folder, 'there.yml'), 'utf8')).toBe('mine\n');
    }
  });

  it.each(['$(id).yaml', 'a b.yaml', 'a;id.yaml', 'a\n--auto-approve', "it's.yaml"])(
    'refuses the seed %j, which a pipeline could take for something else',
    async (name) => {
      const { rampart, write } = await workplace();
      await write(name, 'companyId: 77\nhosts: []\n');
      for (const system of ['--github', '--gitlab', '--azure']) {
        const argv = ['init', system, '--action', action, `--emulator=${name}`, '--yes'];
        const ran = await rampart(argv);
        expect({ system, code: ran.code }).toEqual({ system, code: 3 });
        expect(ran.err).toContain("pipelines can't contain the name of the seed");
      }
    },
  );

  it('refuses a branch and an Action that a workflow could take for something else, and a key in a file', async () => {
    const { rampart, folder } = await workplace();
    for (const flags of [
      ['--branch', "x'", '--action', action],
      [],
      ['--action', 'acme/rampart'],
      ['--action', 'acme/rampart@v1'],
      ['--action', 'acme/rampart@v1\n    run: id'],
      ['--psk-file', 'key.txt', '--action', action],
    ]) {
      const ran = await rampart(['init', '--github', ...flags, ...live]);
      expect({ flags, code: ran.code }).toEqual({ flags, code: 3 });
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('writes the archive of GitLab into the file, because forks get no variables of the project', async () => {
    const { rampart, folder } = await workplace();
    const init = (archive: string) =>
      rampart(['init', '--gitlab', '--emulator', '--yes', '--force', '--archive', archive]);
    for (const refused of [
      'https://a.example/r.tar.gz',
      'http://a.example/r.tar.gz#sha256=' + '0'.repeat(64),
    ])
      expect(await init(refused)).toMatchObject({ code: 3, err: expect.stringContaining('#sha256=') });
    expect((await init(`https://a.example/r.tar.gz#sha256=${'0'.repeat(64)}`)).code).toBe(0);
    const text = await readFile(join(folder, '.gitlab-ci.yml'), 'utf8');
    expect(text).toContain("  RAMPART_ARCHIVE: 'https://a.example/r.tar.gz'\n");
  });

  it('needs an account to choose if the configuration has several', async () => {
    const { rampart, write, folder } = await workplace({ 'fleet.yaml': 'version: 1\nhosts: []\n' });
    const account = (name: string) =>
      `  ${name}: { baseUrl: 'https://${name}.example', companyId: 5, key: { variable: ${name.toUpperCase()}_PSK } }\n`;
    await write('rampart.config.yaml', `accounts:\n${account('berlin')}${account('lisbon')}`);
    const refused = await rampart(['init', '--github', '--action', action]);
    expect(refused.code).toBe(3);
    expect(refused.err).toContain('rampart.config.yaml has 2 accounts');
    expect((await rampart(['init', '--github', '--account', 'lisbon', '--action', action])).code).toBe(0);
    const review = await readFile(join(folder, '.github/workflows/rampart-review.yml'), 'utf8');
    expect(review).toContain('LISBON_PSK_FILE: ${{ runner.temp }}/lisbon_psk');
    expect(review).not.toContain('BERLIN');
  });
});
