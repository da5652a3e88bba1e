import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { codeOf } from '../../../core/lib/error-code.ts';
import { quoted } from '../../../core/lib/words.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import { type SnapshotOrigin, writeSnapshotFile } from './snapshot.ts';
import type { SourceLimits } from './source-limits.ts';
import { isCopied, isIgnored, notRegular, pathProblem, tooMany } from './source-path.ts';

export interface CopiedFolder {
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  /** Absolute paths of folders in it that are not part of the source, such as the data folder of the server. */
  readonly without: readonly string[];
  readonly limits: SourceLimits;
}

interface FoundFile {
  /** With forward slashes, relative to the folder. */
  readonly path: string;
  /** Without links. */
  readonly real: string;
  readonly size: number;
}

export interface FolderListing {
  readonly files: readonly FoundFile[];
  /** Changes whenever a file may have changed. */
  readonly mark: string;
  /** When the latest of them changed, in milliseconds since the epoch; 0 if there is none. */
  readonly changedAt: number;
}

/**
 * The files of a folder that belong to its desired state. A link counts only if it leads to a file of the same folder,
 * as in a mounted ConfigMap of Kubernetes.
 */
export function listFolder(source: CopiedFolder): Result<FolderListing> {
  const { name, folder, without, limits } = source;
  const files: FoundFile[] = [];
  const marks: string[] = [];
  let changedAt = 0;
  let root: string;
  try {
    root = realpathSync(folder);
    if (!statSync(root).isDirectory()) return failed(missingFolder(source));
  } catch {
    return failed(missingFolder(source));
  }
  const excluded = new Set(without);
  const waiting = [''];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    let children: readonly Dirent[];
    try {
      children = readdirSync(join(folder, at), { withFileTypes: true });
    } catch (error) {
      return failed(unreadable(name, at, error));
    }
    for (const child of children) {
      const path = at === '' ? child.name : `${at}/${child.name}`;
      if (isIgnored(path) || excluded.has(join(folder, path))) continue;
      const odd = pathProblem(path, name);
      if (odd !== undefined) return failed(odd);
      if (child.isDirectory()) {
        waiting.push(path);
        continue;
      }
      const real = child.isSymbolicLink() ? targetOf(root, join(folder, path)) : join(root, path);
      if (real === undefined) return failed(notRegular('a link that leads out of its folder', path, name));
      if (!isCopied(path)) continue;
      try {
        const found = lstatSync(real, { bigint: true });
        if (!found.isFile()) return failed(notRegular('a link, pipe or device', path, name));
        files.push({ path, real, size: Number(found.size) });
        changedAt = Math.max(changedAt, Number(found.ctimeMs));
        marks.push(`${path}\0${found.size} ${found.mtimeNs} ${found.ctimeNs} ${found.ino}`);
      } catch (error) {
        return failed(unreadable(name, path, error));
      }
      if (files.length > limits.files) return failed(tooMany(`more than ${limits.files} files`, name));
    }
  }
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const large = files.find(({ size }) => size > limits.fileBytes);
  if (large !== undefined) {
    return failed(tooMany(`a file of more than ${limits.fileBytes} bytes: ${quoted(large.path)}`, name));
  }
  if (total > limits.totalBytes)
    return failed(tooMany(`more than ${limits.totalBytes} bytes of files`, name));
  files.sort((left, right) => (left.path < right.path ? -1 : 1));
  return ok({ files, changedAt, mark: createHash('sha256').update(marks.sort().join('\n')).digest('hex') });
}

/**
 * Copies the files, and names the copy by the digest of names and contents. The folder must not change in the meantime,
 * so that no snapshot mixes two states.
 */
export function writeFolder(
  source: CopiedFolder,
  { files, mark }: FolderListing,
  to: string,
): Result<SnapshotOrigin> {
  const digest = createHash('sha256');
  for (const { path, real, size } of files) {
    try {
      const bytes = readRegular(real, size);
      if (bytes === undefined) return failed(changed(source));
      writeSnapshotFile(to, path, bytes);
      digest.update(`${Buffer.byteLength(path)} ${bytes.length}\n${path}`).update(bytes);
    } catch (error) {
      return failed(unreadable(source.name, path, error));
    }
  }
  const again = listFolder(source);
  if (!again.ok) return again;
  if (again.value.mark !== mark) return failed(changed(source));
  return ok({ commit: `sha256:${digest.digest('hex')}`, author: null });
}

/** Opened without following a link and without waiting for a pipe. Undefined if the file has another size now. */
function readRegular(path: string, size: number): Buffer | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    return found.isFile() && found.size === size ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}

/** The file that a link leads to, if it is in the folder; undefined for everything else. */
function targetOf(root: string, link: string): string | undefined {
  try {
    const target = realpathSync(link);
    return target.startsWith(`${root}${sep}`) && statSync(target).isFile() ? target : undefined;
  } catch {
    return undefined;
  }
}

export function missingFolder({ name, folder }: Pick<CopiedFolder, 'name' | 'folder'>): Problem {
  return problem('file-missing', `the folder of the source "${name}" does not exist: ${quoted(folder)}`, {
    hint: 'create it, or check the folder in the settings of the server',
  });
}

function unreadable(source: string, path: string, error: unknown) {
  return problem(
    'file-unreadable',
    `the source "${source}" can't be read: ${quoted(path)} (${codeOf(error)})`,
    {
      hint: 'check the permissions of the user that runs the server',
    },
  );
}

function changed({ name }: CopiedFolder) {
  return problem('changed-since', `the folder of the source "${name}" changed while it was copied`, {
    hint: 'the next fetch copies it again',
  });
}
