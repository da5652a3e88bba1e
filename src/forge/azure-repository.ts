import { z } from 'zod';
import { ok } from '../core/problem/problem.ts';
import type { PullForge } from './forge.ts';
import { createForgeClient, type ForgePlace, type ForgeTransport, rootOf } from './forge-client.ts';

const query = { 'api-version': '7.0' };
const openedShape = z.object({ pullRequestId: z.int().positive() });

/**
 * A Git repository of Azure DevOps. `api` is the address of its project, and `project` the name of the repository. The
 * token is a personal access token, or that of a pipeline.
 */
export function createAzureRepository(
  { api, project: repository, token }: ForgePlace,
  transport: ForgeTransport,
): PullForge {
  const headers = { authorization: `Basic ${btoa(`:${token}`)}` };
  const name = encodeURIComponent(repository);
  const root = `${rootOf(api)}/_apis/git/repositories/${name}`;
  const client = createForgeClient(transport, { forge: 'Azure DevOps', headers, root });
  return {
    async openPull({ branch, into, base, title, body, files }) {
      const pushed = await client.write({
        failure: "the branch can't be written",
        path: '/pushes',
        query,
        body: {
          refUpdates: [{ name: `refs/heads/${branch}`, oldObjectId: base }],
          commits: [
            {
              comment: title,
              changes: files.map(({ path, text }) => ({
                changeType: 'edit',
                item: { path: `/${path}` },
                newContent: { content: text, contentType: 'rawtext' },
              })),
            },
          ],
        },
      });
      if (!pushed.ok) return pushed;
      const opened = await client.read(
        {
          failure: "the pull request can't be opened",
          path: '/pullrequests',
          query,
          body: {
            sourceRefName: `refs/heads/${branch}`,
            targetRefName: `refs/heads/${into}`,
            title,
            description: body.slice(0, mostDescription),
          },
        },
        { what: 'the pull request', shape: openedShape },
      );
      if (!opened.ok) return opened;
      const number = opened.value.pullRequestId;
      return ok({ number, page: `${api.replace(/\/+$/, '')}/_git/${name}/pullrequest/${number}` });
    },
  };
}

/** In characters. Azure DevOps refuses longer ones. */
const mostDescription = 4000;
