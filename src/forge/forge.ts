import type { Result } from '../core/problem/problem.ts';

/** The forges with repositories, pull requests and webhooks. GitLab says project, merge request and note. */
export const forgeKinds = ['github', 'gitlab'] as const;
export type ForgeKind = (typeof forgeKinds)[number];

/** The forges on which Rampart opens pull requests. */
export const pullForgeKinds = [...forgeKinds, 'azure', 'bitbucket'] as const;
export type PullForgeKind = (typeof pullForgeKinds)[number];

/** A value, or the reason why there is none, and how many milliseconds the forge requests to wait. */
export type ForgeResult<T> = Result<T> & { readonly askedMs?: number };

/** What every forge has. Each call may fail because of missing rights, a rate limit or the network. */
export interface Forge {
  /** The issues of one key, as far as this token opened them. */
  issues(key: string): Issues;
}

/** A forge that takes changes of a repository as pull requests. */
export interface PullForge {
  /**
   * Commits the files to a new branch, and requests to merge it. If the second call fails, the branch is kept: opening
   * the same pull request again is then refused, because the branch exists.
   */
  openPull(pull: NewPull): Promise<ForgeResult<OpenedPull>>;
}

export interface NewPull {
  /** The name of the new branch. */
  readonly branch: string;
  /** The branch to merge into. */
  readonly into: string;
  /** The commit that the new branch begins at. */
  readonly base: string;
  /** One line, also of the commit. */
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  /** Files that exist at `base`, with their whole new text. Paths are relative to the root of the repository. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

export interface OpenedPull {
  readonly number: number;
  /** The address of its page, as the forge gives it. */
  readonly page: string;
}

/** A forge with the repository of a desired state. */
export interface CodeForge extends Forge, PullForge {
  /** Reads the repository, to test the token. */
  readRepository(): Promise<ForgeResult<null>>;
  commentsOn(pull: number): Comments;
  labelsOn(pull: number): Labels;
  /** The merged pull requests that have a commit. */
  mergedPulls(commit: string): Promise<ForgeResult<readonly MergedPull[]>>;
  setStatus(commit: string, status: ShownStatus): Promise<ForgeResult<null>>;
}

/** The comments on one pull request. */
export interface Comments {
  /** The author of what this token writes. */
  author(): Promise<ForgeResult<string>>;
  /** All comments, oldest first. Comments from before `since` may be left out. */
  list(since?: Date): Promise<ForgeResult<readonly PostedComment[]>>;
  /** The id of the new comment. */
  create(body: string): Promise<ForgeResult<string>>;
  update(id: string, body: string): Promise<ForgeResult<null>>;
  remove(id: string): Promise<ForgeResult<null>>;
}

export interface PostedComment {
  readonly id: string;
  /** Null if the account of the author was deleted. */
  readonly author: string | null;
  readonly body: string;
  /** When it was last changed, as an ISO time; absent if the forge does not report it. */
  readonly changedAt?: string | undefined;
}

/** The labels of one pull request. */
export interface Labels {
  list(): Promise<ForgeResult<readonly string[]>>;
  change(change: LabelChange): Promise<ForgeResult<null>>;
}

export interface LabelChange {
  /** Created if the repository does not have it. Null if the pull request has it. */
  readonly add: NewLabel | null;
  readonly remove: readonly string[];
}

export interface NewLabel {
  readonly name: string;
  /** Six hexadecimal digits. */
  readonly color: string;
  readonly description: string;
}

/** The issues of one key in a project. */
export interface Issues {
  /** The ids of those that are open, oldest first. */
  listOpen(): Promise<ForgeResult<readonly string[]>>;
  create(content: IssueContent): Promise<ForgeResult<null>>;
  update(id: string, content: IssueContent): Promise<ForgeResult<null>>;
  close(id: string, content: IssueContent): Promise<ForgeResult<null>>;
}

/** What an issue shows. All parts are text, and each forge writes them so that it interprets none of them. */
export interface IssueContent {
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  /** Lines for a font of fixed width. */
  readonly report: string;
  /** The address of the job, if it is known. */
  readonly job?: string | undefined;
}

export interface MergedPull {
  readonly number: number;
  /** The address of its page, as the forge gives it. */
  readonly page: string;
  /** In milliseconds since the epoch. */
  readonly mergedAt: number;
  /** Whether merging it made the commit. */
  readonly isExact: boolean;
}

/** What a forge shows at a commit. */
export interface ShownStatus {
  /** Distinguishes it from the statuses of other programs. */
  readonly name: string;
  readonly state: 'pending' | 'running' | 'success' | 'failure' | 'error';
  readonly description: string;
  /** The address of a page about it. */
  readonly link: string | null;
}
