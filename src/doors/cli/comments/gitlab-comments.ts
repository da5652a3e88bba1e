import type { Clock } from '../../../core/lib/clock.ts';
import { problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import type { Method } from '../../../service/contract/endpoint.ts';
import type { Exchange } from '../../../service/contract/message.ts';
import type { Comments, PostedComment } from './comments.ts';
import { callForge, type ForgeReply } from './forge-call.ts';

export interface GitlabOptions {
  /** Below the address of GitLab's API. */
  readonly exchange: Exchange;
  readonly token: string;
  readonly project: string;
  /** The number of the merge request in its project. */
  readonly mergeRequest: string;
  readonly clock: Clock;
}

const notesOnPage = 100;
const mostPages = 100;

/** The notes of a merge request, over version 4 of GitLab's API. */
export function createGitlabComments(options: GitlabOptions): Comments {
  const { exchange, token, clock } = options;
  const [project, mergeRequest] = [options.project, options.mergeRequest].map(encodeURIComponent);
  const notes = `/projects/${project}/merge_requests/${mergeRequest}/notes`;

  async function call(
    failure: string,
    method: Method,
    path: string,
    body?: object,
  ): Promise<Result<ForgeReply>> {
    const headers = { 'private-token': token, accept: 'application/json' };
    const request =
      body === undefined
        ? { method, path, headers, body: null }
        : {
            method,
            path,
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          };
    const send = async () => {
      const reply = await exchange(request);
      return { status: reply.status, headers: reply.headers, body: parsed(reply.body) };
    };
    return callForge({ failure, send, repeatable: method !== 'POST' }, clock);
  }

  const write = async (failure: string, method: Method, path: string, body?: object) => {
    const done = await call(failure, method, path, body);
    return done.ok ? ok(null) : done;
  };

  return {
    async author() {
      const reply = await call('GitLab did not return the user of the token', 'GET', '/user');
      if (!reply.ok) return reply;
      const { username } = (reply.value.body ?? {}) as { readonly username?: unknown };
      return typeof username === 'string' ? ok(username) : failed(malformed('/user'));
    },
    async list() {
      const found: PostedComment[] = [];
      let page = '1';
      for (let pages = 0; page !== '' && pages < mostPages; pages += 1) {
        const query = `?sort=asc&order_by=created_at&per_page=${notesOnPage}&page=${encodeURIComponent(page)}`;
        const reply = await call("the notes can't be read", 'GET', notes + query);
        if (!reply.ok) return reply;
        const listed = readNotes(reply.value.body);
        if (listed === undefined) return failed(malformed(notes));
        found.push(...listed);
        page = reply.value.headers['x-next-page'] ?? '';
      }
      return ok(found);
    },
    create: (body) => write("the note can't be written", 'POST', notes, { body }),
    update: (id, body) => write("the note can't be changed", 'PUT', `${notes}/${id}`, { body }),
    remove: (id) => write("the old note can't be removed", 'DELETE', `${notes}/${id}`),
  };
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
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

function malformed(path: string) {
  return problem('malformed-response', `GitLab returned an undocumented answer for ${path}`);
}
