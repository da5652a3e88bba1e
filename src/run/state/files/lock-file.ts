import { randomUUID } from 'node:crypto';
import { link, open, readFile, rm, stat } from 'node:fs/promises';
import { codeOf } from '../../../core/lib/error-code.ts';

/**
 * Creates the file, or reports that it exists already. It is written under another name first, so that no process ever
 * sees it half written, and a crash leaves no lock without a holder.
 */
export async function createExclusively(path: string, text: string): Promise<'created' | 'exists'> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeNew(draft, text);
    await link(draft, path);
    return 'created';
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return 'exists';
    if (!withoutLinks.has(codeOf(error))) throw error;
    return await createInPlace(path, text);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Errors of file systems without hard links. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

async function createInPlace(path: string, text: string): Promise<'created' | 'exists'> {
  try {
    await writeNew(path, text);
    return 'created';
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return 'exists';
    await rm(path, { force: true });
    throw error;
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Undefined if there is no such file; rejects if it can't be read. */
export function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
}

export function readIfThere(path: string): Promise<string | undefined> {
  return ifThere(readFile(path, 'utf8'));
}

/**
 * Writes the same text again, so that the file counts as new by the file system's own clock. False if the file has
 * another text. It reads and writes one open file, so a file that another process puts in its place is not changed.
 */
export async function writeAgainIfStill(path: string, text: string): Promise<boolean> {
  const file = await ifThere(open(path, 'r+'));
  if (file === undefined) return false;
  try {
    if ((await file.readFile('utf8')) !== text) return false;
    await file.write(text, 0);
    await file.sync();
    return true;
  } finally {
    await file.close();
  }
}

/** Milliseconds since the epoch, by the file system's clock; undefined if there is no such file. */
export async function modifiedAt(path: string): Promise<number | undefined> {
  return (await ifThere(stat(path)))?.mtimeMs;
}

/** The current time of the file system that contains this path. */
export async function fileSystemNow(path: string): Promise<number> {
  const probe = `${path}.${randomUUID()}`;
  try {
    await writeNew(probe, '');
    return (await stat(probe)).mtimeMs;
  } finally {
    await rm(probe, { force: true });
  }
}
