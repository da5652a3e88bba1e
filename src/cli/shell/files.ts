import { dirname } from 'node:path';
import { codeOf, reasonOf } from '../../core/lib/error-code.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { makeFolder } from '../../run/state/files/make-folder.ts';
import { readBytes } from '../../run/state/files/read-bytes.ts';
import { type FileAccess, replaceFile } from '../../run/state/files/replace-file.ts';

/** Replaces a whole file, or leaves the old one unchanged. */
export async function writeWhole(
  path: string,
  shown: string,
  text: string | Iterable<string>,
  { makesFolder = false, ...access }: FileAccess & { readonly makesFolder?: boolean } = {},
): Promise<Result<null>> {
  try {
    if (makesFolder) makeFolder(dirname(path));
    await replaceFile(path, text, access);
    return ok(null);
  } catch (error) {
    const hint = codeOf(error) === 'ENOENT' ? { hint: 'create its folder first' } : {};
    return failed(problem('file-not-written', `${shown} can't be written (${reasonOf(error)})`, hint));
  }
}

export async function readTextFile(path: string, shown: string): Promise<Result<string>> {
  const bytes = await readBytes(path, shown);
  return bytes.ok ? ok(bytes.value.toString('utf8')) : bytes;
}
