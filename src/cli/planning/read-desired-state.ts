import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AccountConfig } from '../../accounts/config/account-config.ts';
import { commitId } from '../../core/lib/hex-ids.ts';
import { printable } from '../../core/lib/printable.ts';
import { quoted } from '../../core/lib/words.ts';
import type { Desired } from '../../core/model/desired.ts';
import { accountFactProblems } from '../../core/plan/intents/account-fact-problems.ts';
import { failed, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { createDesiredLoader, type LoadDesiredOptions, loadDesired } from '../../input/load-desired.ts';
import { missingPath } from '../../input/sources/project.ts';
import { userRegisterPages } from '../../run/state/files/register-pages.ts';
import { git } from '../../run/state/origin/git.ts';
import { resolveCommit } from '../../run/state/origin/resolve-commit.ts';
import { registerReader } from '../../service/registers/register-reader.ts';
import type { Context } from '../shell/context.ts';
import { foreignCode } from '../trust/foreign-code.ts';

const mostBytes = 256 * 1024 * 1024;

/**
 * The desired state to compare a change with: a file or folder, or a Git revision, from which the same files are read.
 */
export async function readBaseState(
  base: string,
  files: readonly string[],
  context: Context,
): Promise<Result<Desired>> {
  const { cwd, env } = context.io;
  const missing = noRevision(base);
  const commit = await resolveCommit(base, { cwd, env, flag: '--base', missing });
  const isFile =
    !commitId.test(base) &&
    (await stat(context.path(base)).then(
      () => true,
      () => false,
    ));
  // A file with the name of a revision must not replace it: the change under review may have added the file.
  if (isFile && commit.problems[0] === missing) return loadDesired([base], loadOptions(context));
  if (!commit.ok) return commit;
  return isFile
    ? failed(fileAndRevision(base))
    : readRevision(base, commit.value, { files: filesFor(files, context), context });
}

async function readRevision(
  revision: string,
  commit: string,
  { files, context }: { readonly files: readonly string[]; readonly context: Context },
): Promise<Result<Desired>> {
  const folder = await mkdtemp(join(tmpdir(), 'rampart-base-'));
  try {
    const checkedOut = await checkOut(revision, commit, { folder, context });
    if (checkedOut !== null) return checkedOut;
    const outside = files.find((file) => file.startsWith('/') || file.split('/').includes('..'));
    if (outside !== undefined) {
      return failed(
        problem('usage', `--base ${revision} needs files below this folder, and ${outside} is outside it`, {
          hint: 'run the command in the folder of the files, or use a file: --base FILE',
        }),
      );
    }
    return await loadDesired(files, { ...loadOptions(context), cwd: folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Copies the contents of this folder at the revision to another folder; null if that worked. */
async function checkOut(
  revision: string,
  commit: string,
  { folder, context: { io } }: { readonly folder: string; readonly context: Context },
): Promise<Result<never> | null> {
  const archive = join(folder, 'base.tar');
  const execute = promisify(execFile);
  const environment = { PATH: io.env['PATH'] ?? '', HOME: io.env['HOME'] ?? '' };
  try {
    const argv = ['archive', '--format=tar', `--output=${archive}`, commit];
    const options = { cwd: io.cwd, env: io.env, maxBytes: mostBytes };
    if ((await git(argv, options)) === undefined) return failed(noRevision(revision));
    await execute('tar', ['-xf', archive, '-C', folder], { env: environment });
    await rm(archive);
    return null;
  } catch {
    return failed(noRevision(revision));
  }
}

function fileAndRevision(base: string) {
  return problem('usage', `--base ${quoted(base)} is a file here and a Git revision`, {
    hint: `write ./${base} for the file, or the full name of the revision, such as refs/remotes/origin/main`,
  });
}

function noRevision(revision: string) {
  return problem('usage', `--base ${quoted(revision)} is neither a file nor a Git revision`, {
    hint: 'use a branch, a tag, a commit or a file; in a shallow clone, fetch it first: git fetch origin main',
  });
}

/**
 * The desired state of the files given with `-f`, of the account's, or of this folder's. Facts of the account that its
 * rules can't read are errors.
 */
export async function readDesiredState(files: readonly string[], context: Context): Promise<Result<Desired>> {
  const load = context.loadFiles ?? createDesiredLoader(loadOptions(context));
  const desired = await load(filesFor(files, context));
  if (!desired.ok) return failed(...desired.problems.map((each) => placed(each, files, context)));
  const problems = accountFactProblems(desired.value, context.account);
  return problems.length > 0 ? failed(...desired.problems, ...problems) : desired;
}

/** A file that does not exist has the place where the configuration names it. */
function placed(given: Problem, files: readonly string[], { account }: Context): Problem {
  if (files.length > 0 || given.code !== 'file-missing' || given.place !== undefined) return given;
  const file = account?.files.find((each) => missingPath(each).message === given.message);
  const place = account?.places[`files.${file}`];
  return place === undefined ? given : { ...given, place };
}

/** The files given with `-f`; without any, those of the account. None are those of this folder. */
export function filesFor(files: readonly string[], { account }: Context): readonly string[] {
  return files.length > 0 ? files : (account?.files ?? []);
}

/** The same context for the commands of several accounts: the files that they share are read once. */
export function withSharedFiles(context: Context, accounts: readonly AccountConfig[]): Context {
  const lists = accounts.map(({ files }) => files);
  return { ...context, loadFiles: createDesiredLoader(loadOptions(context), lists) };
}

export function loadOptions(context: Context): LoadDesiredOptions {
  const { io, redaction } = context;
  const onOutput = (text: string) => {
    const lines = text.split('\n').map(printable).join('\n');
    io.stderr.write(lines.endsWith('\n') ? lines : `${lines}\n`);
  };
  const why = foreignCode(io.env);
  const pages = userRegisterPages(io.env);
  return {
    cwd: io.cwd,
    onOutput,
    // Foreign code reads no register: a plan would show strangers any row that they request.
    ...(why === null
      ? {
          fetchRegister: registerReader({
            env: io.env,
            folder: io.cwd,
            clock: io.clock,
            hide: redaction.hide,
            ...(pages === undefined ? {} : { pages }),
          }),
        }
      : { noScripts: { why, hint: 'RAMPART_TRUST_FORKS=1 is for jobs without secrets' } }),
  };
}
