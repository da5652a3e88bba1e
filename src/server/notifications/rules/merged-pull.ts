import type { ForgeSettings } from '../../settings/server-settings.ts';

/** The API filters plans by addresses up to this length. */
const mostLength = 500;

interface Merged {
  readonly page: string;
  /** Whether merging it made the commit. */
  readonly isExact: boolean;
  readonly mergedAt: number;
}

/**
 * The page of the merged pull request that brought a commit, from the list of the forge; null if there is none. If several
 * have the commit, it is the one whose merge made it, then the one that was merged first. Open ones don't count: anyone can
 * open one in a public repository.
 */
export function mergedPullPage(
  list: readonly unknown[],
  commit: string,
  forge: ForgeSettings,
): string | null {
  const [first] = list
    .flatMap((each) => readMerged(each, commit, forge) ?? [])
    .toSorted((a, b) => Number(b.isExact) - Number(a.isExact) || a.mergedAt - b.mergedAt);
  return first?.page ?? null;
}

function readMerged(given: unknown, commit: string, forge: ForgeSettings): Merged | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const pull = given as Readonly<Record<string, unknown>>;
  const mergedAt = typeof pull['merged_at'] === 'string' ? Date.parse(pull['merged_at']) : Number.NaN;
  const page = readPage(pull[forge.kind === 'github' ? 'html_url' : 'web_url'], forge);
  if (Number.isNaN(mergedAt) || page === undefined) return undefined;
  // GitLab names a squashed commit and a fast-forward merge differently.
  const isExact = [pull['merge_commit_sha'], pull['squash_commit_sha'], pull['sha']].includes(commit);
  return { page, isExact, mergedAt };
}

/** An address of the forge's own pages, in ASCII. Undefined for anything else: people open it from the console. */
function readPage(given: unknown, { api, host }: ForgeSettings): string | undefined {
  const url = typeof given === 'string' ? URL.parse(given) : null;
  if (url === null || url.protocol !== 'https:') return undefined;
  if (![host, new URL(api).hostname.replace(/^api\./, '')].includes(url.hostname)) return undefined;
  const page = `${url.origin}${url.pathname}`;
  return page.length <= mostLength ? page : undefined;
}
