import { lookup } from 'node:dns/promises';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tableEndings } from '../../../src/input/sources/read-endings.ts';
import { openGitAddress } from '../../../src/server/sources/rules/git-address.ts';
import { gitProblem } from '../../../src/server/sources/rules/git-problems.ts';
import { readGitTree } from '../../../src/server/sources/rules/git-tree.ts';
import { snapshotPaths } from '../../../src/server/sources/rules/snapshot-paths.ts';
import { usualLimits } from '../../../src/server/sources/rules/source-limits.ts';
import { isCopied, isIgnored, pathProblem } from '../../../src/server/sources/rules/source-path.ts';
import { sshCommand } from '../../../src/server/sources/rules/ssh-command.ts';
import type { AllowedAddress } from '../../../src/service/client/address-rules.ts';

describe('the limits of a source', () => {
  test('are those in the documentation', () => {
    const mebibyte = 1024 * 1024;
    expect(usualLimits).toMatchObject({
      timeMs: 2 * 60_000,
      fetchedBytes: 256 * mebibyte,
      files: 50_000,
      fileBytes: 64 * mebibyte,
      totalBytes: 512 * mebibyte,
    });
    const page = readFileSync('docs/guides/sources.md', 'utf8');
    expect(page).toContain('50,000 files, 64 MiB a file, 512 MiB in all');
    expect(page).toContain('256 MiB and 2 minutes');
  });
});

describe('the names of files in a source', () => {
  test.each<readonly [string, boolean]>([
    ['fleet.yaml', true],
    ['a/b/fleet.yml', true],
    ['hosts.CSV', true],
    ...tableEndings.map((ending) => [`hosts.${ending}`, true] as const),
    ['fleet.mts', true],
    ['fleet.json', true],
    ['rampart.config.yaml', false],
    ['a/Rampart.Config.yml', false],
    ['my-rampart.config.yaml', true],
    ['key.pem', false],
    ['yaml', false],
  ])('%s counts as desired state: %s', (path, expected) => {
    expect(isCopied(path)).toBe(expected);
  });

  test.each([
    ['.git/config.yaml', true],
    ['a/.hidden.yaml', true],
    ['a/node_modules/b/index.js', true],
    ['node_modules', true],
    ['a/..data/fleet.yaml', true],
    ['a/node_modules.yaml', false],
    ['a/../b.yaml', false],
    ['./a.yaml', false],
    ['a/b.c.yaml', false],
  ])('%s is ignored: %s', (path, expected) => {
    expect(isIgnored(path)).toBe(expected);
  });

  const long = (bytes: number) => `${'é'.repeat(Math.floor(bytes / 2))}${'x'.repeat(bytes % 2)}`;
  test.each([
    ['an ordinary name', 'a/Zoë 1.yaml', true],
    ['255 bytes', long(255), true],
    ['256 bytes', `a/${long(256)}`, false],
    ['1,024 bytes in all', `${`${'x'.repeat(203)}/`.repeat(5)}${'x'.repeat(4)}`, true],
    ['1,025 bytes in all', `${`${'x'.repeat(203)}/`.repeat(5)}${'x'.repeat(5)}`, false],
    ['an empty part', 'a//b', false],
    ['a step to the parent', 'a/../b', false],
    ['a step to itself', './b', false],
    ['a backslash', 'a\\b', false],
    ['a colon', 'C:b', false],
    ['a line break', 'a\nb', false],
    ['a hidden direction', 'a\u202eb', false],
    ['a character that was replaced', 'a\ufffdb', false],
  ])('can be written or not: %s', (_what, path, isFine) => {
    const expected = { code: 'file-unreadable', message: expect.stringContaining('unsupported name') };
    expect(pathProblem(path, 's')).toEqual(isFine ? undefined : expect.objectContaining(expected));
  });
});

describe('the files of an account', () => {
  const snapshot = { source: 's', folder: '/x', commit: 'c', author: null };

  test.each([
    [
      ['fleet.yaml', './a/../b.yaml', 'a\\c.yaml', '..data/x.yaml', 'a/..'],
      ['fleet.yaml', 'b.yaml', 'a/c.yaml', '..data/x.yaml', '.'],
    ],
  ])('are paths in its source: %j', (files, expected) => {
    expect(snapshotPaths(snapshot, files)).toMatchObject({ ok: true, value: expected });
  });

  test.each(['/etc/passwd', '..', '../x', 'a/../../x', '..\\x', 'C:\\x', 'c:x'])(
    'are refused outside it: %s',
    (file) => {
      expect(snapshotPaths(snapshot, ['fleet.yaml', file])).toMatchObject({
        ok: false,
        problems: [
          { code: 'file-unreadable', message: expect.stringContaining('is outside the source "s"') },
        ],
      });
    },
  );
});

describe('the tree of a commit', () => {
  const object = 'a'.repeat(40);
  const line = (path: string, mode = '100644', type = 'blob') => `${mode} ${type} ${object}\t${path}\0`;
  const read = (text: string, most = 10) => {
    const { files, problems } = readGitTree(Buffer.from(text), 's', most);
    return {
      files: files.map(({ path }) => path),
      problems: problems.map(({ code, message }) => `${code}: ${message}`),
    };
  };

  test('has its files, without those that are not part of the desired state', () => {
    expect(read(line('a.yaml') + line('.b/c.yaml') + line('key.pem') + line('d e/f.csv', '100755'))).toEqual({
      files: ['a.yaml', 'd e/f.csv'],
      problems: [],
    });
    expect(readGitTree(Buffer.from(line('a.yaml')), 's', 1).files).toEqual([{ path: 'a.yaml', object }]);
  });

  test("reports files that can't be copied with their names", () => {
    expect(
      read(line('l.yaml', '120000') + line('m', '160000', 'commit') + line('a:b.yaml') + line('c.yaml')),
    ).toEqual({
      files: ['c.yaml'],
      problems: [
        'file-unreadable: the source "s" has a symbolic link: "l.yaml"',
        'file-unreadable: the source "s" has a submodule: "m"',
        'file-unreadable: the source "s" has a file with an unsupported name: "a:b.yaml"',
      ],
    });
  });

  test('has at most 20 problems', () => {
    const links = Array.from({ length: 25 }, (_, at) => line(`${at}.yaml`, '120000'));
    expect(read(links.join('')).problems).toHaveLength(20);
  });

  test('is refused with more files than it may have, or in an unknown form', () => {
    const three = line('a.yaml') + line('b.yaml') + line('c.yaml');
    expect(read(three, 3).problems).toEqual([]);
    expect(read(three + three, 2).problems).toEqual(['too-large: the source "s" has more than 2 files']);
    for (const text of [`${object}\ta.yaml\0`, 'x\0y\0'])
      expect(read(text).problems).toEqual([
        'too-large: the source "s" has a tree that Git lists in an unknown form',
      ]);
  });
});

describe('the errors of Git', () => {
  const limits = { ...usualLimits, timeMs: 90_000, fetchedBytes: 3 * 1024 * 1024 };
  const reportOf = (end: Parameters<typeof gitProblem>[0], token?: string) => {
    const { code, message } = gitProblem(end, 's', limits, token);
    return `${code}: ${message}`;
  };
  const failed = (text: string, token?: string) => reportOf({ kind: 'failed', text }, token);
  const repository = 'the repository of the source "s"';

  test.each([
    [
      'WARNING: UNPROTECTED PRIVATE KEY FILE!',
      "configuration: REPO can't be reached, because SSH refuses the private key of the source",
    ],
    [
      'Load key "/k": error in libcrypto',
      "configuration: REPO can't be reached, because SSH refuses the private key of the source",
    ],
    [
      'Load key "/k": invalid format',
      "configuration: REPO can't be reached, because SSH refuses the private key of the source",
    ],
    [
      "error: object 1a2b: multipleAuthors: invalid format - multiple 'author' lines",
      `network: REPO can't be read: Git reports "object 1a2b: multipleAuthors: invalid format - multiple 'author' lines"`,
    ],
    [
      'fatal: attempting to allocate 8589934593 over limit 134217728',
      'too-large: REPO has an object that needs too much memory',
    ],
    ["fatal: Authentication failed for 'x'", 'not-authenticated: REPO refuses the credentials'],
    ["fatal: could not read Username for 'x'", 'not-authenticated: REPO refuses the credentials'],
    ['git@x: Permission denied (publickey).', 'not-authenticated: REPO refuses the credentials'],
    ['The requested URL returned error: 403', 'not-authenticated: REPO refuses the credentials'],
    ["remote: Repository 'x' not found", 'not-found: REPO does not exist, or its token may not read it'],
    ['The requested URL returned error: 404', 'not-found: REPO does not exist, or its token may not read it'],
    [
      'The requested URL returned error: 302',
      'redirected: REPO responds with a redirect, which Rampart does not follow',
    ],
    ['Host key verification failed.', 'insecure-url: REPO has an unknown SSH host key'],
    ['SSL certificate problem: self-signed certificate', 'insecure-url: REPO has no valid TLS certificate'],
    ['Could not resolve host: x', "network: REPO can't be reached"],
    ['connect to host x port 22: Connection refused', "network: REPO can't be reached"],
    ['Operation too slow. Less than 1000 bytes/sec', 'timed-out: REPO sends data too slowly'],
    [
      'warning: odd\nfatal: the remote end hung up\nerror: more',
      'network: REPO can\'t be read: Git reports "the remote end hung up"',
    ],
    ['odd', "network: REPO can't be read"],
    [
      `error: a\u001b[2Jb${'x'.repeat(300)}`,
      `network: REPO can't be read: Git reports "a␛[2Jb${'x'.repeat(194)}"`,
    ],
  ])('are reported in our words: %j', (text, expected) => {
    expect(failed(text)).toBe(expected.replace('REPO', repository));
  });

  test('never contain the token, in any form', () => {
    const token = 'tok/3f9c+x';
    const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
    const shown = failed(`fatal: bad ${token} ${encodeURIComponent(token)} ${basic}`, token);
    expect(shown).toMatch(/Git reports "bad … … \S*…\S*"$/);
    for (const each of [token, encodeURIComponent(token), basic]) expect(shown).not.toContain(each);
    expect(failed('fatal: x was bad', 'x')).toBe(
      `network: ${repository} can't be read: Git reports "… was bad"`,
    );
  });

  test.each([
    [{ kind: 'not-started', code: 'ENOENT' }, "configuration: Git can't be started (ENOENT)"],
    [{ kind: 'stopped', why: 'time' }, 'timed-out: REPO did not answer within 90 s'],
    [{ kind: 'stopped', why: 'size' }, 'too-large: REPO sends more than 3 MiB'],
    [{ kind: 'stopped', why: 'cancelled' }, 'cancelled: the fetch was cancelled'],
  ] as const)('are replaced by the reason why it ended: %j', (end, expected) => {
    expect(reportOf(end)).toBe(expected.replace('REPO', repository));
  });
});

describe('the address of a Git source', () => {
  const localhost: AllowedAddress = { kind: 'host', host: 'localhost' };
  const open = async (
    git: string,
    env: Readonly<Record<string, string>> = {},
    allow: readonly AllowedAddress[] = [],
  ) => openGitAddress({ name: 's', git }, { env, allow });
  const proxy = { HTTPS_PROXY: 'http://proxy.example.com:3128' };

  test.each([
    ['https://localhost/x.git', 'localhost:443'],
    ['https://localhost:8443/x.git', 'localhost:8443'],
  ])('is pinned to the checked addresses of its name: %s', async (git, host) => {
    const found = await lookup('localhost', { all: true });
    const pinned = found.map(({ address }) => (isIPv6(address) ? `[${address}]` : address)).join(',');
    expect(await open(git, {}, [localhost])).toMatchObject({
      ok: true,
      value: { protocol: 'https', settings: [['http.curloptResolve', `${host}:${pinned}`]] },
    });
  });

  test.each([
    ['https://127.0.0.1/x', [{ kind: 'network', address: '127.0.0.0', prefix: 8 }]],
    ['https://[::1]/x', [{ kind: 'host', host: '::1' }]],
    ['http://127.0.0.2:8080/x', [{ kind: 'network', address: '127.0.0.0', prefix: 8 }]],
    ['http://[::1]/x', [{ kind: 'host', host: '::1' }]],
  ] as const)('in numbers needs no pin: %s', async (git, allow) => {
    expect(await open(git, {}, allow)).toMatchObject({ ok: true, value: { settings: [] } });
  });

  test('behind a proxy is resolved by the proxy, unless it is in numbers or exempt', async () => {
    expect(await open('https://git.invalid/x', proxy)).toMatchObject({ ok: true, value: { settings: [] } });
    expect(await open('https://10.0.0.1/x', proxy)).toMatchObject({
      problems: [{ code: 'unpinned-origin' }],
    });
    expect(await open(`https://${'x'.repeat(64)}/x`, { ...proxy, NO_PROXY: 'x'.repeat(64) })).toMatchObject({
      problems: [{ code: 'network' }],
    });
    expect(await open('https://git.invalid/x', { HTTPS_PROXY: 'socks5://x' })).toMatchObject({
      problems: [{ code: 'configuration', message: expect.stringContaining('HTTPS_PROXY') }],
    });
    expect(
      await open(`ssh://git@${'x'.repeat(64)}/x`, { HTTP_PROXY: 'http://proxy.example.com' }),
    ).toMatchObject({
      problems: [{ code: 'network' }],
    });
  });

  test.each([
    ['ftp://127.0.0.1/x', 'must start with https:// or ssh://'],
    ['http://10.0.0.1/x', 'must start with https:// or ssh://'],
    ['http://127.example.com/x', 'must start with https:// or ssh://'],
    ['https://example.com/x#a', 'must have no password, query or fragment'],
    ['https://example.com/x y', 'is not an address'],
    ['https://a*b/x', 'has an unsupported host or user'],
    ['ssh://-oProxyCommand/x', 'has an unsupported host or user'],
    ['ssh://git@-x/y', 'has an unsupported host or user'],
    ["https://us'er@example.com/x", 'has an unsupported host or user'],
    ['--upload-pack=touch /tmp/x', 'is not an address'],
    ['ext::sh -c id', 'is not an address'],
    ['ssh://git@[::1]:22x/a', 'is not an address'],
    ['ssh://$(id)@127.0.0.1/a', 'has an unsupported host or user'],
    ['ssh://a b@127.0.0.1/a', 'is not an address'],
    ['file:///etc', 'must start with https:// or ssh://'],
    ['git://example.com/x.git', 'must start with https:// or ssh://'],
    ['https://user:secret@example.com/x.git', 'must have no password, query or fragment'],
    ['https://example.com/x.git?a=b', 'must have no password, query or fragment'],
    ['ssh://-oProxyCommand=touch@example.com/x', 'has an unsupported host or user'],
    ["ssh://git'x@127.0.0.1/a", 'has an unsupported host or user'],
  ])('is wrong: %s', async (git, why) => {
    expect(await open(git)).toMatchObject({
      ok: false,
      problems: [{ code: 'configuration', message: expect.stringContaining(`"s" ${why}`) }],
    });
  });

  test('may end with a hyphen if a name may', async () => {
    expect(await open('ssh://git@127.0.0.1-/x', {}, [])).toMatchObject({ problems: [{ code: 'network' }] });
  });
});

describe('the command for SSH', () => {
  const given = () => {
    const folder = mkdtempSync(join(tmpdir(), "rampart ssh's "));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const ssh = { key: join(folder, 'key'), knownHosts: join(folder, 'hosts') };
    for (const file of Object.values(ssh)) writeFileSync(file, 'x');
    return { name: 's', ssh, host: 'git.example.com', port: '22', pinned: '192.0.2.1' };
  };

  test.each([
    ['22', 'git.example.com'],
    ['2222', '[git.example.com]:2222'],
  ])('has these options for port %s', (port, alias) => {
    const target = given();
    const command = sshCommand({ ...target, port });
    const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
    const options = [
      'BatchMode=yes',
      'StrictHostKeyChecking=yes',
      `UserKnownHostsFile="${target.ssh.knownHosts}"`,
      'GlobalKnownHostsFile=/dev/null',
      'UpdateHostKeys=no',
      'VerifyHostKeyDNS=no',
      'IdentitiesOnly=yes',
      'IdentityAgent=none',
      `IdentityFile="${target.ssh.key}"`,
      'PreferredAuthentications=publickey',
      'HostName=192.0.2.1',
      `HostKeyAlias=${alias}`,
      'ForwardAgent=no',
      'ClearAllForwardings=yes',
      'PermitLocalCommand=no',
      'ControlPath=none',
      'ConnectTimeout=20',
      'ServerAliveInterval=10',
      'ServerAliveCountMax=3',
      'LogLevel=ERROR',
    ];
    expect(command).toMatchObject({
      ok: true,
      value: `ssh -F '/dev/null' -T ${options.map((each) => `-o ${quoted(each)}`).join(' ')}`,
    });
  });

  test.each(['"', '%', '$', '\\', '\n'])('takes no path with %j', (character) => {
    const target = given();
    for (const name of ['key', 'knownHosts'] as const) {
      const ssh = { ...target.ssh, [name]: `/a${character}b` };
      expect(sshCommand({ ...target, ssh })).toMatchObject({ problems: [{ code: 'configuration' }] });
    }
  });
});
