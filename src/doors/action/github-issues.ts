import type { Octokit } from '@octokit/rest';
import { z } from 'zod';
import type { Clock } from '../../core/lib/clock.ts';
import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { callForge } from '../cli/comments/forge-call.ts';
import { type Answer, reply } from './github-reply.ts';

/** The issues that this token has opened in the repository. */
export interface Issues {
  /** Those that are open, oldest first. */
  listOpen(): Promise<Result<readonly OpenIssue[]>>;
  create(title: string, body: string): Promise<Result<null>>;
  update(number: number, body: string): Promise<Result<null>>;
  close(number: number, body: string): Promise<Result<null>>;
}

export interface OpenIssue {
  readonly number: number;
  readonly body: string;
}

export interface IssuesOptions {
  readonly octokit: Octokit;
  readonly here: { readonly owner: string; readonly repo: string };
  readonly clock: Clock;
  /** The owner of the token. */
  readonly author: () => Promise<string>;
}

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

export function createIssues({ octokit, here, clock, author }: IssuesOptions): Issues {
  const call = (failure: string, repeatable: boolean, send: () => Promise<Answer>) =>
    callForge({ failure, repeatable, send: () => reply(send()) }, clock);
  const write = async (failure: string, repeatable: boolean, send: () => Promise<Answer>) => {
    const done = await call(failure, repeatable, send);
    return done.ok ? ok(null) : done;
  };
  return {
    async listOpen() {
      const own = await author();
      const found: OpenIssue[] = [];
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
          if (user?.login === own && request === undefined) found.push({ number, body: body ?? '' });
        }
        if (!/rel="next"/.test(listed.value.headers['link'] ?? '')) break;
      }
      return ok(found);
    },
    create: (title, body) =>
      write("the issue can't be opened", false, () => octokit.rest.issues.create({ ...here, title, body })),
    update: (number, body) =>
      write("the issue can't be changed", true, () =>
        octokit.rest.issues.update({ ...here, issue_number: number, body }),
      ),
    close: (number, body) =>
      write("the issue can't be closed", true, () =>
        octokit.rest.issues.update({
          ...here,
          issue_number: number,
          body,
          state: 'closed',
          state_reason: 'completed',
        }),
      ),
  };
}
