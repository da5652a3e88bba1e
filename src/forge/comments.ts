import type { Result } from '../core/problem/result.ts';

/** A comment on a pull request of GitHub, a note on a merge request of GitLab. */
export interface PostedComment {
  readonly id: string;
  readonly author: string;
  readonly body: string;
  /** When it was last changed, as an ISO time; absent if the forge does not report it. */
  readonly changedAt?: string;
}

/**
 * The comments of one pull request or merge request. Each call may fail because of missing rights, a rate limit or the
 * network.
 */
export interface Comments {
  /** The author of what these credentials write. */
  author(): Promise<Result<string>>;
  /** All comments, oldest first. */
  list(): Promise<Result<readonly PostedComment[]>>;
  create(body: string): Promise<Result<null>>;
  update(id: string, body: string): Promise<Result<null>>;
  remove(id: string): Promise<Result<null>>;
}
