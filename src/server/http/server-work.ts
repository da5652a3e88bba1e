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
import type { ServerRun } from '../runs/records/runs.ts';

/** Work of a request that reads desired states, or talks to the service of an account or to a forge. */
export interface ServerWork {
  /** Plans the reversal of a run; the id of the plan, which waits for approval. */
  undo(run: ServerRun, by: Subject): Promise<Result<string>>;
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
