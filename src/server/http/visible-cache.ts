import type { ServerAction } from '../../api/access/action.ts';
import {
  type Grant,
  type LabeledAccount,
  mayDo,
  type Visible,
  visibleAccounts,
} from '../../api/access/grants.ts';

/** Answers of access for one set of accounts. Selectors over thousands of accounts are computed once for each caller. */
export interface AccessCache {
  visible(grants: readonly Grant[], action: ServerAction): Visible;
  may(grants: readonly Grant[], action: ServerAction, account: string | null): boolean;
}

/** The sets of grants that are remembered. */
const mostKept = 500;

/** `accounts` returns the same list until the configuration changes. */
export function createAccessCache(accounts: () => readonly LabeledAccount[]): AccessCache {
  let of: readonly LabeledAccount[] = [];
  let byName: ReadonlyMap<string, LabeledAccount> = new Map();
  const kept = new Map<string, Visible>();
  const refresh = () => {
    const now = accounts();
    if (now === of) return;
    of = now;
    byName = new Map(now.map((each) => [each.name, each]));
    kept.clear();
  };
  return {
    visible(grants, action) {
      refresh();
      const key = JSON.stringify([action, grants]);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const visible = visibleAccounts(grants, of, action);
      if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? '');
      kept.set(key, visible);
      return visible;
    },
    may(grants, action, account) {
      refresh();
      if (account === null) return mayDo(grants, action, null);
      // An account that is no longer in the configuration is shown to those who may do this everywhere.
      return mayDo(grants, action, byName.get(account) ?? null);
    },
  };
}
