import { z } from 'zod';
import { commitId } from '../core/lib/hex-ids.ts';

// The parts of GitHub's responses that Rampart reads, with the names of its REST API. A deleted account or fork is
// null.

const id = z.int().positive();
const user = z.object({ login: z.string() });
const commit = z.string().regex(commitId);

export const createdShape = z.object({ id });

export const commentsShape = z.array(
  z.object({ id, user: user.nullish(), body: z.string().nullish(), updated_at: z.string().optional() }),
);

/** A comment that may be a command, so everything in it must be as documented. */
export const commentShape = z.object({
  body: z.string(),
  user: z.object({ login: z.string().regex(/^[\w-]+(?:\[bot\])?$/), type: z.string() }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export const labelsShape = z.array(z.object({ name: z.string() }));

export const issuesShape = z.array(
  z.object({
    number: id,
    body: z.string().nullish(),
    user: user.nullish(),
    pull_request: z.unknown().optional(),
  }),
);

export const pullsShape = z.array(
  z.object({
    number: id,
    html_url: z.string(),
    merged_at: z.iso.datetime({ offset: true }).nullable().default(null),
    merge_commit_sha: z.string().nullish(),
  }),
);

export const requestShape = z.object({
  state: z.string(),
  head: z.object({ sha: commit, repo: z.object({ full_name: z.string() }).nullable() }),
  base: z.object({ sha: commit, ref: z.string(), repo: z.object({ full_name: z.string() }) }),
});

export const viewerShape = z.object({ data: z.object({ viewer: user }) });
