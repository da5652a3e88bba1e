import { statfsSync } from 'node:fs';
import { type Problem, problem } from '../../core/problem/problem.ts';

/** PostgreSQL writes at least a new segment of its log when it opens. */
const leastFreeBytes = 32 * 1024 * 1024;

/** Why an embedded database did not open. A full disk looks like damaged files, but its records are still there. */
export function unopenedProblem(place: string, freeBytes: number | undefined): Problem {
  if (freeBytes !== undefined && freeBytes < leastFreeBytes)
    return problem('state', `${place} can't be opened: its disk is full`, {
      hint: 'free at least 32 MiB, then start again; the records are still there',
    });
  return problem('state', `${place} can't be opened: its files are damaged, or of another version`, {
    hint: 'restore the folder from a backup, or use another folder',
  });
}

/** How many bytes this user can still write to the disk of a folder; undefined if the system does not report it. */
export function freeBytesOf(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
