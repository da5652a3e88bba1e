import { posix } from 'node:path';

/** Resolves a path inside a file to the base directory of that file's own name. */
export function relativeToFile(path: string, file: string): string {
  return posix.isAbsolute(path) ? path : posix.join(posix.dirname(file), path);
}
