import type { AccountConfig } from '../../../accounts/config/account-config.ts';
import { batchCalls } from '../../../core/lib/batch-calls.ts';
import { printable } from '../../../core/lib/printable.ts';
import type { Clock } from '../../../core/lib/surroundings.ts';
import type { Desired } from '../../../core/model/desired.ts';
import { accountFactProblems } from '../../../core/plan/intents/account-fact-problems.ts';
import { failed, ok, type Result } from '../../../core/problem/problem.ts';
import { createDesiredLoader, type DesiredLoader } from '../../../input/load-desired.ts';
import { sourceOf } from '../../settings/configured-account.ts';
import type { ServerSettings } from '../../settings/server-settings.ts';
import type { Store } from '../../store/open-store.ts';
import type { ServedSources } from './open-sources.ts';
import type { SharedRead, SharedRegisters } from './shared-registers.ts';
import type { SourceSnapshot } from './snapshot.ts';
import { snapshotPaths } from './snapshot-paths.ts';

/** The desired state of one account, and its source. */
export interface LoadedDesired {
  readonly desired: Desired;
  readonly source: string;
  readonly commit: string;
  readonly author: string | null;
}

/** The files of the desired state of one account at a commit, for readers outside this process. */
export interface DesiredFiles {
  readonly source: string;
  readonly commit: string;
  /** The folder of the source. */
  readonly folder: string;
  /** Relative to the folder. */
  readonly paths: readonly string[];
  /** Why no script may run; absent if scripts may run. */
  readonly noScripts?: { readonly why: string; readonly hint: string };
}

export interface DesiredStates {
  /** At an earlier commit if one is given. */
  load(account: AccountConfig, commit?: string): Promise<Result<LoadedDesired>>;
  /** The same without reading the files. */
  locate(account: AccountConfig, commit?: string): Promise<Result<DesiredFiles>>;
  /** Reads a register for the desired states of a source. */
  readonly register: SharedRegisters;
}

export interface DesiredStatesParts {
  readonly settings: Pick<ServerSettings, 'accounts' | 'sources'>;
  readonly sources: Pick<ServedSources, 'current' | 'at' | 'refresh'>;
  readonly store: Pick<Store, 'sources'>;
  readonly registers: SharedRegisters;
  readonly clock: Pick<Clock, 'now'>;
  /** Receives what scripts print. */
  readonly onOutput?: (text: string) => void;
}

/**
 * Loads desired states at the commits that all servers have agreed on. What several accounts share at one commit is read
 * and compiled once, until a register in it is read again; what only one account has is not kept after its check.
 */
export function createDesiredStates(parts: DesiredStatesParts): DesiredStates {
  const { settings } = parts;
  const snapshotOf = latestSnapshots(parts);
  const loaders = new Map<string, SourceLoader>();
  const loaderOf = (snapshot: SourceSnapshot): DesiredLoader => {
    const { source, commit } = snapshot;
    const known = loaders.get(source);
    if (known?.commit === commit && parts.clock.now() < known.until()) return known.load;
    const loader = createLoader(snapshot, parts);
    loaders.set(source, loader);
    return loader.load;
  };
  const find = async (account: AccountConfig, commit?: string) => {
    const source = sourceOf(settings, account).name;
    const snapshot = await (commit === undefined ? snapshotOf(source) : parts.sources.at(source, commit));
    if (!snapshot.ok) return snapshot;
    const paths = snapshotPaths(snapshot.value, account.files);
    return paths.ok ? ok({ snapshot: snapshot.value, paths: paths.value }) : paths;
  };
  return {
    async load(account, version) {
      const found = await find(account, version);
      if (!found.ok) return found;
      const { snapshot, paths } = found.value;
      // The loader of an earlier commit would replace the one that every check uses.
      const load = version === undefined ? loaderOf(snapshot) : createLoader(snapshot, parts).load;
      const desired = await load(paths);
      if (!desired.ok) return desired;
      const problems = accountFactProblems(desired.value, account);
      if (problems.length > 0) return failed(...desired.problems, ...problems);
      const { source, commit, author } = snapshot;
      return ok({ desired: desired.value, source, commit, author }, desired.problems);
    },
    async locate(account, version) {
      const found = await find(account, version);
      if (!found.ok) return found;
      const { snapshot, paths } = found.value;
      const { source, commit, folder } = snapshot;
      return ok({ source, commit, folder, paths, ...scriptRuleOf(source, settings) });
    },
    register: parts.registers,
  };
}

/** Scripts of a source run only if the operator allows it. */
function scriptRuleOf(
  source: string,
  { sources }: Pick<ServerSettings, 'sources'>,
): Pick<DesiredFiles, 'noScripts'> {
  if (sources.find(({ name }) => name === source)?.allowsScripts === true) return {};
  return {
    noScripts: {
      why: `the source "${source}" does not allow scripts`,
      hint: 'or set scripts: true for the source in rampart.config.yaml',
    },
  };
}

/** Reads the desired states of a source at one commit. */
interface SourceLoader {
  readonly commit: string;
  readonly load: DesiredLoader;
  /** The time of the next read of a register that was read before. */
  until(): number;
}

function createLoader(
  snapshot: SourceSnapshot,
  { settings, registers, onOutput = () => {} }: DesiredStatesParts,
): SourceLoader {
  const { source, folder, commit } = snapshot;
  const reads: SharedRead[] = [];
  const lists = settings.accounts.flatMap((account) => {
    const files =
      sourceOf(settings, account).name === source ? snapshotPaths(snapshot, account.files) : undefined;
    return files?.ok === true ? [files.value] : [];
  });
  const load = createDesiredLoader(
    {
      cwd: folder,
      onOutput: (text) => onOutput(printable(text)),
      ...scriptRuleOf(source, settings),
      fetchRegister(request) {
        const read = registers(source, request);
        reads.push(read);
        return read.content;
      },
    },
    lists,
  );
  return { commit, load, until: () => Math.min(...reads.map(({ until }) => until())) };
}

/** The snapshot of each source at the commit in the store, whichever server found it. */
function latestSnapshots({ sources, store }: DesiredStatesParts) {
  // A check that a new commit requested must see this commit, so a read that began before the question does not count.
  const commitOf = batchCalls(async (names: readonly string[]) => {
    const rows = await store.sources.list();
    const commits = new Map(rows.map(({ name, commit }) => [name, commit]));
    return names.map((name) => commits.get(name));
  });
  return async (name: string): Promise<Result<SourceSnapshot>> => {
    const commit = await commitOf(name);
    const current = sources.current(name);
    if (current !== undefined && current.commit === commit) return ok(current);
    if (commit !== undefined && commit !== null) return sources.at(name, commit);
    const found = await sources.refresh(name);
    if (found.ok) await store.sources.fetched(name, found.value.commit);
    return found;
  };
}
