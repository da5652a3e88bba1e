import { resolve } from 'node:path';
import { problem, warning } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import type { Environment } from '../../run/state/origin/environment.ts';
import { type KeyFile, keyOf, readKeyFile } from '../../service/client/account-key.ts';
import type { KeySource, VaultLogin } from './account-config.ts';

/** A secret of the machine that the process can read by itself. */
export type LocalSource = Extract<KeySource, { readonly kind: 'variable' | 'file' }>;

export function tokenSourceOf(login: VaultLogin): KeySource {
  switch (login.kind) {
    case 'token':
      return { kind: 'variable', variable: login.variable };
    case 'token-file':
      return { kind: 'file', file: login.file };
    case 'jwt':
      return login.token;
  }
}

/**
 * The secret in a variable or a file; undefined if the variable is not set. `what` is the kind of file. No problem quotes
 * the secret.
 */
export function readLocal(
  source: LocalSource,
  { env, folder }: { readonly env: Environment; readonly folder: string },
  what = 'key file',
): Result<string | undefined> {
  if (source.kind === 'variable') {
    const text = env[source.variable] ?? '';
    return text === '' ? ok(undefined) : keyOf(text, `the variable ${source.variable}`);
  }
  const read = readKeyFile(resolve(folder, source.file), source.file, what);
  if (!read.ok) return read;
  if (!read.value.isShared) return ok(read.value.key);
  const hint = `run: chmod 600 ${source.file}`;
  return ok(read.value.key, [warning('configuration', `other users can read ${source.file}`, { hint })]);
}

/** The token of a login; a failure if there is none. */
export function readToken(
  login: VaultLogin,
  place: { readonly env: Environment; readonly folder: string },
): Result<string> {
  const source = tokenSourceOf(login);
  const token =
    source.kind === 'variable' || source.kind === 'file' ? readLocal(source, place) : ok(undefined);
  if (!token.ok) return token;
  if (token.value !== undefined && token.value !== '') return ok(token.value, token.problems);
  return failed(
    problem('missing-credentials', 'the token for Vault is not set', {
      hint:
        source.kind === 'variable' ? `set the variable ${source.variable}` : 'write the token to the file',
    }),
  );
}

/** The key in a file whose path is relative to a folder. */
export function keyIn(file: string, folder: string): Result<KeyFile> {
  return readKeyFile(resolve(folder, file), file);
}
