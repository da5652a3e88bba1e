import { statfsSync } from 'node:fs';
import { codeOf } from '../../core/lib/error-code.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';

/** PostgreSQL writes at least a new segment of its log when it opens. */
const leastFreeBytes = 32 * 1024 * 1024;

/**
 * Why an embedded database did not open. A full disk, or an installation without all its files, looks like damaged
 * files, but the records are still there.
 */
export function unopenedProblem(place: string, freeBytes: number, error?: unknown): Problem {
  if (/^(ENOENT|(ERR_)?MODULE_NOT_FOUND)$/.test(codeOf(error)))
    return problem('state', `${place} can't be opened: files of Rampart Server are missing`, {
      hint: 'install Rampart Server again, then start it; the records are still there',
    });
  if (freeBytes < leastFreeBytes)
    return problem('state', `${place} can't be opened: its disk is full`, {
      hint: 'free at least 32 MiB, then start again; the records are still there',
    });
  return problem('state', `${place} can't be opened: its files are damaged, or of another version`, {
    hint: 'restore the folder from a backup, or use another folder',
  });
}

/** How many bytes this user can still write to the disk of a folder; infinite if the system does not report it. */
export function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
