import type { Subject } from '../../api/access/grants.ts';
import type { PlanFiles } from '../../api/plans.ts';
import type { Result } from '../../core/problem/problem.ts';
import type { AccountRecord } from '../accounts/records/account-record.ts';
import type { HostWithFacts } from '../hosts/records/hosts.ts';
import type { HostClaims } from '../hosts/rules/explain-stored-host.ts';
import type { PlanRecord } from '../plans/records/plans.ts';
import type { ChosenHost } from '../proposals/decisions/selected-changes.ts';
import type { AccountDraft, DraftedChange, ProposalDraft } from '../proposals/rules/draft-proposal.ts';
import type { PullWords, SourcePull } from '../proposals/rules/open-proposal.ts';
import type { ProposedPlan } from '../proposals/rules/plan-proposal.ts';
import type { RolloutStart } from '../rollouts/rules/start-rollout.ts';
import type { ServerRun } from '../runs/records/runs.ts';

/** Work that a request starts and does not wait for. Its end is an event. */
export interface ServerWork {
  /** Queues a check of each account, or a plan; how many were queued: an account that is queued already is not. */
  check(accounts: readonly string[], kind: 'check' | 'plan', by: Subject): Promise<number>;
  /** Queues the requested rehearsal of a plan. A rehearsal that is already queued is not queued again. */
  rehearse(plan: string): Promise<void>;
  /** Makes a worker look at the run of an account, because it was added, or someone asked it to stop or lets it begin. */
  wake(account: string): Promise<void>;
  /** Decides about the accounts for which a pause began or ended, without waiting for the next tick. */
  wakeAccounts(): Promise<void>;
  /** Plans the reversal of a run; the id of the plan, which waits for approval. */
  undo(run: ServerRun, by: Subject): Promise<Result<string>>;
  /** Saves a rollout of plans, those that wait approved in the same transaction, and lets it begin; returns its id. */
  startRollout(rollout: RolloutStart): Promise<Result<string>>;
  continueRollout(id: string, by: Subject, reason: string): Promise<Result<null>>;
  stopRollout(id: string, by: Subject, reason: string): Promise<Result<null>>;
  abortRollout(id: string, by: Subject, reason: string): Promise<Result<null>>;
  /** What the desired state of the last check asks of a host, read from its files; a problem if they can't be read now. */
  explain(host: HostWithFacts, account: AccountRecord): Promise<Result<HostClaims>>;
  /** The lines of the desired state that were edited between the change `before` and a plan. Sends only reads. */
  planFiles(plan: PlanRecord, before: PlanRecord | undefined): Promise<PlanFiles>;
  /** Changes what the desired states of hosts request. Writes nothing, and sends nothing. */
  draftProposal(hosts: readonly ChosenHost[], change: DraftedChange): Promise<Result<ProposalDraft>>;
  /** Plans an account with the proposed desired state. Sends only reads, and waits for them. */
  planProposal(draft: AccountDraft, signal: AbortSignal): Promise<Result<ProposedPlan>>;
  /** Opens a pull request for each source of a proposal. */
  openProposal(draft: ProposalDraft, words: PullWords): Promise<Result<readonly SourcePull[]>>;
  /** Sends a test message now, and waits for its end. */
  testNotification(name: string): Promise<Result<{ readonly sent: boolean; readonly message: string }>>;
}
