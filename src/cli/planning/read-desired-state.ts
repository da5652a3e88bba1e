import type { AccountConfig } from '../../accounts/config/account-config.ts';
import { printable } from '../../core/lib/words.ts';
import type { Desired } from '../../core/model/desired.ts';
import { accountFactProblems } from '../../core/plan/intents/account-fact-problems.ts';
import { failed, type Problem, type Result } from '../../core/problem/problem.ts';
import type { LoadDesiredOptions } from '../../input/load-desired.ts';
import { createDesiredLoader } from '../../input/load-many.ts';
import { missingPath } from '../../input/sources/project.ts';
import { userRegisterPages } from '../../run/state/files/register-pages.ts';
import { registerReader } from '../../service/registers/register-reader.ts';
import type { Context } from '../shell/context.ts';
import { foreignCode } from '../trust/foreign-code.ts';

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
