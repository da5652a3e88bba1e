import type { Result } from '../core/problem/result.ts';

/** What an issue shows. All parts are text, and each forge writes them so that it interprets none of them. */
export interface IssueContent {
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  /** Lines for a font of fixed width. */
  readonly report: string;
  /** The address of the job, if it is known. */
  readonly job?: string;
}

/** The issues of one key in a project of GitHub, GitLab or Azure Boards, as far as this token opened them. */
export interface Issues {
  /** The ids of those that are open, oldest first. */
  listOpen(): Promise<Result<readonly string[]>>;
  create(content: IssueContent): Promise<Result<null>>;
  update(id: string, content: IssueContent): Promise<Result<null>>;
  close(id: string, content: IssueContent): Promise<Result<null>>;
}
