import { type GitOptions, git } from '../run/state/origin/git.ts';

/** Is this commit in the checkout? A checkout usually has only one commit, so others are fetched. */
export async function hasCommit(commit: string, options: GitOptions): Promise<boolean> {
  const isHere = ['cat-file', '-e', `${commit}^{commit}`];
  if ((await git(isHere, options)) !== undefined) return true;
  return (await git(['fetch', '--quiet', '--no-tags', '--depth=1', 'origin', commit], options)) !== undefined;
}
