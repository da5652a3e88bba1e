import { sql } from 'kysely';
import type { StoreDb } from '../../database/tables.ts';
import type { LaterChecks } from '../decisions/stored-plan.ts';
import { changePlans } from './propose-plan.ts';

/** Why a plan with approvals is kept, although a later check found another one. */
const keptReason = 'a later check found other changes, which wait for the next plan';

/** Records which part of an open plan with approvals is left after a later check. */
export async function writeKept(
  transaction: StoreDb,
  reported: ReadonlySet<string>,
  id: string,
  later: LaterChecks,
): Promise<void> {
  const reason = later.leftOut.length + later.authors.length === 0 ? undefined : keptReason;
  await sql`update rampart_server.plan set reason = null where id = ${id} and later is not null`.execute(
    transaction,
  );
  await changePlans(transaction, sql`plan.id = ${id}`, { later, reason }, reported);
}

/** Makes a plan that a check replaced the open one of its account again. */
export async function writeReopened(
  transaction: StoreDb,
  reported: ReadonlySet<string>,
  id: string,
  later: LaterChecks,
): Promise<void> {
  await sql`update rampart_server.plan set replaced_by = null where id = ${id}`.execute(transaction);
  const change = { state: 'waiting', later, reason: keptReason } as const;
  await changePlans(transaction, sql`plan.id = ${id}`, change, reported);
}
