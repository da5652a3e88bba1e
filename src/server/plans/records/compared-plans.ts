import { sql } from 'kysely';
import type { Visible } from '../../../api/access/grants.ts';
import { type PlanShape, planShapeSchema } from '../../../core/plan/plan-shape.ts';
import type { StandingFailure } from '../../accounts/decisions/account-state.ts';
import { ifGiven, type StoreDb, statesOfOpenPlans, visibleRows } from '../../database/query.ts';
import { type PlanRecord, planColumns, type StoredPlanRow, toPlan } from './plan-record.ts';

export interface ComparedQuery {
  readonly visible: Visible;
  readonly accounts?: readonly string[] | undefined;
  readonly cause?: string | undefined;
}

/** An account, with its open plan if it has one. */
export interface ComparedAccount {
  readonly name: string;
  readonly companyId: string | null;
  readonly mode: string;
  readonly failure: StandingFailure | null;
  readonly plan: PlanRecord | null;
  /** What the plan changes. Null if there is no plan, or it can't be read. */
  readonly shape: PlanShape | null;
}

type ComparedRow = Omit<ComparedAccount, 'plan' | 'shape'> & {
  readonly review: unknown;
} & (StoredPlanRow | { readonly id: null });

/** By name. */
export async function readCompared(
  db: StoreDb,
  { visible, accounts, cause }: ComparedQuery,
): Promise<readonly ComparedAccount[]> {
  const { rows } = await sql<ComparedRow>`
    select found.name, found.company_id as "companyId", found.mode, found.failure, plan.review, ${planColumns}
    from rampart_server.account as found left join rampart_server.plan
      on plan.account = found.name and plan.state in (${statesOfOpenPlans})
    where found.removed_at is null and ${visibleRows(visible, sql`found.name`)}
      and ${ifGiven(accounts, (names) => sql`found.name = any(${names}::text[])`)}
      and ${ifGiven(cause, (id) => sql`found.name in (select account from rampart_server.account_cause where cause = ${id})`)}
    order by found.name
  `.execute(db);
  return rows.map(({ name, companyId, mode, failure, review, ...plan }) => {
    const { data: shape = null } = planShapeSchema.safeParse(review);
    return { name, companyId, mode, failure, shape, plan: plan.id === null ? null : toPlan(plan) };
  });
}
