import { readFile } from 'node:fs/promises';
import { commitId } from '../core/lib/hex-ids.ts';
import type { Environment } from '../core/lib/surroundings.ts';
import { failed, ok, problem, type Result } from '../core/problem/problem.ts';

/** The event that started this workflow, as far as it matters here. */
export type Event = (
  | PullRequestEvent
  | { readonly kind: 'merge-group'; readonly base: string }
  | { readonly kind: 'push'; readonly commit: string }
  | CommentEvent
  /** A schedule, a manual start, or any other event. */
  | { readonly kind: 'other'; readonly name: string }
) & {
  /** The commit that does not include the change under review; undefined if the event does not name one. */
  readonly reviewed?: string;
  /** The branch that reviewed changes are merged into, such as `main`. */
  readonly defaultBranch?: string;
};

export interface PullRequestEvent {
  readonly kind: 'pull-request';
  readonly number: number;
  /** The commit that it will be merged into. */
  readonly base: string;
  /** The last commit of its branch. */
  readonly head?: string;
  readonly merged: boolean;
  /** Does its branch belong to another repository? That of a deleted fork is unknown. */
  readonly isFork: boolean;
}

/** A comment that someone has written. Nothing in the payload says what its author may do. */
export interface CommentEvent {
  readonly kind: 'comment';
  readonly comment: number;
  readonly body: string;
  /** Null if the comment is on an issue. */
  readonly pullRequest: number | null;
}

const branchPattern = /^\w[\w./-]{0,254}$/;

/** Reads the payload that GitHub wrote to a file. */
export async function readEvent(env: Environment): Promise<Result<Event>> {
  const name = env['GITHUB_EVENT_NAME'] ?? '';
  const path = env['GITHUB_EVENT_PATH'] ?? '';
  if (path === '') return ok({ kind: 'other', name });
  try {
    const payload: unknown = JSON.parse(await readFile(path, 'utf8'));
    const event = toEvent(name, payload);
    if (event !== undefined) return ok({ ...event, ...reviewedIn(payload, env) });
  } catch {
    // A missing file, or one that is not JSON, is reported like any other that can't be read.
  }
  return failed(
    problem('configuration', `the payload of the event ${name} can't be read`, {
      hint: 'GITHUB_EVENT_PATH must be the path of the file that GitHub wrote',
    }),
  );
}

type Part = Readonly<Record<string, unknown>>;

/** Undefined if the payload lacks a required member of its event. */
function toEvent(name: string, payload: unknown): Event | undefined {
  const whole = part(payload);
  switch (name) {
    case 'pull_request':
    case 'pull_request_target':
      return toPullRequest(part(whole['pull_request']), part(whole['repository']));
    case 'merge_group': {
      const base = commit(part(whole['merge_group'])['base_sha']);
      return base === undefined ? undefined : { kind: 'merge-group', base };
    }
    case 'push': {
      const after = commit(whole['after']);
      return after === undefined ? undefined : { kind: 'push', commit: after };
    }
    case 'issue_comment':
      return toComment(whole);
    default:
      return { kind: 'other', name };
  }
}

function toPullRequest(request: Part, repository: Part): PullRequestEvent | undefined {
  const { number, merged } = request;
  const base = commit(part(request['base'])['sha']);
  if (!Number.isSafeInteger(number) || base === undefined) return undefined;
  if (typeof repository['full_name'] !== 'string') return undefined;
  const from = part(request['head']);
  const head = commit(from['sha']);
  return {
    kind: 'pull-request',
    number: number as number,
    base,
    ...(head === undefined ? {} : { head }),
    merged: merged === true,
    isFork: part(from['repo'])['full_name'] !== repository['full_name'],
  };
}

/** Only a new comment is a command: the person who edits a comment may not be its author. */
function toComment(whole: Part): Event | undefined {
  const { number, pull_request: request } = part(whole['issue']);
  const { id, body } = part(whole['comment']);
  if (whole['action'] !== 'created') return { kind: 'other', name: 'issue_comment' };
  if (!Number.isSafeInteger(number) || !Number.isSafeInteger(id) || typeof body !== 'string')
    return undefined;
  return {
    kind: 'comment',
    comment: id as number,
    body,
    pullRequest: request === undefined ? null : (number as number),
  };
}

/**
 * A pull request into the default branch is judged by its base, or by the result of its merge. Everything else is
 * judged by the commit of the run if that commit is on the default branch: on any other branch, nobody may have
 * reviewed it.
 */
function reviewedIn(payload: unknown, env: Environment): Pick<Event, 'reviewed' | 'defaultBranch'> {
  const whole = part(payload);
  const branch = part(whole['repository'])['default_branch'];
  // A scheduled workflow runs only on the default branch, and its payload does not name it.
  const scheduled = env['GITHUB_EVENT_NAME'] === 'schedule' ? commit(env['GITHUB_SHA']) : undefined;
  if (scheduled !== undefined) return { reviewed: scheduled };
  if (typeof branch !== 'string' || !branchPattern.test(branch)) return {};
  const reviewed = reviewedOn(branch, whole, env);
  return { defaultBranch: branch, ...(reviewed === undefined ? {} : { reviewed }) };
}

function reviewedOn(branch: string, whole: Part, env: Environment): string | undefined {
  const ref = `refs/heads/${branch}`;
  const request = part(whole['pull_request']);
  const queued = part(whole['merge_group']);
  if (request['base'] !== undefined) {
    const { ref: into, sha } = part(request['base']);
    if (into !== branch) return undefined;
    return commit(request['merged'] === true ? request['merge_commit_sha'] : sha);
  }
  if (queued['base_sha'] !== undefined)
    return queued['base_ref'] === ref ? commit(queued['base_sha']) : undefined;
  return (env['GITHUB_REF'] ?? whole['ref']) === ref
    ? commit(whole['after'] ?? env['GITHUB_SHA'])
    : undefined;
}

function part(value: unknown): Part {
  return typeof value === 'object' && value !== null ? (value as Part) : {};
}

function commit(value: unknown): string | undefined {
  return typeof value === 'string' && commitId.test(value) ? value : undefined;
}
