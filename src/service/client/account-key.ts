import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';

/** The maximum size of a key file in bytes. */
const mostBytes = 4096;
/**
 * Folders of files that the kernel generates; the environment of a process is a file there, too. Files in `/dev/shm` are
 * ordinary ones in memory.
 */
const specialFile = /^\/(?:proc|sys|dev(?!\/shm\/))(?:\/|$)/;

export interface KeyFile {
  readonly key: string;
  /** Other users of the machine can read the file. */
  readonly isShared: boolean;
}

/**
 * A key as it is sent, without trailing line breaks. Text with more than one line and binary data are not keys. `where`
 * is the variable or file for messages; no problem quotes the text.
 */
export function keyOf(text: string, where: string): Result<string> {
  const key = text.replace(/[\r\n]+$/, '');
  if (!/[\r\n\0]/.test(key)) return ok(key);
  return failed(
    problem(
      'configuration',
      `${where} does not contain a key: it has more than one line or a NUL character`,
      {
        hint: 'a key is one line of text',
      },
    ),
  );
}

/**
 * Reads the key from a regular file of at most 4 KiB. Pipes, devices and everything below /proc, /sys and /dev are
 * refused without waiting for them. `shown` is the path as the user wrote it, `what` the kind of file; no problem quotes the content.
 */
export function readKeyFile(path: string, shown: string, what = 'key file'): Result<KeyFile> {
  const refuse = (why: string) =>
    failed(
      problem('configuration', `the ${what} ${shown} ${why}`, { hint: 'use a file with one line of text' }),
    );
  let file: number | undefined;
  try {
    if (specialFile.test(realpathSync(path))) return refuse('is in /proc, /sys or /dev');
    if (!statSync(path).isFile()) return refuse('is not a regular file');
    // If another file replaces this one after the check, it is opened without waiting, and checked again.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0));
    const stats = fstatSync(file);
    const { mode, size } = stats;
    if (!stats.isFile()) return refuse('is not a regular file');
    if (size > mostBytes) return refuse(`is larger than ${mostBytes} bytes`);
    const bytes = Buffer.alloc(mostBytes + 1);
    const length = readSync(file, bytes);
    // Kernel files report a size of zero, wherever they are mounted.
    if (length !== size) return refuse('is not a regular file');
    const key = keyOf(
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length)),
      `the ${what} ${shown}`,
    );
    return key.ok ? ok({ key: key.value, isShared: (mode & 0o077) !== 0 }) : key;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return failed(
        problem('configuration', `the ${what} ${shown} does not exist`, {
          hint: 'create it, or correct its path in the setting that names it',
        }),
      );
    return code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
      ? refuse('is not text in UTF-8')
      : refuse(`can't be read (${code ?? 'unknown'})`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
