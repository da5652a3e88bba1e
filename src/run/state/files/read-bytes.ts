import { constants } from 'node:buffer';
import { type FileHandle, readFile, stat } from 'node:fs/promises';
import { codeOf } from '../../../core/lib/error-code.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';

/** Reads a whole file that fits into one text. `shown` is its path as the user wrote it. */
export async function readBytes(path: string, shown: string): Promise<Result<Buffer>> {
  try {
    const { size } = await stat(path);
    if (size <= constants.MAX_STRING_LENGTH) return ok(await readFile(path));
    return failed(
      problem('file-unreadable', `${shown} can't be read: it is larger than any file that Rampart writes`),
    );
  } catch (error) {
    const code = codeOf(error);
    return failed(
      code === 'ENOENT'
        ? problem('file-missing', `the file ${shown} does not exist`)
        : problem('file-unreadable', `${shown} can't be read (${code})`),
    );
  }
}

/** The bytes at a position of an open file, fewer at its end. */
export async function readPart(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
