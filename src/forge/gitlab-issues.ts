import { z } from 'zod';
import { problem } from '../core/problem/problem.ts';
import { failed, ok } from '../core/problem/result.ts';
import type { ForgeClient } from './forge-client.ts';
import { gitlabUser } from './gitlab-user.ts';
import { hasIssueMarker, issueMarkdown } from './issue-markdown.ts';
import type { IssueContent, Issues } from './issues.ts';

export interface GitlabIssuesOptions {
  readonly client: ForgeClient;
  readonly project: string;
  readonly key: string;
}

/** In characters, well below the limit of a description. */
const issueLimit = 500_000;
const onPage = 100;
const mostPages = 100;

const listShape = z.array(
  z.object({
    iid: z.int(),
    description: z.string().nullish(),
    author: z.object({ username: z.string() }).nullish(),
  }),
);

/** The issues of a project, over version 4 of GitLab's API. */
export function createGitlabIssues({ client, project, key }: GitlabIssuesOptions): Issues {
  const issues = `/projects/${encodeURIComponent(project)}/issues`;
  const description = (content: IssueContent) => issueMarkdown(key, content, issueLimit);
  return {
    async listOpen() {
      const author = await gitlabUser(client);
      if (!author.ok) return author;
      const found: string[] = [];
      let page = '1';
      for (let pages = 0; page !== '' && pages < mostPages; pages += 1) {
        const query = new URLSearchParams({
          scope: 'created_by_me',
          state: 'opened',
          order_by: 'created_at',
          sort: 'asc',
          per_page: String(onPage),
          page,
        });
        const failure = "the issues can't be read";
        const reply = await client.call({ failure, method: 'GET', path: `${issues}?${query.toString()}` });
        if (!reply.ok) return reply;
        const read = listShape.safeParse(reply.value.body);
        if (!read.success) return failed(problem('malformed-response', 'GitLab did not return issues'));
        for (const { iid, description: text, author: by } of read.data) {
          if (by?.username === author.value && hasIssueMarker(text ?? '', key)) found.push(String(iid));
        }
        page = reply.value.headers['x-next-page'] ?? '';
      }
      return ok(found);
    },
    create: (content) =>
      client.write({
        failure: "the issue can't be opened",
        method: 'POST',
        path: issues,
        body: { title: content.title, description: description(content) },
      }),
    update: (iid, content) =>
      client.write({
        failure: "the issue can't be changed",
        method: 'PUT',
        path: `${issues}/${iid}`,
        body: { description: description(content) },
      }),
    close: (iid, content) =>
      client.write({
        failure: "the issue can't be closed",
        method: 'PUT',
        path: `${issues}/${iid}`,
        body: { description: description(content), state_event: 'close' },
      }),
  };
}
