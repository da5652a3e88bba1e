import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commitId } from '../../../core/lib/hex-ids.ts';
import { quoted } from '../../../core/lib/words.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import { callGit, type GitRemote } from './git-remote.ts';
import { readGitTree, type TreeFile } from './git-tree.ts';
import { type SnapshotOrigin, writeSnapshotFile } from './snapshot.ts';
import { tooMany } from './source-path.ts';

/** A commit of the remote: the one that a ref points to, or a given one. */
export interface RemoteCommit {
  readonly commit: string;
  /** What to fetch: the full name of the ref, or the commit. */
  readonly wanted: string;
}

const mostListed = 1024 * 1024;
const mostTree = 64 * 1024 * 1024;

/** Finds the commit of the ref. A branch comes before a tag of the same name, because branches are protected more often. */
export async function findRemoteCommit(remote: GitRemote, folder: string): Promise<Result<RemoteCommit>> {
  const { name, ref } = remote;
  if (!isRefName(ref)) {
    return failed(
      problem('configuration', `the ref of the source "${name}" is not valid: ${quoted(ref)}`, {
        hint: 'name a branch, a tag or a full ref such as refs/heads/main',
      }),
    );
  }
  const wanted = ref.startsWith('refs/') ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`];
  const listed = await callGit(remote, folder, {
    argv: ['ls-remote', '--quiet', '--', 'origin', ...wanted, ...wanted.map((each) => `${each}^{}`)],
    online: true,
    mostBytes: mostListed,
  });
  if (!listed.ok) return listed;
  const commits = new Map(
    listed.value
      .toString('utf8')
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([object = '', full = '']) => [full, object]),
  );
  for (const full of wanted) {
    const commit = commits.get(`${full}^{}`) ?? commits.get(full);
    if (commit !== undefined && commitId.test(commit)) return ok({ commit, wanted: full });
  }
  return failed(
    problem('not-found', `the repository of the source "${name}" has no branch or tag ${quoted(ref)}`, {
      hint: 'check the ref of the source',
    }),
  );
}

/**
 * Fetches one commit into a new repository inside `folder`, and writes the files below the path of the source. Nothing
 * is checked out, so no hook, filter, link or attribute of the repository takes effect.
 */
export async function writeCommit(
  remote: GitRemote,
  { commit, wanted }: RemoteCommit,
  folder: string,
): Promise<Result<SnapshotOrigin>> {
  const repository = join(folder, '.repository');
  mkdirSync(repository);
  try {
    const fetched = await fetchTree(remote, repository, { commit, wanted });
    if (!fetched.ok) return fetched;
    const listed = await listFiles(remote, repository, commit);
    if (!listed.ok) return listed;
    const had = await fetchFiles(remote, repository, { commit, files: listed.value });
    if (!had.ok) return had;
    const written = await writeFiles(remote, repository, { files: listed.value, folder });
    return written.ok ? ok(originOf(commit, fetched.value)) : written;
  } finally {
    rmSync(repository, { recursive: true });
  }
}

/** The commit and its trees, without files if the remote supports that. The value is the text of the commit. */
async function fetchTree(
  remote: GitRemote,
  repository: string,
  { commit, wanted }: RemoteCommit,
): Promise<Result<string>> {
  const format = commit.length === 64 ? ['--object-format=sha256'] : [];
  const made = await callGit(remote, repository, {
    argv: ['init', '--quiet', '--bare', '--template=', ...format],
    mostBytes: mostListed,
  });
  if (!made.ok) return made;
  const refspec = wanted.startsWith('refs/') ? `+${wanted}:refs/rampart/head` : commit;
  const fetched = await callGit(remote, repository, {
    argv: [...fetchWords, '--depth=1', '--filter=blob:none', '--', 'origin', refspec],
    online: true,
    mostBytes: mostListed,
  });
  if (!fetched.ok) return fetched;
  const read = await callGit(remote, repository, {
    argv: ['cat-file', 'commit', commit],
    mostBytes: mostListed,
  });
  if (read.ok) return ok(read.value.toString('utf8'));
  return failed(
    problem('changed-since', `the ref of the source "${remote.name}" moved during the fetch`, {
      hint: 'the next fetch gets its new commit',
    }),
  );
}

const fetchWords = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--recurse-submodules=no',
] as const;

async function listFiles(
  remote: GitRemote,
  repository: string,
  commit: string,
): Promise<Result<readonly TreeFile[]>> {
  const { name, path, limits } = remote;
  if (path.split('/').includes('..') || path.startsWith('/') || /[\p{Cc}\\:]/u.test(path)) {
    return failed(
      problem(
        'configuration',
        `the path of the source "${name}" is not a folder of its repository: ${quoted(path)}`,
      ),
    );
  }
  const listed = await callGit(remote, repository, {
    argv: ['ls-tree', '-r', '-z', '--full-tree', `${commit}:${path}`],
    mostBytes: mostTree,
  });
  if (!listed.ok) {
    const isMissing = listed.problems.some(({ code }) => code === 'network');
    if (!isMissing || path === '') return listed;
    return failed(
      problem('file-missing', `the repository of the source "${name}" has no folder ${quoted(path)}`, {
        hint: `check the path of the source at the ref ${quoted(remote.ref)}`,
      }),
    );
  }
  const { files, problems } = readGitTree(listed.value, name, limits.files);
  return problems.length > 0 ? failed(...problems) : ok(files);
}

/** Fetches the files that are not here yet, all in one request. */
async function fetchFiles(
  remote: GitRemote,
  repository: string,
  { commit, files }: { readonly commit: string; readonly files: readonly TreeFile[] },
): Promise<Result<null>> {
  const needed = new Set(files.map(({ object }) => object));
  const missing = await callGit(remote, repository, {
    argv: ['rev-list', '--objects', '--no-object-names', '--missing=print', `${commit}:${remote.path}`],
    mostBytes: mostTree,
  });
  if (!missing.ok) return missing;
  const wanted = missing.value
    .toString('latin1')
    .split('\n')
    .flatMap((line) => (line.startsWith('?') && needed.has(line.slice(1)) ? [line.slice(1)] : []));
  if (wanted.length === 0) return ok(null);
  const fetched = await callGit(remote, repository, {
    argv: [...fetchWords, '--filter=blob:none', '--stdin', '--', 'origin'],
    settings: [['fetch.negotiationAlgorithm', 'noop']],
    input: lines(wanted),
    online: true,
    mostBytes: mostListed,
  });
  return fetched.ok ? ok(null) : fetched;
}

async function writeFiles(
  remote: GitRemote,
  repository: string,
  { files, folder }: { readonly files: readonly TreeFile[]; readonly folder: string },
): Promise<Result<null>> {
  const { name, limits } = remote;
  const checked = await callGit(remote, repository, {
    argv: ['cat-file', '--batch-check=%(objecttype) %(objectsize)'],
    input: lines(files.map(({ object }) => object)),
    mostBytes: mostTree,
  });
  if (!checked.ok) return checked;
  const sizes = checked.value
    .toString('latin1')
    .split('\n')
    .map((line) => Number(/^blob (\d+)$/.exec(line)?.[1] ?? Number.NaN));
  let total = 0;
  for (const [at, { path }] of files.entries()) {
    const size = sizes[at] ?? Number.NaN;
    if (Number.isNaN(size)) {
      return failed(
        problem('file-missing', `the repository of the source "${name}" did not send ${quoted(path)}`),
      );
    }
    total += size;
    if (size > limits.fileBytes) {
      return failed(tooMany(`a file of more than ${mebibytes(limits.fileBytes)}: ${quoted(path)}`, name));
    }
    if (total > limits.totalBytes) {
      return failed(tooMany(`more than ${mebibytes(limits.totalBytes)} of files`, name));
    }
  }
  for (let from = 0; from < files.length; ) {
    let to = from;
    let bytes = 0;
    do {
      bytes += (sizes[to] ?? 0) + 128;
      to += 1;
    } while (to < files.length && bytes + (sizes[to] ?? 0) <= limits.bytesAtOnce);
    const group = files.slice(from, to);
    const read = await callGit(remote, repository, {
      argv: ['cat-file', '--batch=%(objectsize)'],
      input: lines(group.map(({ object }) => object)),
      mostBytes: bytes,
    });
    if (!read.ok) return read;
    let offset = 0;
    for (const [at, { path }] of group.entries()) {
      const start = read.value.indexOf(10, offset) + 1;
      const size = sizes[from + at] ?? 0;
      writeSnapshotFile(folder, path, read.value.subarray(start, start + size));
      offset = start + size + 1;
    }
    from = to;
  }
  return ok(null);
}

function originOf(commit: string, text: string): SnapshotOrigin {
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text : text.slice(0, end);
  return { commit, author: /^author (.*) \d+ [+-]\d{4}$/m.exec(head)?.[1]?.slice(0, 300) ?? null };
}

function isRefName(ref: string): boolean {
  return (
    ref.length <= 250 && /^[\w][\w./+=@-]*$/.test(ref) && !/\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|[./]$/.test(ref)
  );
}

function lines(words: readonly string[]): string {
  return words.map((word) => `${word}\n`).join('');
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`;
}
