import { posix } from 'node:path';
import { quoted } from '../../core/lib/quoted.ts';
import type { Desired } from '../../core/model/desired.ts';
import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { loadDesired } from '../../input/load-desired.ts';
import type { RunScriptOptions } from '../../input/typescript/run-script.ts';
import type { Snapshot } from './snapshot.ts';

export interface LoadSnapshotOptions extends Omit<RunScriptOptions, 'cwd'> {
  /** Whether the operator allows the scripts of this source. */
  readonly allowsScripts: boolean;
}

/** Reads the desired state of an account at one commit. Its files are resolved in the snapshot and nowhere else. */
export async function loadSnapshot(
  snapshot: Snapshot,
  files: readonly string[],
  { allowsScripts, ...options }: LoadSnapshotOptions,
): Promise<Result<Desired>> {
  const paths = snapshotPaths(snapshot, files);
  if (!paths.ok) return paths;
  const { source, folder } = snapshot;
  return loadDesired(paths.value, {
    ...options,
    cwd: folder,
    ...(allowsScripts ? {} : { noScripts: `the source "${source}" does not allow scripts` }),
  });
}

/** The files of an account in the snapshot; a problem if one is outside it. */
export function snapshotPaths({ source }: Snapshot, files: readonly string[]): Result<readonly string[]> {
  const paths = files.map((file) => posix.normalize(file.replaceAll('\\', '/')));
  const outside = paths.find(
    (path) => path.startsWith('/') || path === '..' || path.startsWith('../') || /^\w:/.test(path),
  );
  if (outside === undefined) return ok(paths);
  return failed(
    problem('file-unreadable', `the file ${quoted(outside)} is outside the source "${source}"`, {
      hint: 'name the files of an account relative to the folder of its source',
    }),
  );
}
