import type { Store } from '../../../src/server/store/open-store.ts';
import { rowsOf } from './table.ts';
import type { Tables } from './tables.ts';

export function ignoresIn(
  { ignores, accounts }: Tables,
  now: () => number,
): Pick<Store['ignores'], 'of' | 'ended' | 'add'> {
  return {
    of: async (account) =>
      rowsOf(ignores).filter((each) => each.account === account && each.until.getTime() > now()),
    async ended() {
      const over = rowsOf(ignores).filter(({ account, until }) => {
        const checkedAt = accounts.get(account)?.lastCheckAt ?? null;
        return until.getTime() <= now() && checkedAt !== null && until > checkedAt;
      });
      return [...new Set(over.map(({ account }) => account))].toSorted();
    },
    async add({ account, differences, cause, until }) {
      const drift = [...(accounts.get(account)?.drift.values() ?? [])].filter(
        ({ cause: of, hostId, attribute }) =>
          differences === undefined
            ? of === cause
            : differences.some((each) => hostId === each.hostId && attribute === each.attribute),
      );
      for (const { hostId, attribute, live } of drift)
        ignores.set(`${account} ${hostId} ${attribute}`, { account, hostId, attribute, live, until });
      return drift.length;
    },
  };
}
