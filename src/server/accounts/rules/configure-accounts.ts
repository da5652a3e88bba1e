import { equalAccounts } from '../../../core/model/account.ts';
import type { ConfiguredAccount } from '../records/account-record.ts';
import { type HappenParts, happen } from './happen.ts';

/**
 * Makes the accounts of the store those of the configuration. The plan of a removed account is decided about in the
 * same transaction, so that no check adds another one.
 */
export function configureAccounts(
  configured: readonly ConfiguredAccount[],
  parts: HappenParts,
): Promise<void> {
  const next = new Map(configured.map((each) => [each.name, each]));
  return parts.store.transaction(async (store) => {
    const schedules = await store.accounts.schedules();
    const known = await Promise.all(schedules.map(({ name }) => store.accounts.find(name, 'all')));
    for (const account of known) {
      if (account === undefined) continue;
      const { name } = account;
      const given = next.get(name);
      if (given !== undefined && equalAccounts(given, account)) continue;
      await happen(name, { kind: given === undefined ? 'removed' : 'given-away' }, { ...parts, store });
    }
    return store.accounts.sync(configured);
  });
}
