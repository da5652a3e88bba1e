import { readFile } from 'node:fs/promises';
import type { Environment } from '../cli/shell/io.ts';
import { problem } from '../problem/problem.ts';
import { failed, ok, type Result } from '../problem/result.ts';

/** Why this workflow runs, as far as it matters here. */
export type Event =
  | PullRequestEvent
  | { readonly kind: 'merge-group'; readonly base: string }
  | { readonly kind: 'push'; readonly commit: string }
  /** A schedule, a click, and anything else. */
  | { readonly kind: 'other'; readonly name: string };

export interface PullRequestEvent {
  readonly kind: 'pull-request';
  readonly number: number;
  /** The commit that it is to be merged into. */
  readonly base: string;
  /** Does the change come from another repository? Then nobody of ours wrote it. */
  readonly fork: boolean;
  readonly merged: boolean;
}

const commitPattern = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Reads the payload that GitHub has put into a file. */
export async function readEvent(env: Environment): Promise<Result<Event>> {
  const name = env['GITHUB_EVENT_NAME'] ?? '';
  const path = env['GITHUB_EVENT_PATH'] ?? '';
  if (path === '') return ok({ kind: 'other', name });
  try {
    const event = toEvent(name, JSON.parse(await readFile(path, 'utf8')));
    if (event !== undefined) return ok(event);
  } catch {
    // A file that is not there, or not JSON, is told as any other that can't be read.
  }
  return failed(
    problem('configuration', `the payload of the event ${name} can't be read`, {
      hint: 'GITHUB_EVENT_PATH must name the file that GitHub has written',
    }),
  );
}

type Part = Readonly<Record<string, unknown>>;

/** Undefined where the payload lacks what its event always has. */
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
    default:
      return { kind: 'other', name };
  }
}

function toPullRequest(request: Part, repository: Part): PullRequestEvent | undefined {
  const { number, merged } = request;
  const base = commit(part(request['base'])['sha']);
  const home = repository['full_name'];
  if (!Number.isSafeInteger(number) || base === undefined || typeof home !== 'string') return undefined;
  // The repository of a fork that was deleted is null.
  const head = part(part(request['head'])['repo'])['full_name'];
  return {
    kind: 'pull-request',
    number: number as number,
    base,
    fork: head !== home,
    merged: merged === true,
  };
}

function part(value: unknown): Part {
  return typeof value === 'object' && value !== null ? (value as Part) : {};
}

function commit(value: unknown): string | undefined {
  return typeof value === 'string' && commitPattern.test(value) ? value : undefined;
}
