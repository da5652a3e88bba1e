import type { Octokit } from '@octokit/rest';
import { z } from 'zod';
import type { Clock } from '../core/lib/clock.ts';
import { problem } from '../core/problem/problem.ts';
import { failed, ok } from '../core/problem/result.ts';
import { callForge } from './forge-call.ts';
import { type Answer, reply } from './github-reply.ts';
import { hasIssueMarker, issueMarkdown } from './issue-markdown.ts';
import type { IssueContent, Issues } from './issues.ts';

export interface IssuesOptions {
  readonly octokit: Octokit;
  readonly here: { readonly owner: string; readonly repo: string };
  readonly clock: Clock;
  /** The owner of the token. */
  readonly author: () => Promise<string>;
  readonly key: string;
}

/** In characters. GitHub accepts as many as in a comment. */
const issueLimit = 60_000;

const onPage = 100;
const mostPages = 100;

const listShape = z.array(
  z.object({
    number: z.int(),
    body: z.string().nullish(),
    user: z.object({ login: z.string() }).nullish(),
    pull_request: z.unknown().optional(),
  }),
);

/** The issues of a repository on GitHub. */
export function createGithubIssues({ octokit, here, clock, author, key }: IssuesOptions): Issues {
  const bodyOf = (content: IssueContent) => issueMarkdown(key, content, issueLimit);
  const call = (failure: string, repeatable: boolean, send: () => Promise<Answer>) =>
    callForge({ failure, repeatable, send: () => reply(send()) }, clock);
  const write = async (failure: string, repeatable: boolean, send: () => Promise<Answer>) => {
    const done = await call(failure, repeatable, send);
    return done.ok ? ok(null) : done;
  };
  return {
    async listOpen() {
      const own = await author();
      const found: string[] = [];
      for (let page = 1; page <= mostPages; page += 1) {
        const listed = await call("the issues can't be read", true, () =>
          octokit.rest.issues.listForRepo({
            ...here,
            state: 'open',
            sort: 'created',
            direction: 'asc',
            per_page: onPage,
            page,
          }),
        );
        if (!listed.ok) return listed;
        const read = listShape.safeParse(listed.value.body);
        if (!read.success) return failed(problem('malformed-response', 'GitHub did not return issues'));
        for (const { number, body, user, pull_request: request } of read.data) {
          const isOwn = user?.login === own && request === undefined;
          if (isOwn && hasIssueMarker(body ?? '', key)) found.push(String(number));
        }
        if (!/rel="next"/.test(listed.value.headers['link'] ?? '')) break;
      }
      return ok(found);
    },
    create: (content) =>
      write("the issue can't be opened", false, () =>
        octokit.rest.issues.create({ ...here, title: content.title, body: bodyOf(content) }),
      ),
    update: (number, content) =>
      write("the issue can't be changed", true, () =>
        octokit.rest.issues.update({ ...here, issue_number: Number(number), body: bodyOf(content) }),
      ),
    close: (number, content) =>
      write("the issue can't be closed", true, () =>
        octokit.rest.issues.update({
          ...here,
          issue_number: Number(number),
          body: bodyOf(content),
          state: 'closed',
          state_reason: 'completed',
        }),
      ),
  };
}
