import type { AccountConfig } from '../../accounts/config/account-config.ts';
import type { Environment } from '../../core/lib/surroundings.ts';
import { bareAddress } from '../../core/model/account.ts';
import type { ServerSettings, SourceSettings } from './server-settings.ts';

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

/** The source that has the files of an account: the one that it names, or the only one. Settings without it are refused. */
export function sourceOf(
  { sources }: Pick<ServerSettings, 'sources'>,
  { source }: Pick<AccountConfig, 'source'>,
): SourceSettings {
  const found = source === undefined ? sources[0] : sources.find(({ name }) => name === source);
  if (found === undefined) throw new Error('the settings have a source for each account');
  return found;
}

/** The address of an account's service: its own, or that of the environment. Empty if there is none. */
export function toService({ baseUrl }: Pick<AccountConfig, 'baseUrl'>, env: Environment): string {
  const url = URL.parse(baseUrl ?? env['RAMPART_BASE_URL'] ?? '');
  return url === null ? '' : bareAddress(url);
}

/** The tenant that has the name of an account in the configuration, in the form that the store uses. */
export function toTenant(account: Pick<AccountConfig, 'baseUrl' | 'companyId'>, env: Environment) {
  return { companyId: account.companyId ?? null, service: toService(account, env) };
}
