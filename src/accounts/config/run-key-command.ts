import { type ChildProcess, spawn } from 'node:child_process';
import type { Environment, SecretReader } from '../../core/lib/surroundings.ts';
import { failed, problem, type Result } from '../../core/problem/problem.ts';
import { keyOf } from '../../service/client/account-key.ts';

const keyCommandsVariable = 'RAMPART_ALLOW_KEY_COMMANDS';
/** Names of further variables that a key command gets, separated by commas or blanks. */
const keyCommandEnvVariable = 'RAMPART_KEY_COMMAND_ENV';

export interface KeyCommandPlace extends SecretReader {
  /** In milliseconds; 30 seconds if absent. */
  readonly timeLimitMs?: number;
}

const mostBytes = 4096;
const usualTimeLimitMs = 30_000;
/** What programs need to start. Keys and tokens of the job are not passed. */
const passed =
  /^(?:PATH|PATHEXT|HOME|USER|LOGNAME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|TMPDIR|TEMP|TMP|LANG|XDG_\w+)$/i;

/**
 * Runs a program without a shell, and takes its output as the key. The operator must allow commands in the environment.
 * Whatever the program prints on standard error is discarded, because it may hold a secret.
 */
export async function runKeyCommand(
  command: readonly string[],
  place: KeyCommandPlace,
): Promise<Result<string>> {
  const { env, folder, hide, timeLimitMs = usualTimeLimitMs } = place;
  const [program = '', ...argv] = command;
  if (env[keyCommandsVariable] !== '1') {
    return failed(
      problem('configuration', `the key command "${program}" is not run: commands are not allowed`, {
        hint: `set ${keyCommandsVariable}=1 in the environment if you trust the commands of rampart.config.yaml`,
      }),
    );
  }
  const end = await run(program, argv, { cwd: folder, env: environmentOf(env), timeLimitMs });
  if (end.output === undefined) {
    return failed(
      problem('configuration', `the key command "${program}" ${end.why}`, {
        hint: 'run the command in a terminal to see its messages; it must print the key on one line',
      }),
    );
  }
  hide([end.output, end.output.trim()]);
  const key = keyOf(end.output, `the output of the key command "${program}"`);
  if (!key.ok || key.value !== '') return key;
  return failed(problem('configuration', `the key command "${program}" printed nothing`));
}

function environmentOf(env: Environment): Record<string, string> {
  const also = new Set((env[keyCommandEnvVariable] ?? '').split(/[\s,]+/));
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (passed.test(name) || also.has(name))) own[name] = value;
  }
  return own;
}

type End = { readonly output: string } | { readonly output: undefined; readonly why: string };

interface RunOptions {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly timeLimitMs: number;
}

function run(program: string, argv: readonly string[], { cwd, env, timeLimitMs }: RunOptions): Promise<End> {
  return new Promise((resolve) => {
    const child = spawn(program, argv, {
      cwd,
      env,
      shell: false,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (end: End) => {
      clearTimeout(timer);
      killGroup(child);
      child.stdout.destroy();
      resolve(end);
    };
    const failWith = (why: string) => finish({ output: undefined, why });
    const timer = setTimeout(() => failWith(`did not end within ${timeLimitMs / 1000} s`), timeLimitMs);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > mostBytes) failWith(`printed more than ${mostBytes} bytes`);
    });
    child.on('error', (error: NodeJS.ErrnoException) =>
      failWith(`can't be started (${error.code ?? 'unknown'})`),
    );
    child.on('close', (code, signal) => {
      if (code !== 0)
        return failWith(code === null ? `was ended by ${signal}` : `ended with exit code ${code}`);
      try {
        finish({ output: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)) });
      } catch {
        failWith('printed text that is not UTF-8');
      }
    });
  });
}

/** Also ends programs that the command started and left running. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // The group has ended.
  }
}
