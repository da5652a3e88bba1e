import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { maxFileBytes, tooLarge } from './decode-source.ts';

/**
 * The absolute path of the folder that must contain a desired state and all files it refers to: the nearest folder
 * above with `.git` or `package.json`, or a nearer one whose name begins with a dot.
 */
export type Project = string;

const markers = ['.git', 'package.json'];
const othersMayWrite = 0o002;

/** The innermost project around a folder. Without one, `cwd` if the folder is in it, otherwise the folder itself. */
export function projectOf(folder: string, cwd: string): Project {
  const none = isWithin(cwd, folder) ? cwd : folder;
  for (let at = folder; ; at = dirname(at)) {
    if (dirname(at) === at || isSharedFolder(at)) return none;
    if (markers.some((name) => existsSync(join(at, name)))) return at;
    if (basename(at).startsWith('.')) return isWithin(at, none) ? none : at;
  }
}

/** Anyone could put a marker into a folder for temporary files. */
function isSharedFolder(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & othersMayWrite) !== 0;
}

/** Is a path without `..` and links equal to the folder or below it? The root of the file system is never a project. */
export function isWithin(folder: string, path: string): boolean {
  if (dirname(folder) === folder) return dirname(path) === folder;
  const below = relative(folder, path);
  return below === '' || !(below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below));
}

/**
 * Checks whether a file may refer to this path. It must be in the project, and no part of it may begin with a dot:
 * `.git/config`, `.env` and `.npmrc` hold credentials. Package managers keep packages in such a folder, each in its own
 * `node_modules`.
 */
function isOpenToFiles(project: Project, path: string): boolean {
  return (
    isWithin(project, path) &&
    !relative(project, path)
      .split(sep)
      .some((name, at, names) => name.startsWith('.') && !isPackageStore(names, at))
  );
}

function isPackageStore(names: readonly string[], at: number): boolean {
  return names[at - 1] === 'node_modules' && names.indexOf('node_modules', at) === at + 2;
}

/**
 * The path without links, if it is still in the project after following all links; undefined if it leads out, or a link
 * leads to a name that begins with a dot.
 */
export function realPathIn(project: Project, path: string): string | undefined {
  if (!isWithin(project, path)) return undefined;
  const real = realpathSync(path);
  const root = realpathSync(project);
  const isLinked = relative(root, real) !== relative(project, path);
  return isLinked ? (isOpenToFiles(root, real) ? real : undefined) : real;
}

/** A file of a project: its content, and its path without links. */
export interface ProjectFile {
  readonly bytes: Uint8Array;
  readonly path: string;
  /** RFC 3339: when the file was last changed. */
  readonly changedAt: string;
}

/**
 * Reads a regular file that is in the project after following all links. Problems name it `shown` and never quote its
 * content. Pipes and devices are refused rather than waited for.
 */
export function readInProject(project: Project, path: string, shown: string): Result<ProjectFile> {
  try {
    const real = realPathIn(project, path);
    return real === undefined ? failed(outside(shown)) : readRegular(real, shown);
  } catch (error) {
    return failed(unreadable(shown, error));
  }
}

/** Reads a file named on the command line, relative to `cwd`. */
export function readGiven(path: string, cwd: string): Result<ProjectFile> {
  const whole = resolve(cwd, path);
  return readInProject(projectOf(dirname(whole), cwd), whole, path);
}

/**
 * Reads a file that another file names. It must be in the project of the other file. All paths are relative to `cwd`.
 */
export function readNamed(path: string, namedBy: string, cwd: string): Result<ProjectFile> {
  return readOpen(projectOf(dirname(resolve(cwd, namedBy)), cwd), resolve(cwd, path), path);
}

/** The same for an absolute path, which a file of this project names. */
export function readOpen(project: Project, path: string, shown: string): Result<ProjectFile> {
  return isOpenToFiles(project, path) ? readInProject(project, path, shown) : failed(outside(shown));
}

/** The project of the file that refers to a path, if the path is in it. */
export function checkNamed(path: string, namedBy: string, cwd: string): Result<Project> {
  const project = projectOf(dirname(resolve(cwd, namedBy)), cwd);
  return isOpenToFiles(project, resolve(cwd, path)) ? ok(project) : failed(outside(path));
}

/**
 * Opens the file once, without waiting and without following a link in the last part, and then checks the opened file.
 * If a folder in the path was replaced by a link since the path was resolved, the path now leads to another file, or
 * elsewhere.
 */
function readRegular(real: string, shown: string): Result<ProjectFile> {
  // Windows has neither of the last two: `undefined` adds no flag.
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const named = lstatSync(real, { bigint: true });
  if (!named.isFile()) return failed(notRegular(shown));
  const file = openSync(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const opened = fstatSync(file, { bigint: true });
    const isSame = named.dev === opened.dev && named.ino === opened.ino && realpathSync(real) === real;
    if (!isSame) return failed(problem('file-unreadable', `${shown} was replaced during the read`));
    if (opened.size > maxFileBytes) return failed(tooLarge(shown));
    const bytes = readBounded(file, Number(opened.size));
    return bytes === undefined
      ? failed(tooLarge(shown))
      : ok({ bytes, path: real, changedAt: new Date(Number(opened.mtimeMs)).toISOString() });
  } finally {
    closeSync(file);
  }
}

/** The size that `fstat` reports is not reliable: files in `/proc` have none, and other files grow. */
function readBounded(file: number, expected: number): Uint8Array | undefined {
  const chunks: Uint8Array[] = [];
  for (let size = 0; ; ) {
    const chunk = Buffer.allocUnsafe(Math.max(64 * 1024, expected + 1 - size));
    const read = readSync(file, chunk);
    if (read === 0) return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    size += read;
    if (size > maxFileBytes) return undefined;
    chunks.push(chunk.subarray(0, read));
  }
}

export function outside(shown: string): Problem {
  return problem('file-unreadable', `${shown} is not a file of this project or is outside it`, {
    hint: 'a desired state reads only files below the nearest folder with .git or package.json, except names with a leading dot',
  });
}

function notRegular(shown: string): Problem {
  return problem('file-unreadable', `${shown} is not a regular file`, {
    hint: 'pipes and devices are not supported: save the content to a file',
  });
}

export function missingPath(path: string): Problem {
  return problem('file-missing', `the file or folder ${path} does not exist`);
}

export function unreadable(path: string, error: unknown): Problem {
  const code = (error as NodeJS.ErrnoException).code ?? 'an unknown error';
  if (code === 'ENOENT' || code === 'ENOTDIR') return missingPath(path);
  const reasons: Readonly<Record<string, string>> = {
    EACCES: 'no permission',
    EPERM: 'no permission',
    ELOOP: 'its links form a cycle',
    ENAMETOOLONG: 'the name is too long',
  };
  return problem('file-unreadable', `${path} can't be read: ${reasons[code] ?? code}`);
}
