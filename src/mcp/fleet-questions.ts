import type { Result } from '../core/problem/problem.ts';

/** A question about one account. Without a name, it is about the only account, or that of the environment. */
export interface AboutAccount {
  readonly account?: string | undefined;
}

/** Replaces a text that occurs exactly once in a file of the desired state. */
export interface ProposedEdit {
  readonly file: string;
  readonly old_text: string;
  readonly new_text: string;
}

export interface PullRequestQuestion {
  /** The checksum of the plan that a proposed change led to. */
  readonly plan: string;
  readonly title: string;
  readonly reason: string;
}

/** Which hosts of a plan: all, those with a change that can't be undone, or the others whose change may be a mistake. */
export type PlannedHostsKind = 'all' | 'irreversible' | 'unusual';

/**
 * What a program may ask about the desired state and the fleets that this machine can read. Tools get only this: no
 * method applies, approves, pauses, writes a file here, or returns a key. Values are JSON documents.
 */
export interface FleetQuestions {
  listAccounts(): Promise<Result<unknown>>;
  findHosts(
    query: AboutAccount & {
      readonly text?: string | undefined;
      readonly where?: string | undefined;
      readonly limit: number;
    },
  ): Promise<Result<unknown>>;
  explainHost(query: AboutAccount & { readonly host: string }): Promise<Result<unknown>>;
  showFiles(query: AboutAccount): Promise<Result<unknown>>;
  validate(query: AboutAccount): Promise<Result<unknown>>;
  /** Keeps the plan, so that later questions can refer to it by its checksum. */
  plan(query: AboutAccount): Promise<Result<unknown>>;
  listPlannedHosts(query: {
    readonly plan: string;
    readonly only: PlannedHostsKind;
    readonly offset: number;
    readonly limit: number;
  }): Promise<Result<unknown>>;
  /** Where asset registers and the fleet disagree. */
  coverage(
    query: AboutAccount & { readonly table?: string | undefined; readonly by?: string | undefined },
  ): Promise<Result<unknown>>;
  rehearse(query: { readonly plan: string }): Promise<Result<unknown>>;
  /** The patch that makes these edits, and the plan that it leads to. Writes nothing. */
  proposeChange(query: AboutAccount & { readonly edits: readonly ProposedEdit[] }): Promise<Result<unknown>>;
  /** Opens a pull request with the patch that led to a plan, for people to review. Absent if there is no forge. */
  openPullRequest?(query: PullRequestQuestion): Promise<Result<unknown>>;
}
