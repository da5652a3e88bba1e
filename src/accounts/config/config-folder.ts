import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../core/lib/surroundings.ts';
import { quoted } from '../../core/lib/words.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { git } from '../../run/state/origin/git.ts';
import { resolveCommit } from '../../run/state/origin/resolve-commit.ts';

export const configFileName = 'rampart.config.yaml';
export const configRefVariable = 'RAMPART_CONFIG_REF';

/** The folder of rampart.config.yaml: a folder of the machine, or of the commit that the operator named. */
export interface ConfigFolder {
  /** It is read from the commit that RAMPART_CONFIG_REF names, so it does not include a change under review. */
  readonly isReviewed: boolean;
  /** The content of rampart.config.yaml; null if there is none. */
  readMain(): Promise<Result<Uint8Array | null>>;
  /** The regular files that match a pattern such as an account.yaml in each folder of accounts, sorted by path. */
  readMatching(patterns: readonly string[]): Promise<Result<readonly ConfigFile[]>>;
}

export interface ConfigFile {
  /** Relative to the folder, with forward slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The maximum size of rampart.config.yaml and of an account file in bytes, and the maximum number of account files. */
const mostBytes = 8 * 1024 * 1024;
const mostAccountBytes = 64 * 1024;
const mostFiles = 20_000;

export async function openConfigFolder(folder: string, env: Environment): Promise<Result<ConfigFolder>> {
  const revision = env[configRefVariable] ?? '';
  if (revision === '') return ok(localFolder(folder));
  const options = { cwd: folder, env };
  const commit = await resolveCommit(revision, {
    ...options,
    flag: configRefVariable,
    missing: problem(
      'configuration',
      `${configFileName} can't be read from ${quoted(revision)} (${configRefVariable}): this clone does not have that commit`,
      { hint: 'fetch the commit first; with actions/checkout, set fetch-depth: 0' },
    ),
  });
  return commit.ok ? ok(committedFolder(commit.value, options)) : commit;
}

function localFolder(folder: string): ConfigFolder {
  return {
    isReviewed: false,
    async readMain() {
      const path = join(folder, configFileName);
      return seenAt(path) !== undefined
        ? readRegular(path, configFileName, { most: mostBytes, follow: true })
        : ok(null);
    },
    async readMatching(patterns) {
      const paths = new Set<string>();
      for (const pattern of patterns) {
        for (const path of matchingPaths(folder, pattern.split('/'))) paths.add(path);
      }
      if (paths.size > mostFiles) return failed(tooMany());
      return readAll([...paths].sort(), (path) =>
        readRegular(join(folder, path), path, { most: mostAccountBytes, follow: false }),
      );
    },
  };
}

/**
 * Paths that match. Links are not followed; one that is a file itself is refused when it is read. Thousands of small
 * files are read several times as fast one after the other as by promises.
 */
function matchingPaths(folder: string, [segment, ...rest]: readonly string[]): readonly string[] {
  if (segment === undefined) return [];
  const isPattern = segment.includes('*');
  const names = isPattern ? namesIn(folder).filter((name) => matches(segment, name)) : [segment];
  if (rest.length === 0) {
    return isPattern ? names : names.filter((name) => seenAt(join(folder, name)) !== undefined);
  }
  return names
    .filter((name) => seenAt(join(folder, name))?.isDirectory() === true)
    .flatMap((name) => matchingPaths(join(folder, name), rest).map((path) => `${name}/${path}`));
}

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Undefined if there is nothing. A link is not followed. */
function seenAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** `*` stands for any characters of one name, which does not start with a point. */
function matches(segment: string, name: string): boolean {
  const source = segment.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return (
    (!name.startsWith('.') || segment.startsWith('.')) && new RegExp(`^${source.join('.*')}$`, 's').test(name)
  );
}

function readAll(
  paths: readonly string[],
  read: (path: string) => Result<Uint8Array>,
): Result<readonly ConfigFile[]> {
  const files: ConfigFile[] = [];
  for (const path of paths) {
    const content = read(path);
    if (!content.ok) return content;
    files.push({ path, bytes: content.value });
  }
  return ok(files);
}

interface ReadLimits {
  /** In bytes. */
  readonly most: number;
  readonly follow: boolean;
}

/** Only a regular file is opened: opening a pipe would wait. */
function readRegular(path: string, shown: string, { most, follow }: ReadLimits): Result<Uint8Array> {
  const unreadable = failed(
    problem('configuration', `${shown} can't be read`, {
      hint: `it must be a regular file of at most ${most} bytes`,
    }),
  );
  const seen = follow ? statSync(path, { throwIfNoEntry: false }) : seenAt(path);
  if (seen?.isFile() !== true || seen.size > most) return unreadable;
  let file: number | undefined;
  try {
    file = openSync(
      path,
      constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (follow ? 0 : (constants.O_NOFOLLOW ?? 0)),
    );
    const stats = fstatSync(file);
    return stats.isFile() && stats.size <= most ? ok(readFileSync(file)) : unreadable;
  } catch {
    return unreadable;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function tooMany() {
  return problem('configuration', `"include" of ${configFileName} matches more than ${mostFiles} files`, {
    hint: 'use a narrower pattern, such as accounts/*/account.yaml',
  });
}

/** The same folder with one file more, or with other content of it. */
export function withEdited(folder: ConfigFolder, edited: ConfigFile): ConfigFolder {
  return {
    isReviewed: folder.isReviewed,
    readMain: async () => (edited.path === configFileName ? ok(edited.bytes) : folder.readMain()),
    async readMatching(patterns) {
      const files = await folder.readMatching(patterns);
      if (!files.ok || !patterns.some((pattern) => matchesPath(pattern, edited.path))) return files;
      return ok([...files.value.filter(({ path }) => path !== edited.path), edited]);
    },
  };
}

interface GitFolder {
  readonly cwd: string;
  readonly env: Environment;
}

function committedFolder(commit: string, options: GitFolder): ConfigFolder {
  return {
    isReviewed: true,
    async readMain() {
      return ok((await git(['cat-file', 'blob', `${commit}:./${configFileName}`], options)) ?? null);
    },
    async readMatching(patterns) {
      const listed = await git(['ls-tree', '-r', '-z', '--full-name', commit, '--', '.'], options);
      const prefix = await git(['rev-parse', '--show-prefix'], options);
      if (listed === undefined || prefix === undefined) return failed(unreadableCommit());
      const inside = prefix.toString('utf8').replace(/\n$/, '');
      const blobs = listed
        .toString('utf8')
        .split('\0')
        .flatMap((line) => blobOf(line, inside))
        .filter(({ path }) => patterns.some((pattern) => matchesPath(pattern, path)));
      if (blobs.length > mostFiles) return failed(tooMany());
      return readBlobs(blobs, options);
    },
  };
}

interface Blob {
  readonly id: string;
  readonly path: string;
}

/** Regular files only: a link is a blob with another mode. */
function blobOf(line: string, prefix: string): readonly Blob[] {
  const [, id, path] = /^100(?:644|755) blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
  return id === undefined || path === undefined || !path.startsWith(prefix)
    ? []
    : [{ id, path: path.slice(prefix.length) }];
}

function matchesPath(pattern: string, path: string): boolean {
  const names = path.split('/');
  const segments = pattern.split('/');
  return names.length === segments.length && segments.every((each, at) => matches(each, names[at] as string));
}

async function readBlobs(blobs: readonly Blob[], options: GitFolder): Promise<Result<readonly ConfigFile[]>> {
  if (blobs.length === 0) return ok([]);
  const batch = await git(['cat-file', '--batch'], {
    ...options,
    input: blobs.map(({ id }) => `${id}\n`).join(''),
    maxBytes: mostCommitted,
  });
  if (batch === undefined) return failed(unreadableCommit());
  const files: ConfigFile[] = [];
  let at = 0;
  for (const { path } of blobs) {
    const end = batch.indexOf(10, at);
    const size = Number(/ blob (\d+)$/.exec(batch.toString('latin1', at, end))?.[1]);
    if (!Number.isInteger(size)) return failed(unreadableCommit());
    if (size > mostAccountBytes) {
      return failed(
        problem('configuration', `${path} can't be read`, {
          hint: `it must be a regular file of at most ${mostAccountBytes} bytes`,
        }),
      );
    }
    files.push({ path, bytes: batch.subarray(end + 1, end + 1 + size) });
    at = end + 1 + size + 1;
  }
  return ok(files.sort((a, b) => (a.path < b.path ? -1 : 1)));
}

const mostCommitted = 256 * 1024 * 1024;

function unreadableCommit() {
  return problem('configuration', `the account files can't be read from the commit of ${configRefVariable}`, {
    hint: 'check that the clone is complete: git fsck',
  });
}
