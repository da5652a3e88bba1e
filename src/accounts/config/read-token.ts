import { resolve } from 'node:path';
import type { Environment, SecretReader } from '../../core/lib/surroundings.ts';
import { failed, ok, problem, type Result, warning } from '../../core/problem/problem.ts';
import { type KeyFile, keyOf, readKeyFile } from '../../service/client/account-key.ts';
import type { KeySource, VaultLogin } from './account-config.ts';
import { isPskVariable } from './read-key-source.ts';

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

/** A token in a variable, or in the file that the variable with the ending `_FILE` names; undefined if neither is set. */
export function readAccessToken(
  variable: string,
  place: Omit<SecretReader, 'hide'>,
): Result<string | undefined> {
  return readEither(variable, place.env[`${variable}_FILE`] || undefined, place, 'file');
}

function readEither(
  variable: string,
  file: string | undefined,
  place: Omit<SecretReader, 'hide'>,
  what: string,
): Result<string | undefined> {
  const text = place.env[variable] ?? '';
  if (text !== '' && file !== undefined) {
    return failed(
      problem('configuration', `both ${variable} and ${variable}_FILE are set`, { hint: 'set one of them' }),
    );
  }
  if (file !== undefined) return readLocal({ kind: 'file', file }, place, what);
  return text === '' ? ok(undefined) : keyOf(text, `the variable ${variable}`);
}

/**
 * The secret in a variable or a file; undefined if the variable is not set. A key may also be in the file that the
 * variable with the ending `_FILE` names. `what` is the kind of file. No problem quotes the secret.
 */
export function readLocal(
  source: LocalSource,
  { env, folder }: Omit<SecretReader, 'hide'>,
  what = 'key file',
): Result<string | undefined> {
  if (source.kind === 'variable') {
    const { variable } = source;
    return readEither(variable, keyFileOf(variable, env), { env, folder }, what);
  }
  const read = readKeyFile(resolve(folder, source.file), source.file, what);
  if (!read.ok) return read;
  if (!read.value.isShared) return ok(read.value.key);
  const hint = `run: chmod 600 ${source.file}`;
  return ok(read.value.key, [warning('configuration', `other users can read ${source.file}`, { hint })]);
}

/** The file that has the key in place of a variable; undefined if the environment names none. */
export function keyFileOf(variable: string, env: Environment): string | undefined {
  const file = isPskVariable(variable) ? env[`${variable}_FILE`] : undefined;
  return file === '' ? undefined : file;
}

/** The token of a login; a failure if there is none. */
export function readLoginToken(login: VaultLogin, place: Omit<SecretReader, 'hide'>): Result<string> {
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
