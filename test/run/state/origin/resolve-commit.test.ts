import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { problem } from '../../../../src/core/problem/problem.ts';
import { resolveCommit } from '../../../../src/run/state/origin/resolve-commit.ts';

const env = { PATH: process.env['PATH'] };
const missing = problem('usage', 'there is no such commit');
let git: (...argv: readonly string[]) => string;
let resolve: (revision: string) => ReturnType<typeof resolveCommit>;
let hash: string;

beforeEach(async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'rampart-revisions-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  git = (...argv) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...argv], {
      cwd,
      encoding: 'utf8',
    });
  git('init', '--quiet', '--initial-branch=main');
  git('commit', '--quiet', '--allow-empty', '--message=first');
  hash = git('rev-parse', 'HEAD').trim();
  git('update-ref', 'refs/remotes/origin/main', hash);
  git('update-ref', 'FETCH_HEAD', hash);
  git('commit', '--quiet', '--allow-empty', '--message=from a pull request');
  resolve = (revision) => resolveCommit(revision, { cwd, env, flag: '--base', missing });
});

describe('the commit of a revision', () => {
  it.each(['origin/main', 'refs/remotes/origin/main', 'HEAD~1', 'main^', 'FETCH_HEAD'])(
    'is found: %s',
    async (revision) => {
      expect(await resolve(revision)).toMatchObject({ ok: true, value: hash });
    },
  );

  it.each(['nowhere', '--output=x', 'a\0b', '', 'origin/main\n'])('is missing: %j', async (revision) => {
    expect((await resolve(revision)).problems).toEqual([missing]);
  });

  it.each([
    ['origin/main', 'tags/origin/main'],
    ['origin/main~0', 'heads/origin/main'],
    ['FETCH_HEAD', 'tags/FETCH_HEAD'],
    ['HEAD', 'heads/HEAD'],
    ['main', 'tags/main'],
  ])('is refused if a ref that someone pushed has the same name: %s', async (revision, ref) => {
    git('update-ref', `refs/${ref}`, 'main');
    expect((await resolve(revision)).problems).toMatchObject([
      { message: expect.stringContaining(`can mean`), hint: expect.stringContaining('the full name') },
    ]);
    expect(await resolve('refs/remotes/origin/main')).toMatchObject({ ok: true, value: hash });
    expect(await resolve(hash)).toMatchObject({ ok: true, value: hash });
  });

  it('is refused if a tag has the name of its first digits', async () => {
    git('update-ref', `refs/tags/${hash.slice(0, 8)}`, 'main');
    expect((await resolve(hash.slice(0, 8))).problems).toMatchObject([
      { message: expect.stringContaining('can mean') },
    ]);
    expect(await resolve(hash.slice(0, 9))).toMatchObject({ ok: true, value: hash });
  });
});
