import { execFile } from 'node:child_process';
import { resolve as resolvePath } from 'node:path';
import type { Environment } from '../../../core/lib/surroundings.ts';
import { repositoryAt } from './linked-folder.ts';

export interface GitOptions {
  readonly cwd: string;
  readonly env: Environment;
  /** More output is an error; 16 MiB if absent. */
  readonly maxBytes?: number;
  /** What Git reads from its standard input; nothing if absent. */
  readonly input?: string;
}

const usualMaxBytes = 16_777_216;
/** The environment variables that Git needs. They contain no keys and tokens of the job. */
const passed =
  /^(?:PATH|PATHEXT|HOME|USERPROFILE|APPDATA|SYSTEMROOT|TMPDIR|TEMP|TMP|XDG_CONFIG_HOME|(?:HTTPS?|NO|ALL)_PROXY|SSH_.*|GIT_.*)$/i;

/**
 * The output of git, or undefined if it fails or there is no repository, where git is not started. Git does not use a
 * folder of the checkout that looks like a bare repository, whose settings could name programs, runs no program that
 * watches files, and ignores replacement objects.
 */
export function git(argv: readonly string[], options: GitOptions): Promise<Buffer | undefined> {
  const { cwd, env, maxBytes = usualMaxBytes, input } = options;
  if (env['GIT_DIR'] === undefined && repositoryAt(resolvePath(cwd)) === undefined)
    return Promise.resolve(undefined);
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => passed.test(name)));
  const always = ['-c', 'safe.bareRepository=explicit', '-c', 'core.fsmonitor=false', '--no-replace-objects'];
  return new Promise((resolve) => {
    const child = execFile(
      'git',
      [...always, ...argv],
      { cwd, env: { ...own, GIT_TERMINAL_PROMPT: '0' }, encoding: null, maxBuffer: maxBytes },
      (error, stdout) => resolve(error === null ? stdout : undefined),
    );
    if (input === undefined) return;
    // A child that ended early is reported by its exit code.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** The commit of a revision; undefined if there is no such commit. */
export async function commitAt(revision: string, options: GitOptions): Promise<string | undefined> {
  const verify = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  return (await git(verify, options))?.toString('latin1').trim();
}
