import { useCallback, useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';

/** Changes of parameters: null and '' remove one, an array sets it several times. */
export type Changes = Readonly<Record<string, string | readonly string[] | null>>;

export interface PageAddress {
  readonly path: string;
  readonly params: URLSearchParams;
  /** The value of a parameter, or ''. */
  readonly get: (name: string) => string;
  /** The address of this page with other parameters. */
  readonly with: (changes: Changes) => string;
  /** Goes to this page with other parameters. A step back returns to the earlier ones only with `push`. */
  readonly set: (changes: Changes, how?: 'replace' | 'push') => void;
  readonly go: (address: string, how?: 'replace' | 'push') => void;
}

/** The state of a page, which its address holds, so that a link shows what its sender saw. */
export function useAddress(): PageAddress {
  const { url, route } = useLocation();
  const { pathname, searchParams } = useMemo(() => new URL(url, location.origin), [url]);
  const withChanges = useCallback(
    (changes: Changes) => addressWith(pathname, searchParams, changes),
    [pathname, searchParams],
  );
  return useMemo(
    () => ({
      path: pathname,
      params: searchParams,
      get: (name: string) => searchParams.get(name) ?? '',
      with: withChanges,
      set: (changes: Changes, how: 'replace' | 'push' = 'replace') =>
        route(withChanges(changes), how === 'replace'),
      go: (address: string, how: 'replace' | 'push' = 'push') => route(address, how === 'replace'),
    }),
    [pathname, searchParams, withChanges, route],
  );
}

/** The filters of a list in the address: their values, how many are set, and the changes that remove them. */
export function filtersOf<Name extends string>(get: PageAddress['get'], names: readonly Name[]) {
  const query = Object.fromEntries(names.map((name) => [name, get(name)])) as Record<Name, string>;
  const none: Changes = Object.fromEntries(names.map((name) => [name, null]));
  return { query, none, chosen: names.filter((name) => get(name) !== '').length };
}

/** A path with parameters, in a stable order and without empty ones. */
function addressWith(path: string, params: URLSearchParams, changes: Changes): string {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    for (const each of typeof value === 'string' ? [value] : (value ?? []))
      if (each !== '') next.append(name, each);
  }
  const query = next.toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Addresses of the console's pages. */
export const consoleAddress = {
  overview: () => '/',
  causes: () => '/causes',
  accounts: (changes: Changes = {}) => addressWith('/accounts', new URLSearchParams(), changes),
  account: (name: string, changes: Changes = {}) =>
    addressWith(`/accounts/${inPath(name)}`, new URLSearchParams(), changes),
  hosts: (changes: Changes = {}) => addressWith('/hosts', new URLSearchParams(), changes),
  /** From chosen hosts to a change of their desired state. */
  propose: (changes: Changes) => addressWith('/propose', new URLSearchParams(), changes),
  host: (account: string, id: string) => `/accounts/${inPath(account)}/hosts/${inPath(id)}`,
  /** A change has the id of its plan. */
  change: (id: string, changes: Changes = {}) =>
    addressWith(`/changes/${inPath(id)}`, new URLSearchParams(), changes),
  /** Leads to the change of a run. */
  run: (id: string) => `/runs/${inPath(id)}`,
  approvals: (changes: Changes = {}) => addressWith('/approvals', new URLSearchParams(), changes),
  /** The changes of a commit or a pull request, in any state. */
  changesOf: (origin: string) => consoleAddress.approvals({ state: 'all', q: origin }),
  rollouts: () => '/rollouts',
  /** Plans that are reviewed together: those of the chosen accounts, or of a cause. */
  newRollout: (changes: Changes = {}) => addressWith('/rollouts/new', new URLSearchParams(), changes),
  rollout: (id: string) => `/rollouts/${inPath(id)}`,
  audit: (changes: Changes = {}) => addressWith('/audit', new URLSearchParams(), changes),
  settings: () => '/settings',
  welcome: () => '/welcome',
} as const;

/** One part of a path. Half a character, which a name of a service may have, has no encoding. */
function inPath(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
