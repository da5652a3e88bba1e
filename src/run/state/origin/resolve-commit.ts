import { commitId } from '../../../core/lib/hex-ids.ts';
import { quoted } from '../../../core/lib/words.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import { commitAt, type GitOptions, git } from './git.ts';

export interface RevisionOptions extends GitOptions {
  /** The name of the revision's source: `--base`. */
  readonly flag: string;
  /** The problem if there is no such commit. */
  readonly missing: Problem;
}

/**
 * The commit of a revision. Git takes the first of several refs with one name, a tag before a branch of the remote
 * repository, so anyone who can push a tag could choose the commit: such a name is refused.
 */
export async function resolveCommit(
  revision: string,
  { flag, missing, ...options }: RevisionOptions,
): Promise<Result<string>> {
  if (revision.includes('\0')) return failed(missing);
  const commit = await commitAt(revision, options);
  if (commit === undefined) return failed(missing);
  const refs = await refsNamed(revision.replace(/(?:[~^:]|@\{).*$/s, ''), options);
  if (refs.length < 2) return ok(commit);
  return failed(
    problem(missing.code, `${quoted(revision)} (${flag}) can mean ${refs.join(' and ')}`, {
      hint: 'write the full name, such as refs/remotes/origin/main',
    }),
  );
}

/** Everything that Git could take for the name. A full hash is never a ref, and a full name only itself. */
async function refsNamed(name: string, options: GitOptions): Promise<readonly string[]> {
  if (commitId.test(name) || name.startsWith('refs/')) return [];
  const own = /^(?:[A-Z]+_)?HEAD$/.test(name)
    ? [`${name} of this clone`]
    : /^[0-9a-f]{4,}$/.test(name)
      ? ['an abbreviated commit']
      : [];
  const possible = ['', 'tags/', 'heads/', 'remotes/'].map((folder) => `refs/${folder}${name}`);
  const found = await git(['for-each-ref', '--format=%(refname)', '--', ...possible], options);
  const refs = found?.toString('utf8').split('\n') ?? [];
  return [...refs.filter((each) => possible.includes(each)), ...own];
}
