import { printable } from '../../core/lib/printable.ts';
import type { Desired } from '../../core/model/desired.ts';
import { accountFactProblems } from '../../core/plan/intents/account-fact-problems.ts';
import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { createDesiredLoader, type DesiredLoader } from '../../input/load-desired.ts';
import type { Environment } from '../../service/client/proxy.ts';
import type { AccountConfig } from '../accounts/account-config.ts';
import type { ServerSettings } from '../settings/server-settings.ts';

/** The files of a source at one commit. */
export interface SourceFiles {
  readonly folder: string;
  /** Null for a folder that is no repository. */
  readonly commit: string | null;
  /** Who wrote the commit. */
  readonly author?: string | null;
}

export interface SourceReader {
  current(name: string): Promise<Result<SourceFiles>>;
}

/** The desired state of one account, and where it comes from. */
export interface LoadedDesired {
  readonly desired: Desired;
  readonly source: string;
  readonly commit: string | null;
  readonly author: string | null;
}

export interface DesiredStates {
  load(account: AccountConfig): Promise<Result<LoadedDesired>>;
}

/** How long the files of a folder without commits count as unchanged, in milliseconds. */
const folderMs = 10_000;

interface Loader {
  readonly key: string;
  readonly load: DesiredLoader;
}

/**
 * Loads desired states. What several accounts share at one commit is read and compiled once; what only one account has
 * is not kept after its check.
 */
export function createDesiredStates({
  settings,
  sources,
  env,
  now,
  onOutput,
}: {
  readonly settings: Pick<ServerSettings, 'accounts' | 'sources'>;
  readonly sources: SourceReader;
  readonly env: Environment;
  /** Milliseconds. */
  readonly now: () => number;
  /** Receives what scripts of a source print. */
  readonly onOutput?: (text: string) => void;
}): DesiredStates {
  const loaders = new Map<string, Loader>();
  const loaderOf = (source: string, { folder, commit }: SourceFiles): DesiredLoader => {
    const key = JSON.stringify([folder, commit ?? Math.floor(now() / folderMs)]);
    const known = loaders.get(source);
    if (known?.key === key) return known.load;
    const lists = settings.accounts
      .filter((account) => sourceOf(account, settings) === source)
      .map(({ files }) => files);
    const noScripts = settings.sources.find(({ name }) => name === source)?.allowsScripts !== true;
    const load = createDesiredLoader(
      {
        cwd: folder,
        env,
        onOutput: (text) => onOutput?.(printable(text)),
        ...(noScripts ? { noScripts: `the source "${source}" has no "scripts: true"` } : {}),
      },
      lists,
    );
    loaders.set(source, { key, load });
    return load;
  };
  return {
    async load(account) {
      const source = sourceOf(account, settings);
      if (source === undefined) return failed(noSource(account));
      const files = await sources.current(source);
      if (!files.ok) return files;
      const desired = await loaderOf(source, files.value)(account.files);
      if (!desired.ok) return desired;
      const problems = accountFactProblems(desired.value, account);
      if (problems.length > 0) return failed(...desired.problems, ...problems);
      const { commit, author = null } = files.value;
      return ok({ desired: desired.value, source, commit, author }, desired.problems);
    },
  };
}

/** The source that an account names, or the only one. */
export function sourceOf(
  { source }: AccountConfig,
  { sources }: Pick<ServerSettings, 'sources'>,
): string | undefined {
  return source ?? (sources.length === 1 ? sources[0]?.name : undefined);
}

function noSource({ name, place }: AccountConfig) {
  return problem('configuration', `the account "${name}" names no source, and there are several`, {
    place,
    hint: 'add "source" to the account',
  });
}
