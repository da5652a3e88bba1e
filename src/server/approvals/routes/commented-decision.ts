import type { ApprovalCommand } from '../../../accounts/approvals/read-command.ts';
import { type CallerIdentity, mayDo, toGrant } from '../../../api/access/grants.ts';
import { count, grouped } from '../../../core/lib/words.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import type { ForgeKind } from '../../../forge/forge.ts';
import type { ForgeUser } from '../../../forge/webhook.ts';
import { pagesOf } from '../../database/page.ts';
import type { PlanRecord } from '../../plans/records/plans.ts';
import type { ReviewerSettings, ServerSettings } from '../../settings/server-settings.ts';
import type { Store } from '../../store/open-store.ts';

/** An approval or rejection that someone wrote on a pull request. */
export interface CommentedDecision {
  readonly forge: ForgeKind;
  /** The source that the webhook belongs to. Only plans of this source can be decided. */
  readonly source: string;
  readonly command: ApprovalCommand;
  readonly author: ForgeUser;
  /** Who opened the pull request of the comment. */
  readonly opener: ForgeUser | null;
  /** The number of the pull request of the comment. */
  readonly pull: number | null;
}

export interface DecisionParts {
  readonly settings: Pick<ServerSettings, 'accounts' | 'reviewers'>;
  readonly store: Pick<Store, 'plans'>;
  /** Judges and records the decision, as for every other product. */
  readonly decide: (
    plan: PlanRecord,
    identity: CallerIdentity,
    visible: readonly string[],
    command: ApprovalCommand,
  ) => Promise<Result<PlanRecord>>;
}

/** A decision that was recorded. */
export interface Decided {
  /** For the person who commented, with the numbers of the plan. */
  readonly message: string;
  /** The id of the plan. */
  readonly plan: string;
}

const pageSize = 200;

/** Decides about the plans with the checksum, as the person to whom the settings map the user of the forge. */
export async function decideByComment(
  { forge, source, command, author, opener, pull }: CommentedDecision,
  { settings, store, decide }: DecisionParts,
): Promise<Result<Decided>> {
  const reviewer = reviewerOf(settings, forge, author);
  if (reviewer === undefined) return failed(noReviewer(author));
  const identity = identityOf(reviewer);
  const visible = settings.accounts
    .filter((account) => mayDo(identity.grants, 'approve', account))
    .map(({ name }) => name);
  const plan = await findPlan(store, { source, checksum: command.checksum, visible });
  if (plan === undefined) {
    return failed(
      problem('not-found', 'no plan with this checksum waits for your approval', {
        hint: 'copy the checksum from the plan that waits now',
      }),
    );
  }
  if (command.decision === 'approved' && plan.required.notAuthor) {
    if (opener?.id === author.id) return failed(ownPull);
    // Only a comment on the pull request itself shows who opened it.
    const { pullRequest } = plan;
    if (pullRequest !== null && !pullRequest.endsWith(`/${pull}`)) return failed(otherPull(pullRequest));
  }
  const decided = await decide(plan, identity, visible, command);
  if (!decided.ok) return decided;
  const words = `the plan of ${plan.account} is ${command.decision} by ${reviewer.name}`;
  return ok({ message: `${words}: ${standing(decided.value)}`, plan: plan.id });
}

const ownPull = problem(
  'not-approved',
  'you opened this pull request, and the author may not approve the plan',
  {
    hint: 'ask another approver',
  },
);

function otherPull(page: string): Problem {
  return problem('not-approved', 'the plan belongs to another pull request', { hint: `comment on ${page}` });
}

export function noReviewer({ login }: ForgeUser): Problem {
  return problem('forbidden', `the user ${login} is not a reviewer of this server`, {
    hint: 'an operator can add them under "reviewers" of "server"',
  });
}

/** What the plan changes, and what it still needs. */
function standing({ state, changes, irreversible, approvals, required }: PlanRecord): string {
  const all = `${count(changes, 'change')} (${grouped(irreversible)} irreversible)`;
  if (state === 'rejected') return `Rampart does not apply its ${all}`;
  const given = approvals.filter(({ decision }) => decision === 'approved').length;
  const numbers = required.numbers.map(({ limit, value }) => `, ${limit}=${value}`).join('');
  const next = state === 'waiting' ? `${given} of ${required.approvals} approvals` : 'its run is queued';
  return `${all}${numbers}, ${next}`;
}

/** The person to whom the settings map a user of a forge. */
export function reviewerOf(
  { reviewers }: Pick<ServerSettings, 'reviewers'>,
  forge: ForgeKind,
  user: ForgeUser,
): ReviewerSettings | undefined {
  return reviewers?.find((each) => isUser(each, forge, user));
}

/** A number means the user with this id, which does not change when the name goes to someone else. */
function isUser(reviewer: ReviewerSettings, forge: ForgeKind, { id, login }: ForgeUser): boolean {
  const user = reviewer[forge];
  if (user === undefined) return false;
  return /^\d+$/.test(user) ? user === String(id) : user.toLowerCase() === login.toLowerCase();
}

function identityOf({ id, name, email, where }: ReviewerSettings): CallerIdentity {
  return {
    subject: { kind: 'person', id, name },
    email,
    grants: [toGrant({ role: 'approver', where })],
    csrf: null,
    expiresAt: null,
  };
}

async function findPlan(
  { plans }: Pick<Store, 'plans'>,
  { source, checksum, visible }: { source: string; checksum: string; visible: readonly string[] },
): Promise<PlanRecord | undefined> {
  const query = { visible, source, states: ['waiting', 'stale'], limit: pageSize } as const;
  for await (const page of pagesOf((cursor) => plans.list({ ...query, cursor }))) {
    if (!page.ok) return undefined;
    // A plan that a check replaced can be approved for the changes that the open plan has too.
    const found = page.value.find(
      (plan) => plan.checksum === checksum && (plan.state !== 'stale' || plan.replacedBy !== null),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
