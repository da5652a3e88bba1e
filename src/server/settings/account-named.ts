import type { AccountConfig } from '../../accounts/config/account-config.ts';
import type { ServerSettings } from './server-settings.ts';

const indexes = new WeakMap<readonly AccountConfig[], ReadonlyMap<string, AccountConfig>>();

/** The account of a configuration that has a name. Each check asks, and a configuration may have thousands of accounts. */
export function accountNamed(
  { accounts }: Pick<ServerSettings, 'accounts'>,
  name: string,
): AccountConfig | undefined {
  const index = indexes.get(accounts) ?? new Map(accounts.map((account) => [account.name, account]));
  indexes.set(accounts, index);
  return index.get(name);
}
