import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { namesIn } from '../../../accounts/config/config-folder.ts';
import { codeOf } from '../../../core/lib/error-code.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import { makeFolder } from '../../../run/state/files/replace-file.ts';

/** Where the files of a snapshot come from. A folder has no author. */
export interface SnapshotOrigin {
  /** A commit id, or `sha256:` and the digest of a folder. */
  readonly commit: string;
  /** Such as `Jane Doe <jane@example.com>`. */
  readonly author: string | null;
}

/** The desired state of a source at one commit: a folder that never changes. */
export interface SourceSnapshot extends SnapshotOrigin {
  readonly source: string;
  readonly folder: string;
}

const originSchema = z.object({
  commit: z.string(),
  author: z.string().nullable(),
});
const originFile = '.origin.json';
const unfinished = 'new-';
/** Marks the snapshot as a project, so that no file in it can refer to a file outside. */
const projectMark = '.git';
const unfinishedMs = 3_600_000;

/** The snapshots of one source, each in a folder named after its commit. */
export interface SnapshotFolder {
  find(commit: string): SourceSnapshot | undefined;
  /** Calls `write` with an empty folder, and makes it the snapshot only if `write` succeeds. */
  create(write: (folder: string) => Promise<Result<SnapshotOrigin>>): Promise<Result<SourceSnapshot>>;
  /** Removes all but the newest `most` and those of `kept` commits. Returns the removed commits. */
  prune(kept: ReadonlySet<string>, most: number): readonly string[];
}

export function openSnapshots(source: string, folder: string): SnapshotFolder {
  const folderOf = (commit: string) => join(folder, commit.replace(':', '-'));
  const find = (commit: string): SourceSnapshot | undefined => {
    const at = folderOf(commit);
    const origin = readOrigin(at);
    return origin?.commit === commit ? { source, folder: at, ...origin } : undefined;
  };
  return {
    find,
    async create(write) {
      let working: string | undefined;
      try {
        makeFolder(folder, 0o700);
        removeUnfinished(folder);
        working = mkdtempSync(join(folder, unfinished));
        const written = await write(working);
        if (!written.ok) return written;
        const known = find(written.value.commit);
        if (known !== undefined) return ok(known);
        mkdirSync(join(working, projectMark));
        writeFileSync(join(working, originFile), JSON.stringify(written.value), { mode: 0o400 });
        const at = folderOf(written.value.commit);
        // A folder without a record is left over from a crash in older file systems.
        rmSync(at, { recursive: true, force: true });
        renameSync(working, at);
        return ok({ source, folder: at, ...written.value });
      } catch (error) {
        return failed(
          problem('file-not-written', `the source "${source}" can't be stored (${codeOf(error)})`, {
            hint: `check the free space and the permissions of ${folder}`,
          }),
        );
      } finally {
        if (working !== undefined) rmSync(working, { recursive: true, force: true });
      }
    },
    prune(kept, most) {
      const found = namesIn(folder)
        .flatMap((name) => {
          const origin = name.startsWith(unfinished) ? undefined : readOrigin(join(folder, name));
          return origin === undefined ? [] : [{ ...origin, name, at: usedAt(join(folder, name)) }];
        })
        .toSorted((left, right) => right.at - left.at);
      const surplus = found.slice(most).filter(({ commit }) => !kept.has(commit));
      for (const { name } of surplus) rmSync(join(folder, name), { recursive: true, force: true });
      return surplus.map(({ commit }) => commit);
    },
  };
}

/** Writes one read-only file. Fails if it exists, even with another case on a file system that ignores case. */
export function writeSnapshotFile(folder: string, path: string, bytes: Uint8Array): void {
  const whole = join(folder, path);
  makeFolder(dirname(whole), 0o700);
  writeFileSync(whole, bytes, { flag: 'wx', mode: 0o400 });
}

/** Notes that a snapshot is still in use, so that it is among the newest. */
export function touchSnapshot({ folder }: SourceSnapshot, now: number): void {
  try {
    utimesSync(join(folder, projectMark), now / 1000, now / 1000);
  } catch {
    // It was removed in the meantime; the next fetch makes it again.
  }
}

function usedAt(folder: string): number {
  return statSync(join(folder, projectMark), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function readOrigin(folder: string): SnapshotOrigin | undefined {
  try {
    return originSchema.safeParse(JSON.parse(readFileSync(join(folder, originFile), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Folders of processes that died. Those of other running processes are younger. */
function removeUnfinished(folder: string): void {
  const limit = Date.now() - unfinishedMs;
  for (const name of namesIn(folder).filter((each) => each.startsWith(unfinished))) {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    if (found !== undefined && found.mtimeMs < limit)
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}
