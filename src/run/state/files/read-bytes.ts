import { readFile } from 'node:fs/promises';
import { codeOf } from '../../../core/lib/error-code.ts';
import { problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';

/** Reads a whole file. `shown` is its path as the user wrote it. */
export async function readBytes(path: string, shown: string): Promise<Result<Buffer>> {
  try {
    return ok(await readFile(path));
  } catch (error) {
    const code = codeOf(error);
    return failed(
      code === 'ENOENT'
        ? problem('file-missing', `the file ${shown} does not exist`)
        : problem('file-unreadable', `${shown} can't be read (${code})`),
    );
  }
}
