import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ask, checkOrigin } from '../../src/cli/trust/check-origin.ts';
import { connected, givenService, testPsk, type Workplace, workplace } from '../given/command-line.ts';
import { gitIn } from '../given/git.ts';

const fleet = { hosts: [{ id: '1', name: 'A' }] };
const argv = ['doctor', 'credentials', '--account', 'berlin'];

async function given() {
  const service = await givenService(fleet);
  const url = service.env['RAMPART_BASE_URL'] ?? '';
  return { emulator: service.emulator, url };
}

const account = (baseUrl: string, key = 'variable: BERLIN_PSK') =>
  `accounts: { berlin: { baseUrl: '${baseUrl}', companyId: 1234567890, key: { ${key} } } }\n`;

const place = (text: string) => workplace({ 'rampart.config.yaml': text });

function commit({ folder }: Workplace): string {
  const git = gitIn(folder);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'x');
  return git('rev-parse', 'HEAD');
}

describe('an address that only a file of the checkout names', () => {
  it('gets no key if nobody can be asked', async () => {
    const { emulator, url } = await given();
    const { rampart, folder } = await place(account(url));
    for (const env of [{ BERLIN_PSK: testPsk }, { BERLIN_PSK: testPsk, HOME: folder }]) {
      const ran = await rampart(argv, { env });
      expect(ran.code).toBe(6);
      expect(ran.err).toContain(`the key in variable BERLIN_PSK is not sent to ${url}`);
      expect(ran.err).toContain('RAMPART_ALLOWED_ORIGINS');
    }
    expect(emulator.requests).toEqual([]);
  });

  it('is asked about once for each key and each origin', async () => {
    const first = await given();
    const second = await given();
    const { rampart, folder, write } = await place(account(first.url));
    const env = { BERLIN_PSK: testPsk, LISBON_PSK: testPsk, HOME: folder };
    expect(await rampart(argv, { env, answer: 'y' })).toExit(6);
    const yes = await rampart(argv, { env, answer: 'yes' });
    expect(yes.code).toBe(0);
    expect(yes.err).toContain(`sends the key in variable BERLIN_PSK to ${first.url} for the first time`);
    expect((await rampart(argv, { env })).code).toBe(0);
    const kept = await readFile(join(folder, '.config/rampart/allowed-origins'), 'utf8');
    expect(kept).toContain(`${first.url} variable BERLIN_PSK\n`);
    expect(kept).not.toContain(testPsk);

    await write('rampart.config.yaml', account(second.url));
    expect((await rampart(argv, { env })).code).toBe(6);
    await write('rampart.config.yaml', account(first.url, 'variable: LISBON_PSK'));
    expect((await rampart(argv, { env })).code).toBe(6);
    expect(second.emulator.requests).toEqual([]);
  });

  it('is asked about although the question before could not be asked', async () => {
    const { folder } = await place(account('https://berlin.example.com'));
    const origin = (ask: Ask) =>
      checkOrigin({ baseUrl: 'https://berlin.example.com', key: 'variable X', env: { HOME: folder }, ask });
    const [broken, asked] = await Promise.allSettled([
      origin(() => Promise.reject(new Error('the terminal is gone'))),
      origin(async () => 'yes'),
    ]);
    expect(broken.status).toBe('rejected');
    expect(asked).toMatchObject({ status: 'fulfilled', value: { ok: true } });
  });

  it('is not pinned by a file that others can write', async () => {
    const { emulator, url } = await given();
    const { rampart, folder } = await place(account(url));
    const path = join(folder, '.config/rampart/allowed-origins');
    await mkdir(join(folder, '.config/rampart'), { recursive: true });
    await writeFile(path, `${url} variable BERLIN_PSK\n`);
    await chmod(path, 0o666);
    const ran = await rampart(argv, { env: { BERLIN_PSK: testPsk, HOME: folder } });
    expect(ran.code).toBe(6);
    expect(ran.err).toContain('another user owns it or can write it');
    expect(emulator.requests).toEqual([]);
  });

  it.each([
    ['CI', 'true'],
    ['GITHUB_ACTIONS', 'true'],
    ['GITLAB_CI', 'true'],
    ['TF_BUILD', 'True'],
    ['JENKINS_URL', 'https://ci.example.com/'],
    ['BITBUCKET_BUILD_NUMBER', '1'],
  ])('is never enough in a pipeline, whatever was answered before: %s', async (name, value) => {
    const { emulator, url } = await given();
    const { rampart, folder } = await place(account(url));
    const env = { BERLIN_PSK: testPsk, HOME: folder };
    expect((await rampart(argv, { env, answer: 'yes' })).code).toBe(0);
    const before = emulator.requests.length;
    const ran = await rampart(argv, { env: { ...env, [name]: value }, answer: 'yes' });
    expect(ran).toMatchObject({ code: 6, err: expect.stringContaining('RAMPART_CONFIG_REF') });
    expect(emulator.requests).toHaveLength(before);
    const pinned = { ...env, [name]: value, RAMPART_ALLOWED_ORIGINS: `https://x.example.com, ${url}` };
    expect((await rampart(argv, { env: pinned })).code).toBe(0);
  });

  it('gets neither the key of the environment nor a session', async () => {
    const pinned = await given();
    const attacker = await given();
    const { rampart } = await place(
      `accounts: { berlin: { baseUrl: '${attacker.url}', companyId: 1234567890 } }\n`,
    );
    const own = { RAMPART_BASE_URL: pinned.url, RAMPART_COMPANY_ID: '1234567890' };
    const session = { RAMPART_SESSION_ID: 'a-login-session', RAMPART_PROFILE_ID: '9' };
    for (const key of [{ RAMPART_PSK: testPsk }, session]) {
      expect((await rampart(argv, { env: { ...own, ...key } })).code).toBe(6);
    }
    expect(attacker.emulator.requests).toEqual([]);
  });

  it('must be an origin in RAMPART_ALLOWED_ORIGINS', async () => {
    const { url } = await given();
    const { rampart } = await place(account(url));
    for (const allowed of [`${url}/path`, 'remote.example.com', 'http://remote.example.com', '*']) {
      const env = { BERLIN_PSK: testPsk, RAMPART_ALLOWED_ORIGINS: allowed };
      expect(await rampart(argv, { env })).toExit(3, 'RAMPART_ALLOWED_ORIGINS');
    }
  });
});

describe('the key that a file of the checkout names', () => {
  it.each(['AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN', 'RAMPART_GITLAB_TOKEN', 'PATH', 'PSK'])(
    'is not the variable %s, wherever it would go',
    async (variable) => {
      const { emulator, url } = await given();
      const { rampart } = await place(account(url, `variable: ${variable}`));
      const ran = await rampart(argv, { env: { [variable]: testPsk, RAMPART_ALLOWED_ORIGINS: url } });
      expect(ran).toMatchObject({ code: 3, err: expect.stringContaining('rampart.config.yaml:1') });
      expect(emulator.requests).toEqual([]);
    },
  );

  it('is not a file of the kernel or a pipe, and in a pipeline not a file at all', async () => {
    const { emulator, url } = await given();
    const env = { RAMPART_ALLOWED_ORIGINS: url };
    const made = await place(account(url, 'file: pipe'));
    execFileSync('/usr/bin/mkfifo', [join(made.folder, 'pipe')]);
    expect((await made.rampart(argv, { env })).code).toBe(3);
    await made.write('rampart.config.yaml', account(url, 'file: /proc/self/environ'));
    expect((await made.rampart(argv, { env })).code).toBe(3);
    await made.write('key', testPsk);
    await made.write('rampart.config.yaml', account(url, 'file: key'));
    expect((await made.rampart(argv, { env: { ...env, CI: '1' } })).code).toBe(6);
    expect(emulator.requests).toEqual([]);
    expect((await made.rampart(argv, { env })).code).toBe(0);
  });

  it('loses trailing line breaks, in a variable as in a file', async () => {
    const { rampart } = await connected(fleet);
    expect((await rampart('doctor credentials', { env: { RAMPART_PSK: `${testPsk}\r\n` } })).code).toBe(0);
    const lines = await rampart('doctor credentials', { env: { RAMPART_PSK: `${testPsk}\n${testPsk}` } });
    expect(lines.code).toBe(3);
    expect(lines.err).not.toContain(testPsk);
  });
});

describe('RAMPART_CONFIG_REF', () => {
  it('is refused if there is no such commit, and there is no account if the commit has no file', async () => {
    const { url } = await given();
    const made = await workplace({ other: '' });
    const reviewed = commit(made);
    await made.write('rampart.config.yaml', account(url));
    for (const ref of [reviewed, 'nowhere', '--help', '']) {
      const env = { BERLIN_PSK: testPsk, CI: 'true', PATH: process.env['PATH'], RAMPART_CONFIG_REF: ref };
      expect({ ref, code: (await made.rampart(argv, { env })).code }).toEqual({
        ref,
        code: ref === '' ? 6 : 3,
      });
    }
  });

  it('does not take a folder of the checkout for a repository', async () => {
    const { url } = await given();
    const attacker = await given();
    const made = await place(account(url));
    const reviewed = commit(made);
    const bare = join(made.folder, 'sites');
    await made.write('rampart.config.yaml', account(attacker.url));
    const other = await place(account(attacker.url));
    commit(other);
    execFileSync('git', ['clone', '--quiet', '--bare', other.folder, bare]);
    execFileSync('git', ['config', 'core.fsmonitor', 'touch planted'], { cwd: bare });
    const env = { BERLIN_PSK: testPsk, CI: 'true', PATH: process.env['PATH'] };
    for (const ref of ['HEAD', reviewed]) {
      const inside = { ...env, RAMPART_CONFIG_REF: ref };
      expect(await made.rampart(argv, { env: inside, folder: bare })).toExit(3);
    }
    expect(attacker.emulator.requests).toEqual([]);
  });
});

describe('a pull request', () => {
  const pipeline = (reviewed: string, url: string) => ({
    BERLIN_PSK: testPsk,
    OTHER_PSK: testPsk,
    VAULT_TOKEN: 'a-token-of-vault',
    RAMPART_ALLOW_KEY_COMMANDS: '1',
    CI: 'true',
    PATH: process.env['PATH'],
    ...(reviewed === '' ? { RAMPART_ALLOWED_ORIGINS: url } : { RAMPART_CONFIG_REF: reviewed }),
  });

  it.each([
    ['the address', (url: string) => account(url)],
    ['the key', (url: string) => account(url, 'variable: OTHER_PSK')],
    ['the files that are included', () => 'include: accounts/*.yaml\n'],
  ])('that changes %s reaches no key where the configuration is reviewed', async (_, changed) => {
    const { emulator, url } = await given();
    const attacker = await given();
    const made = await place(account(url));
    const reviewed = commit(made);
    await mkdir(join(made.folder, 'accounts'));
    await made.write(
      'accounts/berlin.yaml',
      `baseUrl: ${attacker.url}\ncompanyId: 1234567890\nkey: { variable: BERLIN_PSK }\n`,
    );
    await made.write('rampart.config.yaml', changed(attacker.url));
    expect((await made.rampart(argv, { env: pipeline(reviewed, url) })).code).toBe(0);
    expect(emulator.requests).not.toEqual([]);
    expect(attacker.emulator.requests).toEqual([]);
    expect(await made.rampart(argv, { env: pipeline('', url) })).toExit(6);
    expect(attacker.emulator.requests).toEqual([]);
  });

  it.each([
    ['a command', 'command: [touch, planted]'],
    [
      'a secret of Vault',
      "vault: { address: 'http://127.0.0.1:9', path: other, login: { tokenVariable: VAULT_TOKEN } }",
    ],
  ])("can't choose %s in a pipeline, even for a pinned address", async (_, key) => {
    const { emulator, url } = await given();
    const made = await place(account(url, key));
    const ran = await made.rampart(argv, { env: pipeline('', url) });
    expect(ran.code).toBe(6);
    expect(ran.err).toContain('rampart.config.yaml is part of the checkout');
    await expect(readFile(join(made.folder, 'planted'))).rejects.toThrow('ENOENT');
    expect(emulator.requests).toEqual([]);
  });

  it('that names another Vault gets no token without an answer at the terminal', async () => {
    const { url } = await given();
    const vault = "vault: { address: 'http://127.0.0.1:9', path: a, login: { tokenVariable: VAULT_TOKEN } }";
    const made = await place(account(url, vault));
    expect(
      await made.rampart(argv, { env: { VAULT_TOKEN: 'a-token-of-vault', RAMPART_ALLOWED_ORIGINS: url } }),
    ).toExit(6, 'the key in variable VAULT_TOKEN is not sent to http://127.0.0.1:9');
  });
});
