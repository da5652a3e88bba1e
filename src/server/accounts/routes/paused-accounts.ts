import type { ServerSettings } from '../../settings/server-settings.ts';
import { isInScope } from '../decisions/pauses.ts';
import type { PauseRecord } from '../records/pauses.ts';

type Configured = Pick<ServerSettings, 'accounts'>;

/** The pause of an account, if there is one: the account's own before wider ones. */
export function pauseFinder(
  pauses: readonly PauseRecord[],
  settings: Configured,
): (account: string) => PauseRecord | null {
  const ranked = pauses
    .map((pause) => ({ pause, names: new Set(coveredAccounts(pause.scope, settings)), rank: rankOf(pause) }))
    .sort((a, b) => a.rank - b.rank);
  return (account) => ranked.find(({ names }) => names.has(account))?.pause ?? null;
}

/** The names of all accounts that a pause covers. */
export function pausedNames(pauses: readonly PauseRecord[], settings: Configured): ReadonlySet<string> {
  return new Set(pauses.flatMap(({ scope }) => coveredAccounts(scope, settings)));
}

function rankOf({ scope }: PauseRecord): number {
  return scope === 'all' ? 2 : scope.startsWith('account:') ? 0 : 1;
}

/** The configured accounts of a scope: `account:contoso`, `where:region == "eu"`, or `all`. */
export function coveredAccounts(scope: string, { accounts }: Configured): readonly string[] {
  return accounts.filter((account) => isInScope(scope, account)).map(({ name }) => name);
}
