import { type RawBuilder, sql } from 'kysely';

/** The tenant of an account at which service, according to the configuration of one server. */
export interface Tenant {
  readonly companyId: string | null;
  /** The address of the service. */
  readonly service: string;
}

/** Whether an account of the store still is that tenant's. A newer configuration may have given its name to another one. */
export function isTenantOf(tenant: Tenant | undefined): RawBuilder<boolean> {
  if (tenant === undefined) return sql`true`;
  return sql`(account.service = ${tenant.service} and account.company_id is not distinct from ${tenant.companyId}::text)`;
}
