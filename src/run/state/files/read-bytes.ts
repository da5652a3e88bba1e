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

/** How much of the end of a file is read first, in bytes. */
const firstPart = 64 * 1024;
const newline = 10;

/** The last lines of a file. */
export interface LastLines {
  readonly lines: readonly string[];
  /** Where the last whole line ends, in bytes. */
  readonly end: number;
  readonly size: number;
}

/** Reads the end of a file, and more of it until it has so many whole lines. */
export async function readLastLines(file: FileHandle, count: number): Promise<LastLines> {
  const { size } = await file.stat();
  for (let length = firstPart; ; length *= 8) {
    const start = Math.max(0, size - length);
    const bytes = await readPart(file, start, size - start);
    const end = bytes.lastIndexOf(newline) + 1;
    // The first piece is part of a line, unless it is the start of the file.
    const lines = bytes
      .toString('utf8', 0, end)
      .split('\n')
      .slice(start === 0 ? 0 : 1, -1);
    if (lines.length >= count || start === 0) return { lines: lines.slice(-count), end: start + end, size };
  }
}
