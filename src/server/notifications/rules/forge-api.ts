import { type Problem, problem } from '../../../core/problem/problem.ts';
import type { GuardedHttp } from '../../../service/client/guarded-fetch.ts';
import type { ForgeSettings } from '../../settings/server-settings.ts';
import type { CommitStatus } from './commit-status.ts';
import { mergedPullPage } from './merged-pull.ts';
import { askedWait, type Sent } from './sent.ts';

/** What the server writes to GitHub or GitLab. */
export interface ForgeApi {
  readRepository(): Promise<Sent>;
  setStatus(commit: string, status: CommitStatus, link: string | null): Promise<Sent>;
  /** The address of the page of the merged pull request that brought a commit; null if there is none. */
  findPull(commit: string): Promise<Sent<string | null>>;
  /** The id of the new comment. */
  addComment(pull: number, text: string): Promise<Sent<number>>;
  /** False if the comment does not exist anymore. */
  changeComment(pull: number, id: number, text: string): Promise<Sent<boolean>>;
  /** The oldest of the comments since a time that begins with a mark. */
  findComment(pull: number, mark: string, since: Date): Promise<Sent<number | undefined>>;
}

export interface ForgeParts {
  /** The name of the source. */
  readonly source: string;
  readonly forge: ForgeSettings;
  readonly token: string;
  readonly http: Pick<GuardedHttp, 'send'>;
  readonly now: () => number;
  readonly signal?: AbortSignal;
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const gitlabStates: Readonly<Record<CommitStatus['state'], string>> = {
  pending: 'pending',
  running: 'running',
  success: 'success',
  failure: 'failed',
  error: 'failed',
};
/** GitLab answers this if a commit has the state already. It then keeps the first description of the state. */
const sameState = /cannot transition status/i;

export function openForge(parts: ForgeParts): ForgeApi {
  const { source, forge } = parts;
  const context = `rampart/${source}`;
  const send = async (method: string, path: string, body?: unknown) => request(parts, method, path, body);

  if (forge.kind === 'github') {
    const base = `/repos/${forge.repository}`;
    return {
      readRepository: async () => done(parts, await send('GET', base)),
      async setStatus(commit, { state, description }, link) {
        const reply = await send('POST', `${base}/statuses/${commit}`, {
          state: state === 'running' ? 'pending' : state,
          description,
          context,
          ...(link === null ? {} : { target_url: link }),
        });
        return done(parts, reply);
      },
      findPull: async (commit) =>
        pullOf(parts, await send('GET', `${base}/commits/${commit}/pulls?per_page=30`), commit),
      addComment: async (pull, body) =>
        idOf(parts, await send('POST', `${base}/issues/${pull}/comments`, { body })),
      changeComment: async (_pull, id, body) =>
        exists(parts, await send('PATCH', `${base}/issues/comments/${id}`, { body })),
      findComment: async (pull, mark, since) => {
        const from = encodeURIComponent(since.toISOString());
        return find(
          parts,
          await send('GET', `${base}/issues/${pull}/comments?per_page=30&since=${from}`),
          mark,
        );
      },
    };
  }
  const base = `/projects/${encodeURIComponent(forge.repository)}`;
  return {
    readRepository: async () => done(parts, await send('GET', base)),
    async setStatus(commit, { state, description }, link) {
      const reply = await send('POST', `${base}/statuses/${commit}`, {
        state: gitlabStates[state],
        description,
        name: context,
        ...(link === null ? {} : { target_url: link }),
      });
      const isSame = reply.ok && reply.value.status === 400 && sameState.test(reply.value.text);
      return isSame ? { ok: true, value: null } : done(parts, reply);
    },
    findPull: async (commit) =>
      pullOf(
        parts,
        await send('GET', `${base}/repository/commits/${commit}/merge_requests?per_page=30`),
        commit,
      ),
    addComment: async (pull, body) =>
      idOf(parts, await send('POST', `${base}/merge_requests/${pull}/notes`, { body })),
    changeComment: async (pull, id, body) =>
      exists(parts, await send('PUT', `${base}/merge_requests/${pull}/notes/${id}`, { body })),
    findComment: async (pull, mark) =>
      find(
        parts,
        await send('GET', `${base}/merge_requests/${pull}/notes?per_page=30&order_by=created_at&sort=desc`),
        mark,
      ),
  };
}

async function request(
  { forge, token, http, signal }: ForgeParts,
  method: string,
  path: string,
  body: unknown,
): Promise<Sent<Reply>> {
  const isGithub = forge.kind === 'github';
  const reply = await http.send(`${forge.api}${path}`, {
    method,
    headers: {
      'User-Agent': 'Rampart',
      Accept: isGithub ? 'application/vnd.github+json' : 'application/json',
      ...(isGithub ? { Authorization: `Bearer ${token}` } : { 'PRIVATE-TOKEN': token }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (!reply.ok) return reply;
  const { status, headers, body: bytes } = reply.value;
  return { ok: true, value: { status, headers, text: Buffer.from(bytes).toString('utf8') } };
}

function done(parts: ForgeParts, reply: Sent<Reply>): Sent {
  if (!reply.ok) return reply;
  const { status } = reply.value;
  return status >= 200 && status < 300 ? { ok: true, value: null } : refused(parts, reply.value);
}

function exists(parts: ForgeParts, reply: Sent<Reply>): Sent<boolean> {
  if (!reply.ok) return reply;
  if (reply.value.status === 404 || reply.value.status === 410) return { ok: true, value: false };
  const ended = done(parts, reply);
  return ended.ok ? { ok: true, value: true } : ended;
}

function idOf(parts: ForgeParts, reply: Sent<Reply>): Sent<number> {
  if (!reply.ok) return reply;
  const ended = done(parts, reply);
  if (!ended.ok) return ended;
  const id = commentId(readJson(reply.value.text));
  return id === undefined ? { ok: false, problems: [unread(parts)] } : { ok: true, value: id };
}

function pullOf(parts: ForgeParts, reply: Sent<Reply>, commit: string): Sent<string | null> {
  const list = listOf(parts, reply);
  return list.ok ? { ok: true, value: mergedPullPage(list.value, commit, parts.forge) } : list;
}

function find(parts: ForgeParts, reply: Sent<Reply>, mark: string): Sent<number | undefined> {
  const list = listOf(parts, reply);
  if (!list.ok) return list;
  const ids = list.value.flatMap((each) => {
    const body = (each as { readonly body?: unknown } | null)?.body;
    return typeof body === 'string' && body.startsWith(mark) ? (commentId(each) ?? []) : [];
  });
  return { ok: true, value: ids.length === 0 ? undefined : Math.min(...ids) };
}

function listOf(parts: ForgeParts, reply: Sent<Reply>): Sent<readonly unknown[]> {
  if (!reply.ok) return reply;
  const ended = done(parts, reply);
  if (!ended.ok) return ended;
  const list = readJson(reply.value.text);
  return Array.isArray(list) ? { ok: true, value: list } : { ok: false, problems: [unread(parts)] };
}

function commentId(given: unknown): number | undefined {
  const id = (given as { readonly id?: unknown } | null)?.id;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unread({ source }: ForgeParts): Problem {
  return problem(
    'malformed-response',
    `the forge of the source "${source}" did not answer with the JSON of its API`,
    {
      hint: 'check "forgeApi" of the source',
    },
  );
}

const refusalCodes = { 401: 'not-authenticated', 403: 'forbidden', 404: 'not-found' } as const;

function refused({ source, now }: ForgeParts, { status, headers }: Reply): Sent<never> {
  const answer = `the forge of the source "${source}" answers ${status}`;
  const asked = askedWait(headers, now());
  const isLimited = status === 429 || (status === 403 && asked.askedMs !== undefined);
  const [code, message, hint] = isLimited
    ? (['rate-limited', answer, 'Rampart waits as long as the forge asks'] as const)
    : status >= 300 && status < 400
      ? ([
          'redirected',
          `${answer}, which is a redirect and is not followed`,
          'write the address that the repository or its API has now',
        ] as const)
      : status === 401 || status === 403 || status === 404
        ? ([
            refusalCodes[status],
            answer,
            'check that the forge token may write commit statuses and comments of the repository',
          ] as const)
        : ([status >= 500 ? 'server-error' : 'bad-request', answer, 'look at the log of the forge'] as const);
  return { ok: false, problems: [problem(code, message, { hint })], ...asked };
}
