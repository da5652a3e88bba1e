import type { MergedPull } from '../../../forge/forge.ts';
import type { ForgeSettings } from '../../settings/server-settings.ts';

/** The API filters plans by addresses up to this length. */
const mostLength = 500;

/**
 * The page of the merged pull request that brought a commit; null if there is none. If several have the commit, it is the
 * one whose merge made it, then the one that was merged first. Open ones don't count: anyone can open one in a public
 * repository.
 */
export function mergedPullPage(pulls: readonly MergedPull[], forge: ForgeSettings): string | null {
  const [first] = pulls
    .flatMap(({ page: given, ...pull }) => {
      const page = readPage(given, forge);
      return page === undefined ? [] : [{ ...pull, page }];
    })
    .toSorted((a, b) => Number(b.isExact) - Number(a.isExact) || a.mergedAt - b.mergedAt);
  return first?.page ?? null;
}

/** An address of the forge's own pages, in ASCII. Undefined for anything else: people open it from the console. */
function readPage(given: string, { api, host }: ForgeSettings): string | undefined {
  const url = URL.parse(given);
  if (url === null || url.protocol !== 'https:') return undefined;
  if (![host, new URL(api).hostname.replace(/^api\./, '')].includes(url.hostname)) return undefined;
  const page = `${url.origin}${url.pathname}`;
  return page.length <= mostLength ? page : undefined;
}
