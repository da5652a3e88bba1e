import { posix } from 'node:path';

/** A path as a file names it, made relative to where that file's own name is relative to. */
export function besideFile(path: string, file: string): string {
  return posix.isAbsolute(path) ? path : posix.join(posix.dirname(file), path);
}
