import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** In a checkout, the process loads the sources and their packages; a built Rampart has one folder with all it needs. */
const isCheckout = import.meta.url.endsWith('.ts');
const child = fileURLToPath(new URL(`./sandbox/script-child${isCheckout ? '.ts' : '.js'}`, import.meta.url));
const readable = isCheckout
  ? [
      join(dirname(dirname(child)), '*'),
      ...['quickjs-emscripten-core', '@jitl'].map((name) =>
        fileURLToPath(new URL(`../../../node_modules/${name}/*`, import.meta.url)),
      ),
    ]
  : [join(dirname(child), '*')];

/** Node's permission model: no file but the code of the sandbox, no process, no thread, no addon. */
const walls = [
  '--permission',
  ...readable.map((path) => `--allow-fs-read=${path}`),
  '--disable-sigusr1',
  '--disable-warning=ExperimentalWarning',
];
/** In kilobytes. QuickJS reaches its own limit first. */
const stackFlag = '--stack-size=3900';

const maxBytes = 256 * 1024 * 1024;

export type End =
  | { readonly kind: 'ended'; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: 'late' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'not-started'; readonly why: string };

/**
 * Runs Node in the process of a script: without environment variables, files, or anything else to reach. `onLine`
 * receives each line that it sends on descriptor 3, and returns the reply, if there is one.
 */
export function runApart(
  args: readonly string[],
  {
    timeLimitMs,
    onLine,
  }: { readonly timeLimitMs: number; readonly onLine: (line: string) => string | undefined },
): Promise<End> {
  const allowDebugger = refuseDebugger();
  const nothing = openSync(devNull, 'r');
  const running = spawn(process.execPath, [...walls, stackFlag, ...args], {
    cwd: dirname(child),
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', ...covered(nothing)],
  });
  closeSync(nothing);
  const channel = running.stdio[3] as unknown as Duplex;
  return new Promise((done) => {
    let stopped: End | undefined;
    const stop = (end: End) => {
      stopped ??= end;
      running.kill('SIGKILL');
    };
    const timer = setTimeout(() => stop({ kind: 'late' }), timeLimitMs);
    const finish = (end: End) => {
      clearTimeout(timer);
      allowDebugger();
      done(stopped ?? end);
    };
    const chunks: Uint8Array[] = [];
    let size = 0;
    channel.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size > maxBytes) return stop({ kind: 'too-large' });
      let rest = chunk;
      for (let at = rest.indexOf(lineEnd); at !== -1; at = rest.indexOf(lineEnd)) {
        const line = Buffer.concat([...chunks.splice(0), rest.subarray(0, at)]).toString();
        rest = rest.subarray(at + 1);
        const reply = onLine(line);
        if (reply !== undefined) channel.write(`${reply}\n`);
      }
      if (rest.length > 0) chunks.push(rest);
    });
    // The process may end before it reads a reply.
    channel.on('error', () => {});
    running.on('error', (error) => finish({ kind: 'not-started', why: error.message }));
    running.on('close', (code, signal) => finish({ kind: 'ended', code, signal }));
  });
}

const lineEnd = 10;

/** The process that runs a script in QuickJS. */
export const scriptChild: readonly string[] = [child];

/**
 * The parent process may have passed open files to Rampart, such as the pipe of `RAMPART_PSK_FILE=<(…)`. The child gets
 * `nothing` in their place. Numbers without an open file stay free: one of them is the pipe by which the child says why it
 * can't start.
 */
function covered(nothing: number): readonly (number | 'ignore')[] {
  try {
    const open = new Set(readdirSync('/dev/fd').map(Number));
    const length = Math.max(0, Math.max(...open) - 3);
    return Array.from({ length }, (_, index) => (open.has(index + 4) ? nothing : 'ignore'));
  } catch {
    return [];
  }
}

/** This signal opens a debugger in a Node process, to which any process on this machine could then connect. */
function refuseDebugger(): () => void {
  const ignore = () => {};
  process.on('SIGUSR1', ignore);
  return () => process.off('SIGUSR1', ignore);
}
