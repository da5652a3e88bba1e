import { problem } from '../core/problem/problem.ts';
import { failed, ok } from '../core/problem/result.ts';
import type { Comments, PostedComment } from './comments.ts';
import type { ForgeClient } from './forge-client.ts';
import { gitlabUser } from './gitlab-user.ts';

export interface GitlabOptions {
  readonly client: ForgeClient;
  readonly project: string;
  /** The number of the merge request in its project. */
  readonly mergeRequest: string;
}

const notesOnPage = 100;
const mostPages = 100;

/** The notes of a merge request, over version 4 of GitLab's API. */
export function createGitlabComments({ client, ...options }: GitlabOptions): Comments {
  const [project, mergeRequest] = [options.project, options.mergeRequest].map(encodeURIComponent);
  const notes = `/projects/${project}/merge_requests/${mergeRequest}/notes`;
  return {
    author: () => gitlabUser(client),
    async list() {
      const found: PostedComment[] = [];
      let page = '1';
      for (let pages = 0; page !== '' && pages < mostPages; pages += 1) {
        const query = `?sort=asc&order_by=created_at&per_page=${notesOnPage}&page=${encodeURIComponent(page)}`;
        const failure = "the notes can't be read";
        const reply = await client.call({ failure, method: 'GET', path: notes + query });
        if (!reply.ok) return reply;
        const listed = readNotes(reply.value.body);
        if (listed === undefined) {
          return failed(problem('malformed-response', `GitLab returned an undocumented answer for ${notes}`));
        }
        found.push(...listed);
        page = reply.value.headers['x-next-page'] ?? '';
      }
      return ok(found);
    },
    create: (body) =>
      client.write({ failure: "the note can't be written", method: 'POST', path: notes, body: { body } }),
    update: (id, body) =>
      client.write({
        failure: "the note can't be changed",
        method: 'PUT',
        path: `${notes}/${id}`,
        body: { body },
      }),
    remove: (id) =>
      client.write({ failure: "the old note can't be removed", method: 'DELETE', path: `${notes}/${id}` }),
  };
}

function readNotes(body: unknown): readonly PostedComment[] | undefined {
  if (!Array.isArray(body)) return undefined;
  return body.flatMap((note: unknown) => {
    const {
      id,
      author,
      body: text,
    } = note as {
      readonly id?: unknown;
      readonly author?: { readonly username?: unknown } | null;
      readonly body?: unknown;
    };
    const username = author?.username;
    if (!Number.isSafeInteger(id) || typeof username !== 'string' || typeof text !== 'string') return [];
    return [{ id: String(id), author: username, body: text }];
  });
}
