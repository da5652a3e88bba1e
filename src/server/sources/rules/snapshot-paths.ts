import { posix } from 'node:path';
import { quoted } from '../../../core/lib/words.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import type { SourceSnapshot } from './snapshot.ts';

/** The files of an account in the snapshot; a problem if one is outside it. */
export function snapshotPaths(
  { source }: SourceSnapshot,
  files: readonly string[],
): Result<readonly string[]> {
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
