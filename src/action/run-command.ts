import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { run } from '../cli/run.ts';
import type { Stream } from '../cli/shell/io.ts';
import type { Environment } from '../core/lib/surroundings.ts';
import type { Problem } from '../core/problem/problem.ts';
import type { ExitCode } from '../run/apply/exit-code.ts';
import type { Job } from './job.ts';

export interface CommandOptions {
  /** Keeps the command's data out of the log. */
  readonly hidden?: 'data' | 'all';
  readonly readOnly?: boolean;
}

export interface CommandEnd {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
  /** Both streams, as written. */
  readonly text: string;
}

/** Runs a rampart command line in this process. The log shows its output, which is also returned. */
export async function runCommand(
  argv: readonly string[],
  { runner, folder, redaction }: Job,
  { hidden, readOnly = true }: CommandOptions = {},
): Promise<CommandEnd> {
  const out: string[] = [];
  const err: string[] = [];
  const text: string[] = [];
  const keeping = (stream: Stream, isShown: boolean, more: string[]): Stream => ({
    ...stream,
    write(written) {
      const safe = redaction.redact(written);
      text.push(safe);
      more.push(safe);
      if (isShown) stream.write(safe);
    },
  });
  const { io } = runner;
  const env: Environment = readOnly ? { ...io.env, RAMPART_READ_ONLY: '1' } : io.env;
  const code = await run(
    argv,
    {
      ...io,
      env,
      cwd: folder,
      stdout: keeping(io.stdout, hidden === undefined, out),
      stderr: keeping(io.stderr, hidden !== 'all', err),
    },
    (secrets) => hideNew(secrets, { runner, redaction }),
  );
  return { code, out: out.join(''), err: err.join(''), text: text.join('') };
}

/** Shorter texts may be ordinary words. */
const shortestSecret = 6;

/**
 * A key from Vault or from a command is unknown until it is read. From then on, neither this step nor the runner shows
 * it.
 */
function hideNew(secrets: readonly string[], { runner, redaction }: Pick<Job, 'runner' | 'redaction'>): void {
  // The output of a command ends with a line break, and the runner would search for the secret with it.
  for (const secret of secrets.map((each) => each.trim())) {
    if (secret.length < shortestSecret || redaction.redact(secret) !== secret) continue;
    redaction.hide([secret]);
    runner.mask(secret);
  }
}

/** The path of a file or folder that one job keeps for another, unless the input names it. */
export function keptPath({ inputs, folder, runner }: Job, ending: string): string {
  const usual = join(runner.io.env['RUNNER_TEMP'] || folder, `rampart-${inputs.key}.${ending}`);
  return inputs.planPath === undefined ? usual : resolve(folder, inputs.planPath);
}

/** The document that a command wrote to a file, which is removed; undefined if there is none. */
export async function takeDocument<T>(path: string): Promise<T | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  await rm(path, { force: true });
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

/** Flags for every command that reads a desired state. */
export function stateFlags(job: Job): readonly string[] {
  const { files, flags } = job.inputs;
  return [...files.map((file) => `--file=${file}`), ...accountFlag(job), ...flags];
}

/** The account of the step, or the expression that selects its accounts. */
export function accountFlag({ inputs: { account, accounts } }: Job): readonly string[] {
  if (accounts !== undefined) return [`--accounts=${accounts}`];
  return account === undefined ? [] : [`--account=${account}`];
}

export function observedFlag({ inputs: { observed } }: Job): readonly string[] {
  return observed === undefined ? [] : [`--observed=${observed}`];
}

/** The output of a command for one of several accounts. */
export interface AccountOutput {
  readonly account: string;
  /** Null if the command did not start for it. */
  readonly exit_code: ExitCode | null;
  readonly output: object | null;
}

/** Undefined if the command ended before the first account, for example because of an unknown label. */
export function accountOutputs({ out }: CommandEnd): readonly AccountOutput[] | undefined {
  const document: object = JSON.parse(out || '{}');
  return 'accounts' in document ? (document.accounts as readonly AccountOutput[]) : undefined;
}

/** Says which account has a problem. */
export function inAccount(account: string, problem: Problem): Problem {
  return { ...problem, message: `${account}: ${problem.message}` };
}
