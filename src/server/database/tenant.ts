import { type RawBuilder, sql } from 'kysely';
import type { Account } from '../../core/model/account.ts';

/** Whether an account of the store still is that tenant's. A newer configuration may have given its name to another one. */
export function isTenantOf(tenant: Account | undefined): RawBuilder<boolean> {
  if (tenant === undefined) return sql`true`;
  return sql`(account.service = ${tenant.service} and account.company_id is not distinct from ${tenant.companyId}::text)`;
}
