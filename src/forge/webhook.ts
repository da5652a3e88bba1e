import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../core/lib/parse-json.ts';
import type { ForgeKind } from './forge.ts';

/** What a webhook reports, as far as the server acts on it. */
export type HookEvent = (
  | { readonly kind: 'push'; readonly ref: string }
  | {
      readonly kind: 'comment';
      readonly text: string;
      /** When it was written. */
      readonly at: number;
      readonly author: ForgeUser;
      /** Who opened the pull request. */
      readonly opener: ForgeUser | null;
      /** The number of the pull request. */
      readonly pull: number | null;
    }
  | { readonly kind: 'other' }
) & {
  /** The repository that it is about, such as `acme/fleet`; absent if the sender does not specify it. */
  readonly repository?: string | undefined;
};

export interface ForgeUser {
  /** The number of the user, which does not change with the name. */
  readonly id: number;
  readonly login: string;
}

/** GitLab writes `2026-11-23 08:00:00 UTC`. */
const moment = z
  .string()
  .transform((text) => Date.parse(text))
  .refine(Number.isFinite);
const githubUser = z.object({ id: z.int(), login: z.string() });
const githubPush = z.object({ ref: z.string() });
const githubComment = z.object({
  action: z.literal('created'),
  issue: z.object({
    number: z.int().positive().optional(),
    pull_request: z.object({}),
    user: githubUser.nullable(),
  }),
  comment: z.object({ body: z.string(), user: githubUser, created_at: moment }),
});
const gitlabNote = z.object({
  user: z.object({ id: z.int(), username: z.string() }),
  object_attributes: z.object({
    note: z.string(),
    created_at: moment,
    noteable_type: z.literal('MergeRequest'),
    action: z.enum(['create']).optional(),
  }),
  merge_request: z.object({ iid: z.int().positive().optional(), author_id: z.int().optional() }).optional(),
});

/** Reads the body of a genuine webhook. Undefined if it is not JSON of the announced event. */
export function readHookEvent(forge: ForgeKind, headers: Headers, body: string): HookEvent | undefined {
  const json = parseJson(body);
  const event =
    forge === 'github'
      ? readGithub(headers.get('x-github-event'), json)
      : readGitlab(headers.get('x-gitlab-event'), json);
  const { repository, project } = about.safeParse(json).data ?? {};
  return event && { ...event, repository: repository?.full_name ?? project?.path_with_namespace };
}

const about = z.object({
  repository: z.object({ full_name: z.string().optional() }).optional(),
  project: z.object({ path_with_namespace: z.string() }).optional(),
});

function readGithub(event: string | null, json: unknown): HookEvent | undefined {
  if (event === 'push') return pushOf(json);
  if (event !== 'issue_comment') return { kind: 'other' };
  const read = githubComment.safeParse(json);
  if (!read.success) return { kind: 'other' };
  const { comment, issue } = read.data;
  return {
    kind: 'comment',
    text: comment.body,
    at: comment.created_at,
    author: comment.user,
    opener: issue.user,
    pull: issue.number ?? null,
  };
}

function readGitlab(event: string | null, json: unknown): HookEvent | undefined {
  if (event === 'Push Hook' || event === 'Tag Push Hook') return pushOf(json);
  if (event !== 'Note Hook') return { kind: 'other' };
  const read = gitlabNote.safeParse(json);
  if (!read.success) return { kind: 'other' };
  const { user, object_attributes: note, merge_request: request } = read.data;
  const opener = request?.author_id;
  return {
    kind: 'comment',
    text: note.note,
    at: note.created_at,
    author: { id: user.id, login: user.username },
    opener: opener === undefined ? null : { id: opener, login: '' },
    pull: request?.iid ?? null,
  };
}

function pushOf(json: unknown): HookEvent | undefined {
  const read = githubPush.safeParse(json);
  return read.success ? { kind: 'push', ref: read.data.ref } : undefined;
}

/** Is this repository the one at the address of a source? A forge may be below a path of its host. */
export function isRepositoryOf(address: string, repository: string): boolean {
  const path = new URL(address).pathname.replace(/(?:\.git)?\/*$/, '');
  return path.toLowerCase().endsWith(`/${repository.toLowerCase()}`);
}

/** Does a push of this full ref name change the ref of a source? */
export function concernsRef(pushed: string, ref: string): boolean {
  return ref.startsWith('refs/')
    ? pushed === ref
    : pushed === `refs/heads/${ref}` || pushed === `refs/tags/${ref}`;
}

/**
 * Whether the sender of a webhook knows its secret: GitHub signs the body, GitLab sends the secret. Both comparisons take
 * the same time for every input.
 */
export function isGenuine(forge: ForgeKind, headers: Headers, body: Uint8Array, secret: string): boolean {
  switch (forge) {
    case 'github': {
      const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
      return isEqual(headers.get('x-hub-signature-256') ?? '', expected);
    }
    case 'gitlab':
      return isEqual(headers.get('x-gitlab-token') ?? '', secret);
  }
}

/** Compares digests, so that not even the lengths show. */
function isEqual(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/**
 * What identifies a delivery: the id that the forge gives it, and its content. The signature of GitHub does not cover
 * the id, so a replay could have another one.
 */
export function deliveryIds(forge: ForgeKind, headers: Headers, body: Uint8Array): readonly string[] {
  const id = headers.get(forge === 'github' ? 'x-github-delivery' : 'x-gitlab-event-uuid') ?? '';
  const event = headers.get(forge === 'github' ? 'x-github-event' : 'x-gitlab-event') ?? '';
  const content = createHash('sha256').update(`${event}\n`).update(body).digest('hex');
  return /^[\w-]{8,100}$/.test(id) ? [`id:${id}`, `body:${content}`] : [`body:${content}`];
}
