import { z } from 'zod';
import { ok } from '../core/problem/problem.ts';
import type { ForgeResult, NewPull, OpenedPull } from './forge.ts';
import type { ForgeClient } from './forge-client.ts';

/** An object of Git that was created. */
const objectShape = z.object({ sha: z.string() });
const commitShape = z.object({ tree: objectShape });
const openedShape = z.object({ number: z.int().positive(), html_url: z.string() });

/** Opens a pull request at GitHub with objects of Git, so that a commit of several files needs no checkout. */
export async function openGithubPull(
  client: ForgeClient,
  repository: string,
  { branch, into, base, title, body, files }: NewPull,
): Promise<ForgeResult<OpenedPull>> {
  const failure = "the branch can't be written";
  const make = (path: string, content: object) =>
    client.read(
      { failure, path: `${repository}/git/${path}`, body: content },
      { what: 'an object of Git', shape: objectShape },
    );
  const before = await client.read(
    { failure, path: `${repository}/git/commits/${base}` },
    { what: 'a commit', shape: commitShape },
  );
  if (!before.ok) return before;
  const tree = await make('trees', {
    base_tree: before.value.tree.sha,
    tree: files.map(({ path, text }) => ({ path, mode: '100644', type: 'blob', content: text })),
  });
  if (!tree.ok) return tree;
  const commit = await make('commits', { message: title, tree: tree.value.sha, parents: [base] });
  if (!commit.ok) return commit;
  const made = await client.write({
    failure,
    path: `${repository}/git/refs`,
    body: { ref: `refs/heads/${branch}`, sha: commit.value.sha },
  });
  if (!made.ok) return made;
  const opened = await client.read(
    {
      failure: "the pull request can't be opened",
      path: `${repository}/pulls`,
      body: { title, body, head: branch, base: into },
    },
    { what: 'the pull request', shape: openedShape },
  );
  return opened.ok ? ok({ number: opened.value.number, page: opened.value.html_url }) : opened;
}
