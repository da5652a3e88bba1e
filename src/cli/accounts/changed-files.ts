import { posix } from 'node:path';
import { quoted } from '../../core/lib/quoted.ts';
import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { git } from '../../run/state/origin/git.ts';
import { resolveCommit } from '../../run/state/origin/resolve-commit.ts';
import type { Io } from '../shell/io.ts';

/** The files that differ between a Git revision and this checkout, relative to this folder. Deleted files count. */
export async function changedFiles(
  revision: string,
  { cwd, env }: Pick<Io, 'cwd' | 'env'>,
): Promise<Result<readonly string[]>> {
  const options = { cwd, env };
  const found = await resolveCommit(revision, {
    ...options,
    flag: '--changed-since',
    missing: noRevision(revision),
  });
  if (!found.ok) return found;
  const prefix = (await git(['rev-parse', '--show-prefix'], options))?.toString().replace(/\n$/, '');
  if (prefix === undefined) return failed(noRevision(revision));
  const compare = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'];
  const listed = await git([...compare, '--end-of-options', found.value, '--'], options);
  if (listed === undefined) return failed(noRevision(revision));
  const untracked = await git(['ls-files', '-z', '--others', '--exclude-standard', '--full-name'], options);
  const paths = [listed, untracked].flatMap((each) => each?.toString().split('\0') ?? []);
  const own = paths.filter((path) => path !== '').map((path) => posix.relative(`/${prefix}`, `/${path}`));
  return ok([...new Set(own)].sort());
}

function noRevision(revision: string) {
  return problem('usage', `--changed-since ${quoted(revision)} is not a Git revision`, {
    hint: 'use a branch, a tag or a commit; in a shallow clone, fetch it first: git fetch origin main',
  });
}
