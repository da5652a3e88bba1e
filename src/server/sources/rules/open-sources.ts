import { join } from 'node:path';
import type { Clock, SecretReader } from '../../../core/lib/surroundings.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import { makeFolder } from '../../../run/state/files/replace-file.ts';
import type { AllowedAddress } from '../../../service/client/address-rules.ts';
import { systemClock } from '../../../service/client/system-clock.ts';
import { readSecret } from '../../settings/read-secret.ts';
import type { FolderSource, GitSource, SourceSettings } from '../../settings/server-settings.ts';
import { type CopiedFolder, type FolderListing, listFolder, writeFolder } from './copy-folder.ts';
import { openGitAddress } from './git-address.ts';
import type { GitRemote } from './git-remote.ts';
import { findRemoteCommit, type RemoteCommit, writeCommit } from './git-repository.ts';
import { openSnapshots, type SnapshotFolder, type SourceSnapshot, touchSnapshot } from './snapshot.ts';
import { type SourceLimits, usualLimits } from './source-limits.ts';

export interface SourcesOptions extends SecretReader {
  /** The data folder of the server, absolute. */
  readonly data: string;
  /** Hosts and networks that are not public and may be reached nevertheless. */
  readonly allow: readonly AllowedAddress[];
  readonly limits?: Partial<SourceLimits>;
  /** That of the machine if absent. */
  readonly clock?: Clock;
}

/** The desired states that the server reads. No method rejects. */
export interface ServedSources {
  /** Looks for a new commit now. Calls at the same time for one source share one look. */
  refresh(name: string, signal?: AbortSignal): Promise<Result<SourceSnapshot>>;
  /** The snapshot of a commit that another process may have found; fetched if it is not on this machine. */
  at(name: string, commit: string): Promise<Result<SourceSnapshot>>;
  /** The result of the latest successful fetch of this process. It is still used while the remote fails. */
  current(name: string): SourceSnapshot | undefined;
  /** Removes snapshots that are neither recent nor in `kept`, such as the commits of waiting plans. */
  prune(name: string, kept: readonly string[]): readonly string[];
}

/** How many snapshots of a source are kept, in addition to those in use. */
const keptSnapshots = 5;

export function openServerSources(
  settings: readonly SourceSettings[],
  options: SourcesOptions,
): ServedSources {
  const opened = new Map(settings.map((source) => [source.name, openSource(source, options)]));
  const unknown = (name: string) =>
    failed(
      problem('configuration', `there is no source "${name}"`, {
        hint: `the sources are ${[...opened.keys()].join(', ') || 'none'}`,
      }),
    );
  return {
    refresh: async (name, signal) => opened.get(name)?.refresh(signal) ?? unknown(name),
    at: async (name, commit) => opened.get(name)?.at(commit) ?? unknown(name),
    current: (name) => opened.get(name)?.current(),
    prune: (name, kept) => opened.get(name)?.prune(kept) ?? [],
  };
}

interface OpenSource {
  refresh(signal?: AbortSignal): Promise<Result<SourceSnapshot>>;
  at(commit: string): Promise<Result<SourceSnapshot>>;
  current(): SourceSnapshot | undefined;
  prune(kept: readonly string[]): readonly string[];
}

function openSource(source: SourceSettings, options: SourcesOptions): OpenSource {
  const snapshots = openSnapshots(source.name, join(options.data, 'sources', source.name));
  let current: SourceSnapshot | undefined;
  let looking: Promise<Result<SourceSnapshot>> | undefined;
  const fetching = new Map<string, Promise<Result<SourceSnapshot>>>();
  const look =
    source.kind === 'folder'
      ? folderLook(source, snapshots, options)
      : async (signal?: AbortSignal) => gitLook(source, snapshots, options, { signal });
  const refresh = async (signal?: AbortSignal) => {
    const found = await look(signal);
    if (found.ok) {
      current = found.value;
      touchSnapshot(found.value, Date.now());
    }
    return found;
  };
  return {
    refresh(signal) {
      looking ??= refresh(signal).finally(() => (looking = undefined));
      return looking;
    },
    async at(commit) {
      const found = snapshots.find(commit);
      if (found !== undefined) return ok(found);
      if (source.kind === 'git') {
        const fetch =
          fetching.get(commit) ??
          gitLook(source, snapshots, options, { signal: undefined, commit }).finally(() =>
            fetching.delete(commit),
          );
        fetching.set(commit, fetch);
        return fetch;
      }
      const again = await this.refresh();
      if (!again.ok || again.value.commit === commit) return again;
      return failed(
        problem(
          'stale-plan',
          `the folder of the source "${source.name}" has changed since the servers agreed on its content`,
          {
            hint: 'wait for the next check; if this lasts, let all servers and workers read the same folder',
          },
        ),
      );
    },
    current: () => current,
    prune: (kept) => {
      const all = new Set([...kept, ...(current === undefined ? [] : [current.commit])]);
      return snapshots.prune(all, keptSnapshots);
    },
  };
}

function folderLook(source: FolderSource, snapshots: SnapshotFolder, options: SourcesOptions) {
  const copied = {
    name: source.name,
    folder: source.folder,
    without: [options.data],
    limits: { ...usualLimits, ...options.limits },
  };
  let latest: { readonly mark: string; readonly commit: string } | undefined;
  return async (): Promise<Result<SourceSnapshot>> => {
    const listed = await listSettled(copied, options.clock);
    if (!listed.ok) return listed;
    const known = latest?.mark === listed.value.mark ? snapshots.find(latest.commit) : undefined;
    if (known !== undefined) return ok(known);
    const made = await snapshots.create(async (folder) => writeFolder(copied, listed.value, folder));
    if (made.ok) latest = { mark: listed.value.mark, commit: made.value.commit };
    return made;
  };
}

/** How long nothing in a folder must have changed before it is copied, and how often that is awaited. */
const quietMs = 200;
const mostWaits = 25;

/** Lists a folder when nobody writes to it: a file that is being written may be valid without its end. */
async function listSettled(source: CopiedFolder, clock: Clock = systemClock): Promise<Result<FolderListing>> {
  let listed = listFolder(source);
  for (let waits = 0; listed.ok && waits < mostWaits; waits += 1) {
    // The clock of a file server may be ahead.
    const leftMs = Math.min(quietMs, listed.value.changedAt + quietMs - clock.now());
    if (leftMs <= 0) break;
    await clock.sleep(leftMs);
    listed = listFolder(source);
  }
  return listed;
}

interface GitLook {
  readonly signal: AbortSignal | undefined;
  /** Absent: the commit of the ref. */
  readonly commit?: string;
}

async function gitLook(
  source: GitSource,
  snapshots: SnapshotFolder,
  options: SourcesOptions,
  { signal, commit }: GitLook,
): Promise<Result<SourceSnapshot>> {
  const limits = { ...usualLimits, ...options.limits };
  const deadline = performance.now() + limits.timeMs;
  const token = source.token && readSecret(source.token, `the token of the source "${source.name}"`, options);
  if (token?.ok === false) return token;
  const address = await openGitAddress(source, options);
  if (!address.ok) return address;
  const { name, ref, path } = source;
  const remote: GitRemote = {
    name,
    ref,
    path,
    address: address.value,
    token: token?.value,
    env: options.env,
    limits,
    deadline,
    signal,
  };
  const data = join(options.data, 'sources');
  makeFolder(data, 0o700);
  const found: Result<RemoteCommit> =
    commit === undefined ? await findRemoteCommit(remote, data) : ok({ commit, wanted: commit });
  if (!found.ok) return found;
  const known = snapshots.find(found.value.commit);
  if (known !== undefined) return ok(known);
  return snapshots.create((folder) => writeCommit(remote, found.value, folder));
}
