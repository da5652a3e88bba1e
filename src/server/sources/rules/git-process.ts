import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { killGroup } from '../../../accounts/config/run-key-command.ts';
import { codeOf } from '../../../core/lib/error-code.ts';
import type { Environment } from '../../../core/lib/surroundings.ts';

/** How a call of Git ended. The text that Git printed may quote the remote, so it is hostile. */
export type GitEnd =
  | { readonly kind: 'done'; readonly output: Buffer }
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'stopped'; readonly why: 'time' | 'size' | 'cancelled' }
  | { readonly kind: 'not-started'; readonly code: string };

export interface GitCall {
  readonly argv: readonly string[];
  /** The bare repository. */
  readonly folder: string;
  readonly env: Environment;
  /** Settings for this call only. They are passed in the environment, because arguments are visible to all users. */
  readonly settings?: readonly (readonly [key: string, value: string])[];
  /** The protocols that Git may use; none if absent. */
  readonly protocols?: readonly string[];
  /** How to start SSH. Without it, Git can't. */
  readonly ssh?: string | undefined;
  readonly input?: string | undefined;
  /** The most bytes of output. */
  readonly mostBytes: number;
  /** The most bytes that the repository may grow to. */
  readonly mostStored: number;
  /** When the call is ended, as `performance.now()` counts. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
}

/** The variables that Git and SSH need. They contain no keys and tokens of the server. */
const passed = /^(?:PATH|HOME|TMPDIR|TEMP|TMP|SYSTEMROOT|USERPROFILE|(?:HTTPS?|NO|ALL)_PROXY)$/i;
/** By the names of Git. */
const always: Readonly<Record<string, string>> = {
  'core.hooksPath': devNull,
  'core.fsmonitor': 'false',
  'core.bigFileThreshold': '1m',
  'credential.helper': '',
  'fetch.fsckObjects': 'true',
  'fetch.recurseSubmodules': 'false',
  'fetch.writeCommitGraph': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'pack.threads': '1',
  'http.followRedirects': 'false',
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '20',
  'protocol.allow': 'user',
  'safe.bareRepository': 'all',
  'submodule.recurse': 'false',
};
const lookMs = 100;
const mostErrorBytes = 8192;

/**
 * Runs the Git of this machine without its configuration, hooks, helpers, prompts and redirects. The process gets a
 * group of its own, which is killed as a whole, since Git leaves its helpers running.
 */
export function runGit(call: GitCall): Promise<GitEnd> {
  const { argv, folder, input, mostBytes, mostStored, deadline, signal } = call;
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve({ kind: 'stopped', why: 'cancelled' });
    const child = spawn('git', ['--no-replace-objects', ...argv], {
      cwd: folder,
      env: environmentOf(call),
      shell: false,
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let errors = '';
    const finish = (end: GitEnd) => {
      clearInterval(watch);
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      killGroup(child);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      resolve(end);
    };
    const cancel = () => finish({ kind: 'stopped', why: 'cancelled' });
    const tooLarge = () => finish({ kind: 'stopped', why: 'size' });
    const watch = setInterval(() => {
      if (storedBytes(folder) > mostStored) tooLarge();
    }, lookMs);
    const left = Math.max(1, deadline - performance.now());
    const timer = setTimeout(() => finish({ kind: 'stopped', why: 'time' }), left);
    signal?.addEventListener('abort', cancel);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > mostBytes) return tooLarge();
      chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (errors.length < mostErrorBytes) errors += chunk.toString('utf8');
    });
    // A child that ended early is reported by its exit code.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('error', (error) => finish({ kind: 'not-started', code: codeOf(error) }));
    child.on('close', (code) => {
      if (code !== 0) return finish({ kind: 'failed', text: errors });
      return storedBytes(folder) > mostStored
        ? tooLarge()
        : finish({ kind: 'done', output: Buffer.concat(chunks) });
    });
  });
}

/** The variables of this process that Git gets. */
export function gitVariables(env: Environment): Record<string, string> {
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && passed.test(name)) own[name] = value;
  }
  return own;
}

function environmentOf({
  env,
  settings = [],
  protocols = [],
  ssh = falseProgram,
}: GitCall): Record<string, string> {
  const own = gitVariables(env);
  const all = [...Object.entries(always), ...settings];
  for (const [at, [key, value]] of all.entries()) {
    own[`GIT_CONFIG_KEY_${at}`] = key;
    own[`GIT_CONFIG_VALUE_${at}`] = value;
  }
  return {
    ...own,
    GIT_CONFIG_COUNT: String(all.length),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_DIR: '.',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: falseProgram,
    SSH_ASKPASS: falseProgram,
    GIT_SSH_COMMAND: ssh,
    GIT_SSH_VARIANT: 'ssh',
    GIT_ALLOW_PROTOCOL: protocols.length === 0 ? 'none' : protocols.join(':'),
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    // The difference between two objects may be a few bytes and make an object of any size, which Git has in memory.
    GIT_ALLOC_LIMIT: '128m',
    LC_ALL: 'C',
    LANGUAGE: '',
  };
}

/** Fails, so a question for a password ends at once. */
const falseProgram = process.platform === 'win32' ? 'cmd /c exit 1' : '/bin/false';

/** What Git has stored, with files that it is still writing. */
function storedBytes(repository: string): number {
  let size = 0;
  for (const folder of ['objects', 'objects/pack']) {
    try {
      for (const name of readdirSync(join(repository, folder))) {
        const found = statSync(join(repository, folder, name));
        if (found.isFile()) size += found.size;
      }
    } catch {
      // There is no such folder before the first fetch, and Git removes files that it has written.
    }
  }
  return size;
}
