import { resolve } from 'node:path';
import { sha256Hex } from '../../core/lib/hash.ts';
import { type Environment, isSet, type SecretReader } from '../../core/lib/surroundings.ts';
import { looksLikeKey } from '../../core/lib/typed-secrets.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import type { KeySource, VaultLogin } from './account-config.ts';
import { readLocal, tokenSourceOf } from './read-token.ts';
import { runKeyCommand } from './run-key-command.ts';
import { readVaultSecret } from './vault-secret.ts';

/** The key at a location; undefined if there is none. No problem quotes it. */
export async function readKey(source: KeySource, reader: SecretReader): Promise<Result<string | undefined>> {
  switch (source.kind) {
    case 'variable':
    case 'file':
      return readLocal(source, reader);
    case 'command':
      return runKeyCommand(source.command, reader);
    case 'vault':
      return readVaultSecret(source.vault, reader);
    case 'session':
      return ok(undefined);
  }
}

/** The location of a key, for people and for the file of their answers; never the key. */
export function locationOf(source: KeySource, folder: string): string {
  switch (source.kind) {
    case 'variable':
      return `variable ${source.variable}`;
    case 'file':
      return `file ${resolve(folder, source.file)}`;
    case 'command':
      return `command ${source.command[0]} ${sha256Hex(source.command.join('\0')).slice(0, 16)}`;
    case 'vault':
      return `vault ${source.vault.address} ${source.vault.mount}/${source.vault.path} ${source.vault.field}`;
    case 'session':
      return `variable ${source.sessionIdVariable}`;
  }
}

/** Where the token of a login is; never the token. */
export function tokenLocation(login: VaultLogin, folder: string): string {
  return locationOf(tokenSourceOf(login), folder);
}

/** The key location of the environment; null if it names none. */
export function keySourceOf(env: Environment): Result<KeySource | null> {
  if (isSet(env, 'RAMPART_SESSION_ID') || isSet(env, 'RAMPART_PROFILE_ID')) {
    return ok({
      kind: 'session',
      sessionIdVariable: 'RAMPART_SESSION_ID',
      profileIdVariable: 'RAMPART_PROFILE_ID',
    });
  }
  if (isSet(env, 'RAMPART_PSK') && isSet(env, 'RAMPART_PSK_FILE')) {
    return failed(
      problem('configuration', 'both RAMPART_PSK and RAMPART_PSK_FILE are set', { hint: 'set one of them' }),
    );
  }
  if (looksLikeKey(env['RAMPART_PSK_FILE'] ?? '')) {
    return failed(
      problem('configuration', 'RAMPART_PSK_FILE contains a key instead of the path of a file', {
        hint: 'set RAMPART_PSK to the key, or save the key to a file',
      }),
    );
  }
  if (isSet(env, 'RAMPART_PSK_FILE')) return ok({ kind: 'file', file: env['RAMPART_PSK_FILE'] as string });
  return ok(isSet(env, 'RAMPART_PSK') ? { kind: 'variable', variable: 'RAMPART_PSK' } : null);
}
