import type { AccountConfig } from '../../../accounts/config/account-config.ts';
import { checkAgain, readStoredPlan } from '../../../accounts/plans/read-stored-plan.ts';
import { quoted } from '../../../core/lib/words.ts';
import type { HostId } from '../../../core/model/observed.ts';
import { planChecksum } from '../../../core/plan/document/plan-document.ts';
import { acknowledge } from '../../../core/plan/guards/guard.ts';
import { operatorProblems } from '../../../core/plan/guards/operator.ts';
import { atTime, isTimeProblem } from '../../../core/plan/guards/time-problems.ts';
import type { Acks, Plan } from '../../../core/plan/types/plan.ts';
import { failed, hasErrors, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import { readOnlyOf } from '../../../service/client/read-only.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import type { ServerRun } from '../../runs/records/runs.ts';
import { closedWindow } from '../../runs/rules/run-windows.ts';
import type { PlanRecord } from '../records/plans.ts';

export interface ApprovedPlan {
  readonly record: PlanRecord;
  readonly plan: Plan;
  /** The plan as it is stored. */
  readonly document: string;
  /** The numbers that people approved. */
  readonly acks: Acks;
  /** Why hosts of the plan are left out, although they were approved. */
  readonly leftOut: readonly Problem[];
}

/** The stored plan of a run, if it is the approved one, and its approval is still valid. */
export async function readApprovedPlan(
  { plan: id, account }: Pick<ServerRun, 'plan' | 'account'>,
  { store }: Pick<JobParts, 'store'>,
): Promise<Result<ApprovedPlan>> {
  const record = id === null ? undefined : await store.plans.find(id, 'all');
  const text = record && (await store.plans.document(record.id, 'all'));
  if (record === undefined || text === undefined)
    return failed(problem('stale-plan', 'the plan of this run no longer exists', { hint: checkAgain }));
  if (record.account !== account)
    return failed(problem('other-account', `the plan ${record.id} belongs to another account`));
  if (record.state !== 'approved' && record.state !== 'running') {
    const why = record.reason === null ? '' : `: ${record.reason}`;
    return failed(problem('stale-plan', `the plan is ${record.state}${why}`, { hint: checkAgain }));
  }
  const plan = readStoredPlan(text, record.id);
  if (!plan.ok) return plan;
  const checksum = planChecksum(plan.value);
  if (checksum !== record.checksum)
    return failed(
      problem('not-approved', `this is not the approved plan: its checksum is ${checksum}`, {
        hint: checkAgain,
      }),
    );
  return ok({
    record,
    plan: plan.value,
    document: text,
    acks: acksOfApprovals(record),
    leftOut: leftOutOf(record),
  });
}

function leftOutOf({ later }: PlanRecord): readonly Problem[] {
  return (later?.leftOut ?? []).map((id) =>
    problem('stale-plan', `the latest check no longer found the approved change of ${quoted(id)}`, {
      hint: 'the next plan contains the remaining changes',
      hostIds: [id as HostId],
    }),
  );
}

/** A plan is approved only with exactly the numbers that it requires, by each person who approves it. */
export function acksOfApprovals({ approvals }: Pick<PlanRecord, 'approvals'>): Acks {
  return Object.fromEntries(
    approvals
      .filter(({ decision }) => decision === 'approved')
      .flatMap(({ numbers }) => Object.entries(numbers)),
  );
}

/**
 * Why the plan may not be applied now. A problem with the code `outside-window` or `frozen` passes with time; any other
 * one does not. An override lifts closed windows and freezes, and nothing else.
 */
export function refusalNow(
  approved: Pick<ApprovedPlan, 'plan' | 'acks'>,
  account: AccountConfig,
  parts: Pick<JobParts, 'clock' | 'env' | 'settings'>,
  override: ServerRun['override'],
): Problem | undefined {
  const lasting = lastingRefusal(approved, account, parts);
  if (lasting !== undefined || override !== null) return lasting;
  const now = new Date(parts.clock.now()).toISOString();
  return closedWindow(acknowledge(approved.plan, approved.acks), account, parts.settings, now);
}

/** Why the plan may not be applied, now or later, until a person changes something. */
export function lastingRefusal(
  { plan, acks }: Pick<ApprovedPlan, 'plan' | 'acks'>,
  account: AccountConfig,
  { clock, env }: Pick<JobParts, 'clock' | 'env'>,
): Problem | undefined {
  if (account.mode === 'observe')
    return problem('read-only', 'the account is in mode observe, so nothing was changed');
  if (readOnlyOf(env['RAMPART_READ_ONLY']) !== false)
    return problem('read-only', 'RAMPART_READ_ONLY is set, so nothing was changed');
  const now = new Date(clock.now()).toISOString();
  const acked = acknowledge(plan, acks);
  return [...atTime(acked, now).problems, ...operatorProblems(acked, account, now)].find(
    (each) => hasErrors([each]) && !isTimeProblem(each),
  );
}
