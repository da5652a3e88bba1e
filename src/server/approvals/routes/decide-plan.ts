import type { CallerIdentity } from '../../../api/access/grants.ts';
import type { PlanRow } from '../../../api/plans.ts';
import { ticketFault } from '../../../core/model/ticket-rule.ts';
import { failed, ok, type Result } from '../../../core/problem/problem.ts';
import { happen } from '../../accounts/rules/happen.ts';
import { afterCommit } from '../../http/after-commit.ts';
import { missing } from '../../http/api-answers.ts';
import { type Answered, type RouteCall, recordActWithin } from '../../http/route.ts';
import { toPlanRow } from '../../http/shapes.ts';
import type { PlanRecord } from '../../plans/records/plans.ts';
import { accountNamed } from '../../settings/configured-account.ts';
import type { Store } from '../../store/open-store.ts';
import type { ApprovalRequest, Approver } from '../decisions/approval.ts';
import { mayApprove } from '../decisions/may-approve.ts';
import { approversOf } from '../rules/approvers.ts';

/**
 * Records one approval or rejection. The approval that completes a plan adds its run in the same transaction. Without a
 * ticket, it is the one in the comment.
 */
export async function decidePlan(
  call: Pick<RouteCall, 'parts' | 'identity' | 'visible' | 'peer'>,
  id: string,
  asked: ApprovalRequest,
): Promise<Result<PlanRecord>> {
  const request = { ...asked, ticket: asked.ticket ?? ticketIn(asked.comment) };
  const { parts, identity, visible } = call;
  const { store } = parts;
  const record = await store.plans.find(id, visible);
  if (record === undefined) return failed(missing);
  const rule =
    request.decision === 'approved' ? accountNamed(parts.settings, record.account)?.ticket : undefined;
  const named =
    request.ticket ?? record.approvals.find((each) => typeof each.ticket === 'string')?.ticket ?? undefined;
  const fault = rule === undefined ? undefined : ticketFault(rule, named);
  if (fault !== undefined) return failed(fault);
  const decided = await happen(
    record.account,
    async () => ({
      kind: 'decided',
      plan: (await store.plans.find(id, 'all')) ?? record,
      approver: approverOf(identity, true),
      request,
    }),
    parts,
    { and: (own) => recordDecision(own, call, id, request) },
  );
  if (!decided.ok) return decided;
  if (decided.value.commands.some(({ kind }) => kind === 'queue-run'))
    await afterCommit(parts, () => parts.queue.send('run', [record.account]));
  return ok((await store.plans.find(id, visible)) ?? record);
}

/** The console has a comment only: `Ticket: CHG0001`. */
function ticketIn(comment: string | undefined): string | undefined {
  return /\bticket: *(\S+)/i.exec(comment ?? '')?.[1];
}

/** A decision that is not recorded is not made, and one that is not made is not recorded. */
async function recordDecision(
  own: Store,
  call: Pick<RouteCall, 'parts' | 'identity' | 'peer'>,
  id: string,
  { via, comment }: ApprovalRequest,
): Promise<Result<unknown>> {
  const { subject } = call.identity;
  const plan = await own.plans.find(id, 'all');
  const given = plan?.approvals.find(({ by }) => by.kind === subject.kind && by.id === subject.id);
  if (plan === undefined || given === undefined) return failed(missing);
  const covered = await own.covered.digestsOf(
    new Map([
      ['plan', [id]],
      ['approval', [`${id}/${subject.kind}:${subject.id}`]],
    ]),
  );
  if (!covered.ok) return covered;
  const kind =
    plan.state === 'rejected'
      ? 'plan-rejected'
      : plan.state === 'approved'
        ? 'plan-approved'
        : 'plan-approval-given';
  const what = {
    plan: id,
    account: plan.account,
    checksum: plan.checksum,
    approvals: given.numbers,
    ...(typeof given.ticket === 'string' ? { ticket: given.ticket } : {}),
    via,
    given: plan.approvals.filter((each) => each.decision === 'approved').length,
    required: plan.required.approvals,
    covers: Object.fromEntries(covered.value),
  };
  recordActWithin(own, call, kind, what, comment);
  return ok(null);
}

/** A plan with who may approve it, and whether the caller may. */
export function planRowFor(
  record: PlanRecord,
  { identity, may, parts: { clock, settings } }: Pick<RouteCall, 'identity' | 'may' | 'parts'>,
): Answered<PlanRow> {
  const approver = approverOf(identity, may('approve', record.account));
  const allowed = mayApprove(record, approver, clock.now());
  const account = accountNamed(settings, record.account);
  return toPlanRow(
    record,
    allowed.allowed ? { allowed: true } : { allowed: false, reason: allowed.reason },
    account === undefined ? [] : approversOf(settings, account),
  );
}

function approverOf({ subject, email }: CallerIdentity, isApprover: boolean): Approver {
  return { subject, email, isApprover };
}
