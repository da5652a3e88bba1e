import type { Requirements } from '../../../accounts/approvals/requirements.ts';
import type { Identity } from '../../../api/access/identity.ts';
import type { PlanRow } from '../../../api/plans.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import { afterCommit } from '../../http/after-commit.ts';
import { missing } from '../../http/api-answers.ts';
import { recordActWithin } from '../../http/record-act.ts';
import type { Call } from '../../http/route.ts';
import { time } from '../../http/shapes.ts';
import type { PlanRecord } from '../../plans/records/plans.ts';
import { reopenPlan } from '../../plans/rules/reopen-plan.ts';
import { allOrNothing } from '../../store/all-or-nothing.ts';
import type { ApprovablePlan, Approval, ApprovalDoor, Approver } from '../decisions/approval.ts';
import { type Decided, decide, judge } from '../decisions/decide.ts';
import { mayApprove } from '../decisions/may-approve.ts';

export interface PlanDecision {
  readonly decision: Approval['decision'];
  readonly checksum: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly comment?: string | undefined;
}

/** Records one approval or rejection. The approval that completes a plan queues its run in the same transaction. */
export async function decidePlan(
  call: Pick<Call, 'parts' | 'identity' | 'visible' | 'peer'>,
  id: string,
  via: ApprovalDoor,
  { decision, checksum, numbers, comment }: PlanDecision,
): Promise<Result<PlanRecord>> {
  const { parts, identity, visible } = call;
  const { store, clock } = parts;
  const record = await store.plans.find(id, visible);
  if (record === undefined) return failed(missing);
  const judged = judgePlan(record, identity, { decision, checksum, numbers, comment, via }, clock.now());
  if (!judged.ok) return judged;

  const requirements = requirementsFor(record);
  const { approval } = judged.value;
  const decided = await allOrNothing(store, async (inside): Promise<Result<PlanRecord>> => {
    const { at: _at, checksum: _checksum, comment: words = null, ...rest } = approval;
    if (record.state === 'stale' && !(await reopenPlan(record, inside))) return failed(nothingLeft(record));
    const after = await inside.plans.decide(id, checksum, { ...rest, comment: words });
    if (after === undefined) return failed(changedMeanwhile);
    const state = decide(requirements, approvalsOf(after), after.checksum);
    const reason = state === 'rejected' ? (words ?? undefined) : undefined;
    const plan = state === 'waiting' ? after : await inside.plans.move(id, ['waiting'], state, reason);
    if (plan === undefined) return failed(changedMeanwhile);
    const covered = await inside.covered.digestsOf(
      new Map([
        ['plan', [id]],
        ['approval', [`${id}/${identity.subject.kind}:${identity.subject.id}`]],
      ]),
    );
    if (!covered.ok) return covered;
    // A decision that is not recorded is not made, and one that is not made is not recorded.
    await recordActWithin(
      inside,
      call,
      auditKinds[state],
      {
        plan: id,
        account: after.account,
        checksum,
        approvals: approval.numbers,
        via,
        given: after.approvals.filter((each) => each.decision === 'approved').length,
        required: requirements.approvals,
        covers: Object.fromEntries(covered.value),
      },
      comment,
    );
    return ok(plan);
  });
  if (!decided.ok) {
    // Of several people who decide at once, one may be too late: that person learns what the others decided.
    const now = decided.problems.includes(changedMeanwhile) && (await store.plans.find(id, visible));
    const again = now && judgePlan(now, identity, { decision, checksum, numbers, comment, via }, clock.now());
    return again && !again.ok ? again : decided;
  }
  if (decided.value.state === 'approved')
    await afterCommit(parts, () => parts.work.run(decided.value, identity.subject));
  return ok((await afterCommit(parts, () => store.plans.find(id, visible))) ?? decided.value);
}

/** What a decision that was recorded means for the plan. */
const auditKinds = {
  waiting: 'plan-approval-given',
  approved: 'plan-approved',
  rejected: 'plan-rejected',
} as const;

const changedMeanwhile = problem('stale-plan', 'the plan has changed meanwhile', {
  hint: 'read it again, then decide again',
});

function nothingLeft({ replacedBy }: PlanRecord): Problem {
  return problem('stale-plan', 'the latest check found none of these changes, or requires more approvals', {
    hint: replacedBy === null ? 'wait for the next check' : `review the newer plan ${replacedBy}`,
  });
}

/** What a decision would mean, without recording it. The caller has checked the role. */
export function judgePlan(
  record: PlanRecord,
  identity: Identity,
  { decision, checksum, numbers, comment, via }: PlanDecision & { readonly via: ApprovalDoor },
  now: number,
): Result<Decided> {
  return judge(
    toApprovable(record, requirementsFor(record)),
    approverOf(identity, true),
    { decision, checksum, numbers, via, ...(comment === undefined ? {} : { comment }) },
    new Date(now).toISOString(),
  );
}

/** Whether the caller may approve a plan. */
export function permissionOf(
  record: PlanRecord,
  identity: Identity,
  isApprover: boolean,
  now: number,
): PlanRow['may_approve'] {
  const may = mayApprove(
    toApprovable(record, requirementsFor(record)),
    approverOf(identity, isApprover),
    new Date(now).toISOString(),
  );
  return may.allowed ? { allowed: true } : { allowed: false, reason: may.reason };
}

/** The requirements that were saved with the plan. */
function requirementsFor({ required, expiresAt }: PlanRecord): Requirements {
  const { approvals, notAuthor, numbers, blocked = null, earlierAuthors = [] } = required;
  return {
    approvals,
    notAuthor,
    numbers: numbers as Requirements['numbers'],
    expiresAt: time(expiresAt),
    blocked,
    earlierAuthors,
  };
}

function toApprovable(record: PlanRecord, requirements: Requirements): ApprovablePlan {
  const { checksum, state, reason, replacedBy, author } = record;
  return { checksum, state, reason, replacedBy, author, requirements, approvals: approvalsOf(record) };
}

function approvalsOf({ approvals, checksum }: PlanRecord): readonly Approval[] {
  return approvals.map(({ at, comment, ...rest }) => ({
    ...rest,
    at: time(at),
    checksum,
    ...(comment === null ? {} : { comment }),
  }));
}

function approverOf({ subject, email }: Identity, isApprover: boolean): Approver {
  return { subject, email, isApprover };
}
