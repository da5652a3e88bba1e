import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDesired } from '../../../src/input/load-desired.ts';
import type { GitSource } from '../../../src/server/settings/server-settings.ts';
import type { AllowedAddressSetting } from '../../../src/server/settings/setting-values.ts';
import { openServerSources, type ServedSources } from '../../../src/server/sources/rules/open-sources.ts';
import { snapshotPaths } from '../../../src/server/sources/rules/snapshot-paths.ts';
import type { SourceLimits } from '../../../src/server/sources/rules/source-limits.ts';
import { sshCommand } from '../../../src/server/sources/rules/ssh-command.ts';
import { isRunning } from '../../given/is-running.ts';
import { type GitServer, git, givenRepository, startGitServer } from './git-server.ts';

const fleet = 'version: 1\nhosts:\n  - { id: 1, name: A }\n';
let server: GitServer;
let data: string;
let number = 0;

beforeAll(async () => {
  server = await startGitServer();
  data = mkdtempSync(join(tmpdir(), 'rampart-data-'));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(data, { recursive: true, force: true });
});

interface Given extends Partial<Omit<GitSource, 'name' | 'kind'>> {
  readonly repository: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly limits?: Partial<SourceLimits>;
  readonly allow?: readonly AllowedAddressSetting[];
}

const loopback = [{ kind: 'network' as const, address: '127.0.0.0', prefix: 8 }];

function givenSources({ repository, env = {}, limits, allow = loopback, ...parts }: Given) {
  number += 1;
  const name = `s${number}`;
  const hidden: string[] = [];
  const folder = join(data, name);
  const source: GitSource = {
    name,
    kind: 'git',
    git: `${server.origin}/${repository}.git`,
    ref: 'main',
    path: '',
    commands: 'all',
    allowsScripts: false,
    place: { file: 'rampart.config.yaml', line: 1, col: 1, text: '', width: 1 },
    ...parts,
  };
  const open = () =>
    openServerSources([source], {
      data: folder,
      folder: data,
      env: { PATH: process.env['PATH'], ...env },
      hide: (secrets) => hidden.push(...secrets),
      allow,
      ...(limits === undefined ? {} : { limits }),
    });
  return { name, folder, hidden, source, open, sources: open() };
}

async function problemsOf(sources: ServedSources, name: string) {
  const read = await sources.refresh(name);
  return read.ok ? [] : read.problems.map(({ code, message }) => `${code}: ${message}`);
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && !each.name.startsWith('.'))
    .map((each) => join(each.parentPath, each.name).slice(folder.length + 1))
    .sort();

describe('a Git repository as a source', () => {
  it('copies the files below its path at the commit of the ref', async () => {
    const repository = givenRepository(server, 'plain', {
      'fleet/fleet.yaml': fleet,
      'fleet/hosts/a.csv': 'id,name\n1,A\n',
      'fleet/.hidden/b.yaml': 'x',
      'fleet/node_modules/c/index.js': 'x',
      'fleet/key.pem': 'secret',
      'other/big.yaml': 'x',
    });
    const { name, sources, folder } = givenSources({ repository: 'plain', path: 'fleet' });
    const read = await sources.refresh(name);
    expect(read).toMatchObject({
      ok: true,
      value: {
        source: name,
        commit: repository.first,
        author: 'Jane Doe <jane@example.com>',
        folder: join(folder, 'sources', name, repository.first),
      },
    });
    if (!read.ok) return;
    expect(filesIn(read.value.folder)).toEqual(['fleet.yaml', 'hosts/a.csv']);
    expect(readFileSync(join(read.value.folder, 'fleet.yaml'), 'utf8')).toBe(fleet);
    expect(statSync(join(read.value.folder, 'fleet.yaml')).mode & 0o777).toBe(0o400);
    expect(readdirSync(join(folder, 'sources', name))).toEqual([repository.first]);
    expect(sources.current(name)?.commit).toBe(repository.first);
  });
  it('fetches nothing again while the commit is unchanged, and the new files after a push', async () => {
    const repository = givenRepository(server, 'pushed', { 'fleet.yaml': fleet });
    const { name, sources, open } = givenSources({ repository: 'pushed' });
    await sources.refresh(name);
    const before = server.requests.length;
    await sources.refresh(name);
    await open().refresh(name);
    expect(server.requests.slice(before).every(({ path }) => !path.includes('receive'))).toBe(true);
    expect(server.requests.length - before).toBe(4);
    const second = repository.commit({ 'fleet.yaml': `${fleet}# new\n` });
    expect(await sources.refresh(name)).toMatchObject({ value: { commit: second } });
  });
  it('shares one look among calls at the same time', async () => {
    givenRepository(server, 'shared', { 'fleet.yaml': fleet });
    const { name, sources } = givenSources({ repository: 'shared' });
    const before = server.requests.length;
    const [first, second] = await Promise.all([sources.refresh(name), sources.refresh(name)]);
    expect(first).toBe(second);
    expect(
      server.requests.slice(before).filter(({ path }) => path.endsWith('info/refs?service=git-upload-pack'))
        .length,
    ).toBeLessThanOrEqual(3);
  });
  it('reads a branch rather than a tag of the same name', async () => {
    const repository = givenRepository(server, 'tagged', { 'fleet.yaml': fleet });
    git(repository.work, 'tag', 'main');
    const second = repository.commit({ 'fleet.yaml': `${fleet}# branch\n` });
    git(repository.work, 'push', '--quiet', repository.bare, 'refs/tags/main');
    const { name, sources } = givenSources({ repository: 'tagged' });
    expect(await sources.refresh(name)).toMatchObject({ value: { commit: second } });
    const tag = givenSources({ repository: 'tagged', ref: 'refs/tags/main' });
    expect(await tag.sources.refresh(tag.name)).toMatchObject({ value: { commit: repository.first } });
  });
  it('reads the commit that an annotated tag points to', async () => {
    const repository = givenRepository(server, 'annotated', { 'fleet.yaml': fleet });
    git(repository.work, 'tag', '--annotate', '--message', 'v1', 'v1');
    git(repository.work, 'push', '--quiet', repository.bare, 'refs/tags/v1');
    const { name, sources } = givenSources({ repository: 'annotated', ref: 'v1' });
    expect(await sources.refresh(name)).toMatchObject({ value: { commit: repository.first } });
  });
  it('reads a remote that does not support partial clones', async () => {
    const repository = givenRepository(server, 'whole', { 'fleet.yaml': fleet, 'x/other.yaml': 'x' });
    git(repository.bare, 'config', 'uploadpack.allowFilter', 'false');
    const { name, sources } = givenSources({ repository: 'whole' });
    expect(await sources.refresh(name)).toMatchObject({ value: { commit: repository.first } });
  });
  it('fetches a commit that another process has found', async () => {
    const repository = givenRepository(server, 'older', { 'fleet.yaml': fleet });
    repository.commit({ 'fleet.yaml': `${fleet}# newer\n` });
    const { name, sources } = givenSources({ repository: 'older' });
    const older = await sources.at(name, repository.first);
    expect(older).toMatchObject({ ok: true, value: { commit: repository.first } });
    if (older.ok) expect(readFileSync(join(older.value.folder, 'fleet.yaml'), 'utf8')).toBe(fleet);
  });
  it('keeps the last good commit while the remote is unavailable', async () => {
    const repository = givenRepository(server, 'away', { 'fleet.yaml': fleet });
    const { name, sources } = givenSources({ repository: 'away' });
    await sources.refresh(name);
    rmSync(repository.bare, { recursive: true });
    expect(await problemsOf(sources, name)).toEqual([
      `not-found: the repository of the source "${name}" does not exist, or its token may not read it`,
    ]);
    expect(sources.current(name)?.commit).toBe(repository.first);
    expect(await sources.at(name, repository.first)).toMatchObject({ ok: true });
  });
});

describe('the token of a source', () => {
  it('reaches the remote as a header, and appears in neither arguments nor problems', async () => {
    givenRepository(server, 'private', { 'fleet.yaml': fleet });
    const { name, sources, hidden } = givenSources({
      repository: 'private',
      token: { kind: 'variable', variable: 'FLEET_TOKEN' },
      env: { FLEET_TOKEN: 'tok-3f9c' },
    });
    const header = Buffer.from('x-access-token:tok-3f9c').toString('base64');
    let seen = '';
    server.intercept = (request, response) => {
      seen = request.headers.authorization ?? '';
      response.statusCode = 401;
      response.setHeader('WWW-Authenticate', 'Basic realm="tok-3f9c"');
      response.end(`no: tok-3f9c ${header}`);
      return true;
    };
    try {
      expect(await problemsOf(sources, name)).toEqual([
        `not-authenticated: the repository of the source "${name}" refuses the credentials`,
      ]);
    } finally {
      server.intercept = () => false;
    }
    expect(seen).toBe(`Basic ${header}`);
    expect(hidden).toEqual(['tok-3f9c']);
    expect(await sources.refresh(name)).toMatchObject({ ok: true });
  });
  it('is not in the arguments of any process', async () => {
    const log = join(data, 'arguments');
    const programs = mkdtempSync(join(data, 'bin-'));
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    writeFileSync(join(programs, 'git'), `#!/bin/sh\nprintf '%s\\n' "$@" >> ${log}\nexec ${real} "$@"\n`, {
      mode: 0o755,
    });
    const { name, sources } = givenSources({
      repository: 'private',
      token: { kind: 'variable', variable: 'FLEET_TOKEN' },
      env: { FLEET_TOKEN: 'tok-3f9c', PATH: `${programs}:${process.env['PATH']}` },
    });
    expect(await sources.refresh(name)).toMatchObject({ ok: true });
    const argv = readFileSync(log, 'utf8');
    expect(argv).toContain('ls-remote');
    expect(argv).toContain('--filter=blob:none');
    expect(argv).not.toContain('tok-3f9c');
    expect(argv).not.toContain(Buffer.from('x-access-token:tok-3f9c').toString('base64'));
  });
  it('is reported by its variable if it is missing', async () => {
    const { name, sources } = givenSources({
      repository: 'private',
      token: { kind: 'variable', variable: 'NO_TOKEN' },
    });
    expect(await problemsOf(sources, name)).toEqual([
      `missing-credentials: the token of the source "${name}" is missing: the variable NO_TOKEN is empty`,
    ]);
  });
  it('does not reach another host by a redirect', async () => {
    const other = await startGitServer();
    try {
      const { name, sources } = givenSources({
        repository: 'private',
        token: { kind: 'variable', variable: 'FLEET_TOKEN' },
        env: { FLEET_TOKEN: 'tok-3f9c' },
      });
      server.intercept = (request, response) => {
        response.writeHead(302, { location: `${other.origin}${request.url}` }).end();
        return true;
      };
      expect(await problemsOf(sources, name)).toEqual([
        `redirected: the repository of the source "${name}" responds with a redirect, which Rampart does not follow`,
      ]);
      expect(other.requests).toEqual([]);
    } finally {
      server.intercept = () => false;
      await other[Symbol.asyncDispose]();
    }
  });
});

describe('a hostile repository', () => {
  it('has its links, submodules and odd names refused', async () => {
    const repository = givenRepository(server, 'odd', {
      'fleet.yaml': fleet,
      'stolen.yaml': { link: '/etc/passwd' },
      deep: { link: '../..' },
      'a\nb.yaml': 'x',
      'c\u001b[2J.yaml': 'x',
      'back\\slash.yaml': 'x',
    });
    git(repository.work, 'update-index', '--add', '--cacheinfo', `160000,${repository.first},vendor`);
    git(repository.work, 'commit', '--quiet', '--message', 'Add a submodule');
    git(repository.work, 'push', '--quiet', repository.bare, 'HEAD:refs/heads/main');
    const { name, sources, folder } = givenSources({ repository: 'odd' });
    const problems = await problemsOf(sources, name);
    expect(problems.filter((each) => !each.includes('has a file with an unsupported name'))).toEqual([
      `file-unreadable: the source "${name}" has a symbolic link: "deep"`,
      `file-unreadable: the source "${name}" has a symbolic link: "stolen.yaml"`,
      `file-unreadable: the source "${name}" has a submodule: "vendor"`,
    ]);
    expect(problems).toHaveLength(6);
    expect(readdirSync(join(folder, 'sources', name))).toEqual([]);
    expect(sources.current(name)).toBeUndefined();
  });
  it('has a tree that climbs out of its folder refused', async () => {
    const repository = givenRepository(server, 'climbing', { 'fleet.yaml': fleet });
    const blob = git(repository.work, 'rev-parse', 'HEAD:fleet.yaml');
    const inner = writeTree(repository.work, `100644 evil.yaml\0`, blob);
    const outer = writeTree(repository.work, `40000 ..\0`, inner);
    const commit = git(repository.work, 'commit-tree', outer, '-m', 'Climb');
    git(repository.work, 'push', '--quiet', '--force', repository.bare, `${commit}:refs/heads/main`);
    const { name, sources, folder } = givenSources({ repository: 'climbing' });
    expect(await problemsOf(sources, name)).toHaveLength(1);
    expect(existsSync(join(folder, 'sources', 'evil.yaml'))).toBe(false);
  });
  it('is disconnected once it has sent more than the limit, and if it never ends', async () => {
    givenRepository(server, 'endless', { 'fleet.yaml': fleet });
    const sized = givenSources({ repository: 'endless', limits: { fetchedBytes: 100 } });
    expect(await problemsOf(sized.sources, sized.name)).toEqual([
      `too-large: the repository of the source "${sized.name}" sends more than 0 MiB`,
    ]);
    const open = new Set<NodeJS.Timeout>();
    server.intercept = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
      response.write('001e# service=git-upload-pack\n0000');
      open.add(setInterval(() => response.write('0009a\n'), 5));
      return true;
    };
    try {
      const slow = givenSources({ repository: 'endless', limits: { timeMs: 300 } });
      expect(await problemsOf(slow.sources, slow.name)).toEqual([
        `timed-out: the repository of the source "${slow.name}" did not answer within 0 s`,
      ]);
      const cancelled = givenSources({ repository: 'endless' });
      const stop = new AbortController();
      const read = cancelled.sources.refresh(cancelled.name, stop.signal);
      stop.abort();
      expect(await read).toMatchObject({ ok: false, problems: [{ code: 'cancelled' }] });
      await expect.poll(() => processesNaming('endless.git')).toEqual([]);
    } finally {
      for (const each of open) clearInterval(each);
      server.intercept = () => false;
    }
  });
  it('runs no hook, filter or configuration of the repository', async () => {
    const mark = join(data, 'ran');
    givenRepository(server, 'filters', {
      'fleet.yaml': fleet,
      '.gitattributes': '* filter=evil\n',
      '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "touch ${mark}"\n`,
      '.lfsconfig': '[lfs]\n\turl = http://127.0.0.1:1/\n',
    });
    const { name, sources } = givenSources({ repository: 'filters' });
    expect(await problemsOf(sources, name)).toEqual([]);
    expect(existsSync(mark)).toBe(false);
  });
});

describe('the address of a source', () => {
  it('leads to this machine only if the operator allows it', async () => {
    const { name, sources } = givenSources({ repository: 'plain', allow: [] });
    const before = server.requests.length;
    expect(await problemsOf(sources, name)).toEqual([expect.stringContaining('127.0.0.1')]);
    const metadata = givenSources({ repository: 'plain', git: 'https://169.254.169.254/x.git' });
    expect(await problemsOf(metadata.sources, metadata.name)).toEqual([
      expect.stringContaining('169.254.169.254'),
    ]);
    expect(server.requests.length).toBe(before);
  });
  it('reports a ref or a folder that does not exist', async () => {
    const ref = givenSources({ repository: 'plain', ref: 'gone' });
    expect(await problemsOf(ref.sources, ref.name)).toEqual([
      `not-found: the repository of the source "${ref.name}" has no branch or tag "gone"`,
    ]);
    const path = givenSources({ repository: 'plain', path: 'gone' });
    expect(await problemsOf(path.sources, path.name)).toEqual([
      `file-missing: the repository of the source "${path.name}" has no folder "gone"`,
    ]);
  });
});

describe('a Git repository over SSH', () => {
  /** A program `ssh` that records its calls, and runs Git on this machine. */
  function givenSsh(words = 'exec git upload-pack "$root/$path"') {
    const folder = mkdtempSync(join(data, "it's a folder "));
    const [bin, seen] = [join(folder, 'bin'), join(folder, 'seen')];
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'ssh'),
      `#!/bin/sh
{ for word in "$@"; do printf '%s\\0' "$word"; done; printf '\\n\\0'; } >> "${seen}"
env >> "${seen}.env"
for command in "$@"; do :; done
eval "set -- $command"
root='${server.folder}' path="$2"
${words}
`,
      { mode: 0o700 },
    );
    const ssh = { key: join(folder, 'deploy key'), knownHosts: join(folder, 'known_hosts') };
    for (const file of Object.values(ssh)) writeFileSync(file, 'x', { mode: 0o600 });
    const env = {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      SSH_AUTH_SOCK: '/tmp/agent',
      GIT_SSH_COMMAND: 'touch /tmp/never',
      RAMPART_KEY: 'rk_secret',
    };
    const calls = () =>
      readFileSync(seen, 'utf8')
        .split('\n\0')
        .filter((line) => line !== '')
        .map((line) => line.split('\0').filter((word) => word !== ''));
    return { ssh, env, calls, environment: () => readFileSync(`${seen}.env`, 'utf8') };
  }
  const optionsOf = (call: readonly string[]) =>
    call.flatMap((word, at) => (call[at - 1] === '-o' ? [word] : []));

  it('is fetched with one key and one file of host keys, and without the agent and the configuration', async () => {
    const repository = givenRepository(server, 'over-ssh', { 'fleet.yaml': fleet });
    const { ssh, env, calls, environment } = givenSsh();
    const { name, sources } = givenSources({
      repository: '',
      git: 'ssh://git@localhost:2222/over-ssh.git',
      ssh,
      env,
      allow: [...loopback, { kind: 'network', address: '::1', prefix: 128 }],
    });
    expect(await sources.refresh(name)).toMatchObject({ ok: true, value: { commit: repository.first } });
    expect(calls().length).toBeGreaterThanOrEqual(2);
    for (const call of calls()) {
      expect(call.slice(0, 3)).toEqual(['-F', '/dev/null', '-T']);
      expect(optionsOf(call)).toEqual(
        expect.arrayContaining([
          'BatchMode=yes',
          'StrictHostKeyChecking=yes',
          `UserKnownHostsFile="${ssh.knownHosts}"`,
          'GlobalKnownHostsFile=/dev/null',
          'IdentitiesOnly=yes',
          'IdentityAgent=none',
          `IdentityFile="${ssh.key}"`,
          'HostKeyAlias=[localhost]:2222',
          expect.stringMatching(/^HostName=(?:127\.0\.0\.1|::1)$/),
        ]),
      );
      expect(call.slice(-4)).toEqual(['-p', '2222', 'git@localhost', "git-upload-pack '/over-ssh.git'"]);
    }
    expect(environment()).not.toMatch(/SSH_AUTH_SOCK|rk_secret|never/);
  });
  const openSsh = (cipher: string) => {
    const length = Buffer.from([0, 0, 0, cipher.length]);
    const bytes = Buffer.concat([Buffer.from('openssh-key-v1\0'), length, Buffer.from(`${cipher} and more`)]);
    return `-----BEGIN OPENSSH PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----\n`;
  };
  it.each([
    ['an OpenSSH key with one', openSsh('aes256-ctr'), true],
    ['an OpenSSH key without one', openSsh('none'), false],
    ['a PEM key with one', '-----BEGIN ENCRYPTED PRIVATE KEY-----\nTWlp\n', true],
    ['a PEM key without one', '-----BEGIN PRIVATE KEY-----\nTWlp\n', false],
  ])('is refused if its key has a passphrase, which SSH does not report: %s', (_what, key, isRefused) => {
    const { ssh } = givenSsh();
    writeFileSync(ssh.key, key);
    const made = sshCommand({ name: 's', ssh, host: 'git.example.com', port: '22', pinned: '192.0.2.1' });
    expect(made.ok).toBe(!isRefused);
    if (!made.ok)
      expect(made.problems[0]?.message).toContain('the SSH key of the source "s" has a passphrase');
  });
  it('is read by the real OpenSSH with these options, which none of them overrides', () => {
    const { ssh } = givenSsh();
    const command = sshCommand({ name: 's', ssh, host: 'git.example.com', port: '22', pinned: '192.0.2.1' });
    const printed = execFileSync(
      'sh',
      ['-c', `${command.ok ? command.value : 'false'} -G git@git.example.com`],
      { encoding: 'utf8' },
    );
    for (const line of [
      'hostname 192.0.2.1',
      'hostkeyalias git.example.com',
      'stricthostkeychecking true',
      'batchmode yes',
      'identitiesonly yes',
      'identityagent none',
      `identityfile ${ssh.key}`,
      `userknownhostsfile ${ssh.knownHosts}`,
      'globalknownhostsfile /dev/null',
      'forwardagent no',
      'clearallforwardings yes',
      'updatehostkeys false',
    ])
      expect(printed.split('\n')).toContain(line);
  });
  it('is refused without its files, or with a path that SSH would change', async () => {
    const { ssh, env } = givenSsh();
    const git = 'ssh://git@127.0.0.1/plain.git';
    for (const [files, why] of [
      [undefined, 'configuration: the source "NAME" has no SSH key'],
      [
        { ...ssh, key: '/none' },
        'missing-credentials: the SSH key of the source "NAME" is missing: there is no file /none',
      ],
      [{ ...ssh, knownHosts: data }, 'missing-credentials: the known hosts of the source "NAME" is missing'],
      [{ ...ssh, key: '/a"b' }, 'has a character that SSH replaces'],
      [{ ...ssh, key: '/%h' }, 'has a character that SSH replaces'],
      [{ ...ssh, knownHosts: '/${HOME}' }, 'has a character that SSH replaces'],
    ] as const) {
      const { name, sources } = givenSources({
        repository: '',
        git,
        env,
        ...(files === undefined ? {} : { ssh: files }),
      });
      expect((await problemsOf(sources, name))[0]).toContain(why.replace('NAME', name));
    }
  });
  it('reports the refusal of OpenSSH', async () => {
    const { ssh, env } = givenSsh("echo 'Host key verification failed.' >&2; exit 255");
    const git = 'ssh://git@127.0.0.1/plain.git';
    const { name, sources } = givenSources({ repository: '', git, ssh, env });
    expect(await problemsOf(sources, name)).toEqual([
      `insecure-url: the repository of the source "${name}" has an unknown SSH host key`,
    ]);
  });
  it('is abandoned when its fetch is cancelled, together with the hanging process', async () => {
    const { ssh, env } = givenSsh('echo "$$" > "$0.part"; mv "$0.part" "$0.pid"; sleep 600 & wait');
    const { name, sources } = givenSources({
      repository: '',
      git: 'ssh://git@127.0.0.1/plain.git',
      ssh,
      env,
    });
    const file = join(env.PATH.split(':')[0] ?? '', 'ssh.pid');
    const stop = new AbortController();
    const reading = sources.refresh(name, stop.signal);
    await expect.poll(() => existsSync(file), { timeout: 20_000 }).toBe(true);
    const pid = Number(readFileSync(file, 'utf8'));
    expect(isRunning(pid)).toBe(true);
    stop.abort();
    expect(await reading).toMatchObject({ ok: false, problems: [{ code: 'cancelled' }] });
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

describe('the desired state in a snapshot', () => {
  it('is read from files of the snapshot only', async () => {
    givenRepository(server, 'accounts', {
      'berlin/fleet.yaml': fleet,
      'lisbon/fleet.yaml': 'version: 1\nhostsFrom: ../../../../etc/hosts.csv\n',
      'script/fleet.ts': "import { hosts } from './hosts.ts';\nexport default { version: 1, hosts };\n",
      'script/hosts.ts': "export const hosts = [{ id: 1, name: 'A' }];\n",
    });
    const { name, sources } = givenSources({ repository: 'accounts' });
    const read = await sources.refresh(name);
    if (!read.ok) throw new Error('the source must be readable');
    const load = async (file: string, allowsScripts = false) => {
      const paths = snapshotPaths(read.value, [file]);
      const loaded = paths.ok
        ? await loadDesired(paths.value, {
            cwd: read.value.folder,
            ...(allowsScripts ? {} : { noScripts: { why: 'not allowed', hint: 'allow it' } }),
          })
        : paths;
      return loaded.ok
        ? loaded.value.count
        : loaded.problems.map(({ code, message }) => `${code}: ${message}`);
    };
    expect(await load('berlin')).toBe(1);
    expect(await load('./berlin/../berlin/fleet.yaml')).toBe(1);
    expect(await load('../../x.yaml')).toEqual([expect.stringContaining('is outside the source')]);
    expect(await load('lisbon')).toEqual([expect.stringContaining('file-unreadable')]);
    expect(await load('script/fleet.ts')).toEqual([
      'not-approved: script/fleet.ts is a program and is not run: not allowed',
    ]);
    expect(await load('script/fleet.ts', true)).toBe(1);
  });
});

function writeTree(work: string, entry: string, object: string): string {
  const bytes = Buffer.concat([Buffer.from(entry, 'latin1'), Buffer.from(object, 'hex')]);
  return execFileSync('git', ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'], {
    cwd: work,
    input: bytes,
    encoding: 'utf8',
  }).trim();
}

/** The processes of this machine with a text in their arguments. */
function processesNaming(text: string): readonly string[] {
  return readdirSync('/proc')
    .filter((each) => /^\d+$/.test(each))
    .flatMap((id) => {
      try {
        const argv = readFileSync(`/proc/${id}/cmdline`, 'utf8');
        return argv.includes(text) ? [argv] : [];
      } catch {
        return [];
      }
    });
}
