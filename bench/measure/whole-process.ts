import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { median } from './in-turns.ts';

export interface Command {
  readonly file: string;
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Any exit is accepted. */
  readonly mayFail?: boolean;
  /** Killed as soon as this resolves. */
  readonly killedAt?: Promise<void>;
}

export interface WholeProcess {
  readonly ms: number;
  /** Absent if the system doesn't report it. */
  readonly peakMb?: number;
  /** The same for the largest of the processes that it started. */
  readonly childPeakMb?: number;
  /** Null: killed. */
  readonly exitCode: number | null;
  readonly stdout: string;
}

/** Runs a program from its start to its end. Rejects if it fails and may not. */
export async function runProcess(command: Command): Promise<WholeProcess> {
  const { file, argv, cwd, env, mayFail = false, killedAt } = command;
  const start = performance.now();
  const child = spawn(file, argv, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, ...env },
  });
  void killedAt?.then(() => child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  let peakMb: number | undefined;
  let childPeakMb: number | undefined;
  const watch = setInterval(() => {
    peakMb = peakOf(child.pid) ?? peakMb;
    for (const pid of childrenOf(child.pid)) childPeakMb = Math.max(childPeakMb ?? 0, peakOf(pid) ?? 0);
  }, 20);
  const ended = Promise.withResolvers<number | null>();
  child.once('error', ended.reject);
  child.once('close', ended.resolve);
  const exitCode = await ended.promise.finally(() => clearInterval(watch));
  const ms = performance.now() - start;
  if (exitCode !== 0 && !mayFail) {
    throw new Error(`${file} ${argv.join(' ')} ended with ${exitCode}: ${stderr.trim() || stdout.trim()}`);
  }
  return {
    ms,
    ...(peakMb === undefined ? {} : { peakMb }),
    ...(childPeakMb === undefined ? {} : { childPeakMb }),
    exitCode,
    stdout,
  };
}

/** Runs each command once a round, one after another; gives medians of time and peak memory, in the same order. */
export async function processesInTurns(
  rounds: number,
  commands: readonly Command[],
): Promise<readonly { readonly ms: number; readonly peakMb: number }[]> {
  const runs = commands.map((): WholeProcess[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, command] of commands.entries()) runs[index]?.push(await runProcess(command));
  }
  return runs.map((each) => ({
    ms: median(each.map(({ ms }) => ms)),
    peakMb: median(each.map(({ peakMb }) => peakMb ?? 0)),
  }));
}

/** The most memory that a process has had, from what Linux keeps of it: a look just before its end will do. */
function peakOf(pid: number | undefined): number | undefined {
  try {
    const [, kb] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kb === undefined ? undefined : Number(kb) / 1024;
  } catch {
    return undefined;
  }
}

/** The processes that it has started and that still run; empty if the system does not report them. */
function childrenOf(pid: number | undefined): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      Array.from(readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').matchAll(/\d+/g), Number),
    );
  } catch {
    return [];
  }
}
