import { join } from 'node:path';
import { sha256Hex } from '../../core/lib/hash.ts';
import type { Account } from '../../core/model/account.ts';

/** The path of an account's inventory: one file, whose name does not reveal the account. */
export function inventoryCachePath(stateDir: string, { service, companyId }: Account): string {
  const key = sha256Hex(`${service}\n${companyId ?? ''}`).slice(0, 16);
  return join(stateDir, `inventory-${key}.sqlite`);
}
