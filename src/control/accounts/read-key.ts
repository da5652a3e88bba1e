import { resolve } from 'node:path';
import { type Problem, problem, warning } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import type { Environment } from '../../run/state/origin/environment.ts';
import { type KeyFile, keyOf, readKeyFile } from '../../service/client/account-key.ts';
import type { KeySource } from './account-config.ts';

export interface KeyReader {
  readonly env: Environment;
  /** Paths are relative to this folder. */
  readonly folder: string;
}

/** The key at a location; undefined if there is none. No problem quotes it. */
export async function readKey(source: KeySource, reader: KeyReader): Promise<Result<string | undefined>> {
  switch (source.kind) {
    case 'variable':
      return readVariable(source.variable, reader.env);
    case 'file':
      return readFile(source.file, reader.folder);
    case 'command':
    case 'vault':
    case 'session':
      return ok(undefined);
  }
}

function readVariable(variable: string, env: Environment): Result<string | undefined> {
  const text = env[variable] ?? '';
  return text === '' ? ok(undefined) : keyOf(text, `the variable ${variable}`);
}

function readFile(path: string, folder: string): Result<string> {
  const file = keyIn(path, folder);
  if (!file.ok) return file;
  return ok(file.value.key, file.value.isShared ? [sharedFile(path)] : []);
}

function sharedFile(path: string): Problem {
  return warning('configuration', `other users can read ${path}`, { hint: `run: chmod 600 ${path}` });
}

/** The key in a file whose path is relative to a folder. */
export function keyIn(file: string, folder: string): Result<KeyFile> {
  return readKeyFile(resolve(folder, file), file);
}

/** Where a key is, for people and for the file of their answers; never the key. */
export function locationOf(source: KeySource, folder: string): string {
  switch (source.kind) {
    case 'variable':
      return `variable ${source.variable}`;
    case 'file':
      return `file ${resolve(folder, source.file)}`;
    case 'command':
      return `command ${source.command.join(' ')}`;
    case 'vault':
      return `vault ${source.vault.address} ${source.vault.mount}/${source.vault.path} ${source.vault.field}`;
    case 'session':
      return `variable ${source.sessionIdVariable}`;
  }
}

/** The key location of the environment; null if it names none. */
export function keySourceOf(env: Environment): Result<KeySource | null> {
  const has = (name: string) => (env[name] ?? '') !== '';
  if (has('RAMPART_SESSION_ID') || has('RAMPART_PROFILE_ID')) {
    return ok({
      kind: 'session',
      sessionIdVariable: 'RAMPART_SESSION_ID',
      profileIdVariable: 'RAMPART_PROFILE_ID',
    });
  }
  if (has('RAMPART_PSK') && has('RAMPART_PSK_FILE')) {
    return failed(
      problem('configuration', 'both RAMPART_PSK and RAMPART_PSK_FILE are set', { hint: 'set one of them' }),
    );
  }
  if (has('RAMPART_PSK_FILE')) return ok({ kind: 'file', file: env['RAMPART_PSK_FILE'] as string });
  return ok(has('RAMPART_PSK') ? { kind: 'variable', variable: 'RAMPART_PSK' } : null);
}
