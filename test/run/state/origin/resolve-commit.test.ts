import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { problem } from '../../../../src/core/problem/problem.ts';
import { resolveCommit } from '../../../../src/run/state/origin/resolve-commit.ts';
import { givenFolder } from '../../../given/given-folder.ts';

const env = { PATH: process.env['PATH'] };
const missing = problem('usage', 'there is no such commit');

/** A repository whose second commit is from a pull request, and the hash of its first. */
async function repository() {
  const cwd = givenFolder();
  const git = (...argv: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...argv], {
      cwd,
      encoding: 'utf8',
    });
  git('init', '--quiet', '--initial-branch=main');
  git('commit', '--quiet', '--allow-empty', '--message=first');
  const hash = git('rev-parse', 'HEAD').trim();
  git('update-ref', 'refs/remotes/origin/main', hash);
  git('update-ref', 'FETCH_HEAD', hash);
  git('commit', '--quiet', '--allow-empty', '--message=from a pull request');
  return { git, hash, resolve: (name: string) => resolveCommit(name, { cwd, env, flag: '--base', missing }) };
}

describe('the commit of a revision', () => {
  let given: Awaited<ReturnType<typeof repository>>;
  beforeAll(async () => {
    given = await repository();
  });

  it.each(['origin/main', 'refs/remotes/origin/main', 'HEAD~1', 'FETCH_HEAD'])(
    'is found: %s',
    async (revision) => {
      expect(await given.resolve(revision)).toMatchObject({ ok: true, value: given.hash });
    },
  );

  it.each(['nowhere', '--output=x', 'a\0b', '', 'origin/main\n'])('is missing: %j', async (revision) => {
    expect((await given.resolve(revision)).problems).toEqual([missing]);
  });

  it.each([
    ['origin/main', 'tags/origin/main'],
    ['origin/main~0', 'heads/origin/main'],
    ['FETCH_HEAD', 'tags/FETCH_HEAD'],
    ['HEAD', 'heads/HEAD'],
    ['main', 'tags/main'],
  ])('is refused if a ref that someone pushed has the same name: %s', async (revision, ref) => {
    const { git, hash, resolve } = given;
    git('update-ref', `refs/${ref}`, 'main');
    const refused = await resolve(revision);
    const [full, exact] = [await resolve('refs/remotes/origin/main'), await resolve(hash)];
    git('update-ref', '-d', `refs/${ref}`);
    expect(refused.problems).toMatchObject([
      { message: expect.stringContaining('can mean'), hint: expect.stringContaining('the full name') },
    ]);
    for (const found of [full, exact]) expect(found).toMatchObject({ ok: true, value: hash });
  });

  it('is refused if a tag has the name of its first digits', async () => {
    const { git, hash, resolve } = given;
    git('update-ref', `refs/tags/${hash.slice(0, 8)}`, 'main');
    expect((await resolve(hash.slice(0, 8))).problems).toMatchObject([
      { message: expect.stringContaining('can mean') },
    ]);
    expect(await resolve(hash.slice(0, 9))).toMatchObject({ ok: true, value: hash });
  });
});
