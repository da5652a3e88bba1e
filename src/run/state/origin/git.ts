import { execFile } from 'node:child_process';
import type { Environment } from './environment.ts';

export interface GitOptions {
  readonly cwd: string;
  readonly env: Environment;
  /** Output beyond this is an error; 16 MiB when absent. */
  readonly maxBytes?: number;
}

const usualMaxBytes = 16 * 1024 * 1024;
/** What Git needs of an environment. Keys and tokens of the job are not in it. */
const passed =
  /^(?:PATH|PATHEXT|HOME|USERPROFILE|APPDATA|SYSTEMROOT|TMPDIR|TEMP|TMP|XDG_CONFIG_HOME|(?:HTTPS?|NO|ALL)_PROXY|SSH_.*|GIT_.*)$/i;

/**
 * What git prints, or undefined if it fails. A folder of the checkout that looks like a bare repository, with settings
 * that name programs, is not taken for one; and no object stands for another.
 */
export function git(argv: readonly string[], options: GitOptions): Promise<Buffer | undefined> {
  const { cwd, env, maxBytes = usualMaxBytes } = options;
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => passed.test(name)));
  const always = ['-c', 'safe.bareRepository=explicit', '--no-replace-objects'];
  return new Promise((resolve) => {
    execFile(
      'git',
      [...always, ...argv],
      { cwd, env: { ...own, GIT_TERMINAL_PROMPT: '0' }, encoding: 'buffer', maxBuffer: maxBytes },
      (error, stdout) => resolve(error === null ? stdout : undefined),
    );
  });
}
