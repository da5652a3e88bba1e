import { z } from 'zod';
import { ok } from '../core/problem/problem.ts';
import type { PullForge } from './forge.ts';
import { createForgeClient, type ForgePlace, type ForgeTransport, rootOf } from './forge-client.ts';

const openedShape = z.object({
  id: z.int().positive(),
  links: z.object({ html: z.object({ href: z.string() }) }),
});

/** A repository of Bitbucket Cloud, whose `project` is `workspace/name`, with an access token. */
export function createBitbucket({ api, project, token }: ForgePlace, transport: ForgeTransport): PullForge {
  const headers = { authorization: `Bearer ${token}` };
  const root = `${rootOf(api)}/repositories/${project}`;
  const client = createForgeClient(transport, { forge: 'Bitbucket', headers, root });
  return {
    async openPull({ branch, into, base, title, body, files }) {
      const form = new URLSearchParams({ branch, parents: base, message: title });
      // A slash separates the path of a file from the other fields.
      for (const { path, text } of files) form.set(`/${path}`, text);
      const made = await client.write({ failure: "the branch can't be written", path: '/src', body: form });
      if (!made.ok) return made;
      const opened = await client.read(
        {
          failure: "the pull request can't be opened",
          path: '/pullrequests',
          body: {
            title,
            description: body,
            source: { branch: { name: branch } },
            destination: { branch: { name: into } },
            close_source_branch: true,
          },
        },
        { what: 'the pull request', shape: openedShape },
      );
      return opened.ok ? ok({ number: opened.value.id, page: opened.value.links.html.href }) : opened;
    },
  };
}
