import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { GitRemote } from '../../../../src/server/sources/rules/git-remote.ts';
import { findRemoteCommit, writeCommit } from '../../../../src/server/sources/rules/git-repository.ts';
import { openServerSources } from '../../../../src/server/sources/rules/open-sources.ts';
import { type SourceLimits, usualLimits } from '../../../../src/server/sources/rules/source-limits.ts';
import { givenGit } from '../fake-git.ts';

const commit = 'c'.repeat(40);
const objectOf = (at: number) => String(at + 1).padStart(40, '0');
const mebibyte = 1024 * 1024;

type Given = Partial<Omit<GitRemote, 'limits'>> & { readonly limits?: Partial<SourceLimits> };

/** A remote with responses from files, and a folder to write to. */
function given({ limits, ...changed }: Given = {}) {
  const git = givenGit();
  const folder = mkdtempSync(join(tmpdir(), 'rampart-commit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const remote: GitRemote = {
    name: 's',
    address: {
      url: new URL('https://git.example.com/team/fleet.git'),
      protocol: 'https',
      settings: [['http.curloptResolve', 'git.example.com:443:192.0.2.1']],
    },
    ref: 'main',
    path: '',
    token: undefined,
    env: git.env,
    limits: { ...usualLimits, ...limits },
    deadline: performance.now() + 60_000,
    ...changed,
  };
  return { git, folder, remote };
}

/** The responses for a commit with these files. */
function holds({ git }: Pick<ReturnType<typeof given>, 'git'>, files: Readonly<Record<string, string>>) {
  const entries = Object.entries(files);
  git.prints(
    'cat-file-commit',
    'tree x\nauthor Jane Doe <jane@example.com> 1763884800 +0000\n\nChange the fleet\n',
  );
  git.prints('ls-tree', entries.map(([path], at) => `100644 blob ${objectOf(at)}\t${path}\0`).join(''));
  git.prints(
    'rev-list',
    `${commit}\n${entries.map((_, at) => `?${objectOf(at)}\n`).join('')}?${'f'.repeat(40)}\n`,
  );
  git.prints(
    'cat-file---batch-check',
    entries.map(([, text]) => `blob ${Buffer.byteLength(text)}\n`).join(''),
  );
  for (const [at, [, text]] of entries.entries())
    writeFileSync(join(git.folder, `blob-${objectOf(at)}`), text);
  git.does(
    'cat-file---batch',
    `for object in $(tail -n "$(($(wc -l < "$dir/$key.in") - $(cat "$dir/seen" 2> /dev/null || echo 0)))" "$dir/$key.in"); do
  wc -c < "$dir/blob-$object"; cat "$dir/blob-$object"; echo
done
wc -l < "$dir/$key.in" > "$dir/seen"
echo -- >> "$dir/groups"; tail -n +1 "$dir/$key.in" | wc -l >> "$dir/groups"`,
  );
}

const wanted = { commit, wanted: 'refs/heads/main' };
const problemsOf = (result: {
  readonly ok: boolean;
  readonly problems?: readonly { readonly code: string; readonly message: string }[];
}) => (result.ok ? [] : (result.problems ?? []).map(({ code, message }) => `${code}: ${message}`));
const contentOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );

describe('the commit of a ref', () => {
  const find = async (output: string, changed: Given = {}) => {
    const all = given(changed);
    all.git.prints('ls-remote', output);
    return { ...all, found: await findRemoteCommit(all.remote, all.folder) };
  };
  const [branch, tag, peeled] = ['a', 'b', 'c'].map((each) => each.repeat(40)) as [string, string, string];

  test('is that of a branch, or else that of a tag', async () => {
    const both = `${tag}\trefs/tags/main\n${peeled}\trefs/tags/main^{}\n${branch}\trefs/heads/main\n`;
    expect((await find(both)).found).toMatchObject({
      value: { commit: branch, wanted: 'refs/heads/main' },
    });
    const { found, git } = await find(`${tag}\trefs/tags/main\n`);
    expect(found).toMatchObject({ value: { commit: tag, wanted: 'refs/tags/main' } });
    expect(git.calls()).toEqual([
      [
        '--no-replace-objects',
        'ls-remote',
        '--quiet',
        '--',
        'origin',
        'refs/heads/main',
        'refs/tags/main',
        'refs/heads/main^{}',
        'refs/tags/main^{}',
      ],
    ]);
  });

  test('is the one that an annotated tag points to', async () => {
    const listed = `${tag}\trefs/tags/v1\n${peeled}\trefs/tags/v1^{}\n`;
    const { found, git } = await find(listed, { ref: 'refs/tags/v1' });
    expect(found).toMatchObject({ value: { commit: peeled, wanted: 'refs/tags/v1' } });
    expect(git.calls()[0]?.slice(4)).toEqual(['origin', 'refs/tags/v1', 'refs/tags/v1^{}']);
  });

  test.each([
    '',
    'x\trefs/heads/main\n',
    `${'a'.repeat(39)}\trefs/heads/main\n`,
    `${branch}\trefs/heads/other\n`,
  ])('is not in %j', async (listed) => {
    expect(problemsOf((await find(listed)).found)).toEqual([
      'not-found: the repository of the source "s" has no branch or tag "main"',
    ]);
  });

  test.each([
    ['v1.0', true],
    ['feature/x_1+2@y=z', true],
    ['x'.repeat(250), true],
    ['x'.repeat(251), false],
    ['-x', false],
    ['a..b', false],
    ['a.', false],
    ['a//b', false],
    ['a/.b', false],
    ['a.lock/b', false],
    ['main:refs/heads/x', false],
    ['+main', false],
    ['a b', false],
    ['@{-1}', false],
    ['x.lock', false],
    ['a/', false],
    ['', false],
  ])('is looked up only if the ref is valid: %s (%s)', async (ref, isValid) => {
    const { found, git } = await find(`${branch}\trefs/heads/${ref}\n`, { ref });
    expect([found.ok, git.calls().length]).toEqual([isValid, isValid ? 1 : 0]);
    if (!found.ok) expect(found.problems[0]?.code).toBe('configuration');
  });
});

describe('a commit that is fetched', () => {
  const files = { 'fleet.yaml': 'version: 1\n', 'berlin/hosts.csv': 'id,name\n1,Zoë\n', 'empty.yaml': '' };

  test.each([
    [
      'with several paragraphs',
      'author Jane <j@example.com> 1 +0000\n\nFirst\n\nMore\n',
      'Jane <j@example.com>',
    ],
    [
      'with an author in its message only',
      'tree x\ncommitter Jane <j@example.com> 1 +0000\n\nauthor Mallory <m@example.com> 1 +0000\n',
      null,
    ],
    ['without a message', 'author Jane <j@example.com> 1 +0000', 'Jane <j@example.com>'],
    ['with a long name', `author ${'x'.repeat(400)} 1 +0000\n\nFirst`, 'x'.repeat(300)],
    ['without a head', '\n\nOnly text', null],
  ])('has the author of its text: one %s', async (_what, text, author) => {
    const all = given();
    holds(all, files);
    all.git.prints('cat-file-commit', text);
    expect(await writeCommit(all.remote, wanted, all.folder)).toMatchObject({ value: { author } });
  });

  test('is read in groups of a limited size, and a larger file by itself', async () => {
    const all = given({ limits: { bytesAtOnce: 1_000 } });
    // Each file but the last of a group counts 128 bytes more.
    const sizes = [500, 372, 1, 2_000, 2];
    const large = Object.fromEntries(sizes.map((size, at) => [`${at}.yaml`, String(at).repeat(size)]));
    holds(all, large);
    expect(await writeCommit(all.remote, wanted, all.folder)).toMatchObject({ ok: true });
    expect(Object.entries(contentOf(all.folder)).map(([path, text]) => [path, text.length, text[0]])).toEqual(
      sizes.map((size, at) => [`${at}.yaml`, size, String(at)]),
    );
    const groups = readFileSync(join(all.git.folder, 'groups'), 'utf8');
    expect(groups.match(/\d+/g)).toEqual(['2', '3', '4', '5']);
  });

  test('makes these calls of Git, which write its files', async () => {
    const all = given();
    holds(all, files);
    expect(await writeCommit(all.remote, wanted, all.folder)).toMatchObject({
      ok: true,
      value: { commit, author: 'Jane Doe <jane@example.com>' },
    });
    expect(contentOf(all.folder)).toEqual(files);
    expect(readdirSync(all.folder).toSorted()).toEqual(['berlin', 'empty.yaml', 'fleet.yaml']);
    const fetch = [
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      '--no-auto-maintenance',
      '--recurse-submodules=no',
    ];
    expect(all.git.calls().map(([, ...argv]) => argv)).toEqual([
      ['init', '--quiet', '--bare', '--template='],
      [...fetch, '--depth=1', '--filter=blob:none', '--', 'origin', '+refs/heads/main:refs/rampart/head'],
      ['cat-file', 'commit', commit],
      ['ls-tree', '-r', '-z', '--full-tree', `${commit}:`],
      ['rev-list', '--objects', '--no-object-names', '--missing=print', `${commit}:`],
      [...fetch, '--filter=blob:none', '--stdin', '--', 'origin'],
      ['cat-file', '--batch-check=%(objecttype) %(objectsize)'],
      ['cat-file', '--batch=%(objectsize)'],
    ]);
    const objects = `${objectOf(0)}\n${objectOf(1)}\n${objectOf(2)}\n`;
    for (const call of ['fetch-stdin', 'cat-file---batch-check', 'cat-file---batch'])
      expect([call, all.git.input(call)]).toEqual([call, objects]);
  });

  test('gives the address and the token only to calls that connect', async () => {
    const all = given({ token: 'tok-3f9c' });
    holds(all, files);
    await writeCommit(all.remote, wanted, all.folder);
    const online = {
      'remote.origin.url': 'https://git.example.com/team/fleet.git',
      'http.curloptResolve': 'git.example.com:443:192.0.2.1',
      'http.https://git.example.com/.extraHeader': `Authorization: Basic ${Buffer.from('x-access-token:tok-3f9c').toString('base64')}`,
    };
    const negotiation = { 'fetch.negotiationAlgorithm': 'noop' };
    expect(all.git.settings('fetch')).toMatchObject(online);
    expect(all.git.settings('fetch')).not.toMatchObject(negotiation);
    expect(all.git.settings('fetch-stdin')).toMatchObject({ ...online, ...negotiation });
    expect(all.git.environment('fetch')['GIT_ALLOW_PROTOCOL']).toBe('https');
    for (const call of ['init', 'cat-file-commit', 'ls-tree', 'rev-list', 'cat-file---batch']) {
      for (const key of Object.keys(online)) expect(all.git.settings(call)).not.toHaveProperty(key);
      expect(all.git.environment(call)['GIT_ALLOW_PROTOCOL']).toBe('none');
    }
  });

  test.each([
    ['https://git.example.com/x', 'https', undefined, undefined],
    ['https://deploy%2Bci@git.example.com/x', 'https', 'tok', 'deploy+ci:tok'],
    ['ssh://git@git.example.com/x', 'ssh', 'tok', undefined],
  ] as const)(
    'sends no token except as an HTTP header: %s with %s',
    async (url, protocol, token, expected) => {
      const all = given({
        token,
        address: {
          url: new URL(url),
          protocol,
          settings: [],
          ...(protocol === 'ssh' ? { ssh: 'ssh -T' } : {}),
        },
      });
      holds(all, files);
      await writeCommit(all.remote, wanted, all.folder);
      const header = Object.entries(all.git.settings('fetch')).filter(([name]) =>
        name?.endsWith('.extraHeader'),
      );
      const basic =
        expected === undefined ? [] : [`Authorization: Basic ${Buffer.from(expected).toString('base64')}`];
      expect(header.map(([, value]) => value)).toEqual(basic);
      expect(all.git.environment('fetch')['GIT_SSH_COMMAND']).toBe(
        protocol === 'ssh' ? 'ssh -T' : '/bin/false',
      );
      expect(all.git.environment('ls-tree')['GIT_SSH_COMMAND']).toBe('/bin/false');
    },
  );

  test('requests a commit by its name, and a SHA-256 commit in a repository of that form', async () => {
    const all = given();
    const name = 'd'.repeat(64);
    holds(all, files);
    expect(await writeCommit(all.remote, { commit: name, wanted: name }, all.folder)).toMatchObject({
      ok: true,
    });
    const [init, fetch] = all.git.calls();
    expect(init?.at(-1)).toBe('--object-format=sha256');
    expect(fetch?.at(-1)).toBe(name);
  });

  test('fetches no file twice', async () => {
    const all = given({ path: 'fleet' });
    holds(all, files);
    all.git.prints('rev-list', `${commit}\n${objectOf(0)}\n`);
    expect(await writeCommit(all.remote, wanted, all.folder)).toMatchObject({ ok: true });
    expect(all.git.calls().filter(([, command]) => command === 'fetch')).toHaveLength(1);
    expect(all.git.calls().flat()).toContain(`${commit}:fleet`);
    expect(all.git.input('rev-list')).toBe('');
  });

  const unread = 'network: the repository of the source "s" can\'t be read: Git reports "broken"';
  test.each([
    ['init', '', unread],
    ['fetch', '', unread],
    ['cat-file-commit', '', 'changed-since: the ref of the source "s" moved during the fetch'],
    ['ls-tree', '', unread],
    ['ls-tree', 'fleet', 'file-missing: the repository of the source "s" has no folder "fleet"'],
    ['rev-list', '', unread],
    ['fetch-stdin', '', unread],
    ['cat-file---batch-check', '', unread],
    ['cat-file---batch', '', unread],
  ])('ends at the first call that fails: %s of %j', async (call, path, expected) => {
    const all = given({ path });
    holds(all, files);
    all.git.fails(call, 'fatal: broken');
    expect(problemsOf(await writeCommit(all.remote, wanted, all.folder))).toEqual([expected]);
    const isCall = (argv: readonly string[]) => call.startsWith(argv[1] ?? '');
    const calls = all.git.calls();
    expect(calls.findLastIndex(isCall)).toBe(calls.length - 1);
    expect(readdirSync(all.folder)).toEqual([]);
  });

  test('reports why its tree was not listed, unless only the folder is missing', async () => {
    const all = given({ path: 'fleet' });
    holds(all, files);
    all.git.fails('ls-tree', 'fatal: unable to access: The requested URL returned error: 403');
    expect(problemsOf(await writeCommit(all.remote, wanted, all.folder))).toEqual([
      'not-authenticated: the repository of the source "s" refuses the credentials',
    ]);
  });

  test.each(['../x', 'a/..', '/etc', 'a\\b', 'a:b', 'a\nb'])('has no folder %j', async (path) => {
    const all = given({ path });
    holds(all, files);
    expect(problemsOf(await writeCommit(all.remote, wanted, all.folder))).toEqual([
      expect.stringMatching(/^configuration: the path of the source "s" is not a folder of its repository/),
    ]);
    expect(all.git.calls().some(([, command]) => command === 'ls-tree')).toBe(false);
  });

  test.each(['missing\n', 'tree 10\nblob 14\nblob 0\n'])(
    'reports a file that the remote did not send: %j',
    async (sizes) => {
      const all = given();
      holds(all, files);
      all.git.prints('cat-file---batch-check', sizes);
      expect(problemsOf(await writeCommit(all.remote, wanted, all.folder))).toEqual([
        'file-missing: the repository of the source "s" did not send "fleet.yaml"',
      ]);
    },
  );

  test.each([
    [{ fileBytes: 15, totalBytes: 26 }, []],
    [{ fileBytes: 14 }, ['too-large: the source "s" has a file of more than 0 MiB: "berlin/hosts.csv"']],
    [{ totalBytes: 25 }, ['too-large: the source "s" has more than 0 MiB of files']],
  ])('keeps to the limits of its source: %j', async (limits, expected) => {
    const all = given({ limits });
    holds(all, files);
    expect(problemsOf(await writeCommit(all.remote, wanted, all.folder))).toEqual(expected);
  });

  test('names large limits in MiB', async () => {
    const all = given({ limits: { fileBytes: 3 * mebibyte } });
    holds(all, files);
    all.git.prints('cat-file---batch-check', `blob ${4 * mebibyte}\nblob 1\nblob 1\n`);
    expect(problemsOf(await writeCommit(all.remote, wanted, all.folder))).toEqual([
      'too-large: the source "s" has a file of more than 3 MiB: "fleet.yaml"',
    ]);
  });
});

describe('a Git source', () => {
  const refs = `${commit}\trefs/heads/main\n`;
  const opened = (changed: Partial<Parameters<typeof openServerSources>[1]> = {}) => {
    const all = given();
    holds(all, { 'fleet.yaml': 'version: 1\n' });
    all.git.prints('ls-remote', refs);
    const source = {
      kind: 'git',
      name: 's',
      git: 'https://127.0.0.1/fleet.git',
      ref: 'main',
      path: '',
      commands: 'all',
      allowsScripts: false,
      place: { file: 'rampart.config.yaml', line: 1, col: 1 },
    } as const;
    const data = join(all.folder, 'data');
    const open = () =>
      openServerSources([source], {
        data,
        folder: all.folder,
        env: all.git.env,
        hide: () => {},
        allow: [{ kind: 'network', address: '127.0.0.0', prefix: 8 }],
        ...changed,
      });
    const commands = () => all.git.calls().map(([, command]) => command);
    return { ...all, data, open, commands };
  };

  test('looks for the commit of its ref, and fetches it once', async () => {
    const { open, commands, data } = opened();
    const sources = open();
    const first = await sources.refresh('s');
    expect(first).toMatchObject({ ok: true, value: { commit } });
    const fetched = commands().length;
    expect(await sources.refresh('s')).toEqual(first);
    expect(await open().refresh('s')).toEqual(first);
    expect(commands().slice(fetched)).toEqual(['ls-remote', 'ls-remote']);
    expect(readdirSync(data)).toEqual(['sources']);
    const modes = [data, join(data, 'sources')].map((each) => statSync(each).mode & 0o777);
    expect(modes).toEqual([0o700, 0o700]);
  });

  test("fetches a plan's commit without looking at its ref", async () => {
    const { open, commands } = opened();
    expect(await open().at('s', commit)).toMatchObject({ ok: true, value: { commit } });
    expect(commands()[0]).toBe('init');
    expect(await open().at('s', commit)).toMatchObject({ ok: true });
    expect(commands()).not.toContain('ls-remote');
  });

  test('records when a commit was last in use', async () => {
    const { open } = opened();
    const sources = open();
    const read = await sources.refresh('s');
    if (!read.ok) throw new Error('the source must be readable');
    const mark = join(read.value.folder, '.git');
    utimesSync(mark, 1, 1);
    const before = Date.now();
    await sources.refresh('s');
    expect(statSync(mark).mtimeMs).toBeGreaterThan(before - 5_000);
    expect(statSync(mark).mtimeMs).toBeLessThan(Date.now() + 5_000);
  });

  test('stops when its signal does', async () => {
    const { open, commands } = opened();
    const sources = open();
    const cancelled = { ok: false, problems: [{ code: 'cancelled' }] };
    expect(await sources.refresh('s', AbortSignal.abort())).toMatchObject(cancelled);
    expect(commands()).toEqual([]);
  });

  test('keeps to the limits of the server', async () => {
    const { open } = opened({ limits: { files: 0 } });
    expect(await open().refresh('s')).toMatchObject({ ok: false, problems: [{ code: 'too-large' }] });
  });
});
