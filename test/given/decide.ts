import type { Subject } from '../../src/api/access/grants.ts';
import { queueDecided } from '../../src/server/accounts/rules/carry-out.ts';
import { happen } from '../../src/server/accounts/rules/happen.ts';
import type { ApprovalRequest } from '../../src/server/approvals/decisions/approval.ts';
import type { PlanRecord } from '../../src/server/plans/records/plans.ts';
import type { JobParts } from '../../src/server/queue/rules/job-parts.ts';
import type { Store } from '../../src/server/store/open-store.ts';

/** Someone approves or rejects the plan that they have read; whether that counts. */
export async function decideAs(
  parts: JobParts,
  { id, account, checksum }: PlanRecord,
  by: Subject,
  given: Partial<Pick<ApprovalRequest, 'decision' | 'numbers' | 'via' | 'comment' | 'ticket'>> = {},
): Promise<boolean> {
  const request = { decision: 'approved', numbers: {}, via: 'console', ...given, checksum } as const;
  const approver = { subject: by, email: null, isApprover: true };
  const decided = await happen(
    account,
    async () => {
      const plan = await parts.store.plans.find(id, 'all');
      if (plan === undefined) throw new Error('no plan');
      return { kind: 'decided', plan, approver, request };
    },
    parts,
  );
  if (decided.ok) await queueDecided(new Map([[account, decided.value]]), parts);
  return decided.ok;
}

/** Closes the open plan of an account. */
export async function closePlan(
  { plans }: Pick<Store, 'plans'>,
  account: string,
  reason: string,
): Promise<PlanRecord | undefined> {
  const open = await plans.list({ visible: 'all', account, states: ['waiting', 'approved'] });
  const plan = open.ok ? open.value.items[0] : undefined;
  return plan && plans.move(plan.id, ['waiting', 'approved'], 'stale', reason);
}
