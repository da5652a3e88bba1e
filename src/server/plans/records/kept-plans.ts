import { sql } from 'kysely';
import type { StoreDb } from '../../database/tables.ts';
import type { LaterChecks, NewPlan, PlanRecord, PlanState } from './plan-record.ts';
import { changePlans, isOutdated } from './propose-plan.ts';

/** Why a plan with approvals stays, although a later check found another one. */
const keptReason = 'a later check found other changes, which wait for the next plan';

/** Whether a plan is as it was when it was read. */
const isStill = (state: PlanState, approvals: readonly unknown[]) => sql`plan.state = ${state}
  and (select count(*) from rampart_server.approval where approval.plan = plan.id) = ${approvals.length}`;

const reasonOf = ({ leftOut, authors }: LaterChecks) =>
  leftOut.length + authors.length === 0 ? undefined : keptReason;

/** An open plan as it was read, what is left of it, and the check that found that. */
export type LaterCheck = readonly [
  plan: PlanRecord,
  later: LaterChecks,
  check: Pick<NewPlan, 'beganAt' | 'tenant'>,
];

export async function writeKept(
  transaction: StoreDb,
  reported: ReadonlySet<string>,
  ...[{ id, account, state, approvals }, later, check]: LaterCheck
): Promise<PlanRecord | undefined> {
  await sql`update rampart_server.plan set reason = null where id = ${id} and ${isStill(state, approvals)}
    and later is not null`.execute(transaction);
  const [plan] = await changePlans(
    transaction,
    sql`plan.id = ${id} and ${isStill(state, approvals)} and not exists (
      select from rampart_server.account where name = ${account} and ${isOutdated(check)})`,
    { later, reason: reasonOf(later) },
    reported,
  );
  return plan;
}

export async function writeReopened(
  transaction: StoreDb,
  reported: ReadonlySet<string>,
  plan: PlanRecord,
  open: PlanRecord,
  later: LaterChecks,
): Promise<boolean> {
  const reason = 'someone approved the plan before it; the next check plans what that one does not have';
  const replaced = await changePlans(
    transaction,
    sql`plan.id = ${open.id} and ${isStill(open.state, open.approvals)}`,
    { state: 'stale', reason },
    reported,
  );
  if (replaced.length === 0) return false;
  const again = await changePlans(
    transaction,
    sql`plan.id = ${plan.id} and ${isStill(plan.state, plan.approvals)} and plan.expires_at > clock_timestamp()`,
    { state: 'waiting', later, reason: keptReason },
    reported,
  );
  await sql`update rampart_server.plan set replaced_by = null where id = ${plan.id}`.execute(transaction);
  return again.length > 0;
}
