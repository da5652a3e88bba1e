import type { AccountConfig } from '../accounts/config/account-config.ts';
import { readAccounts } from '../accounts/config/read-accounts.ts';
import { keyFileOf, keyIn } from '../accounts/config/read-token.ts';
import { createRedaction, type Redaction } from '../accounts/engine/redaction.ts';
import type { Environment } from '../core/lib/surroundings.ts';
import { soundsSecret } from '../core/lib/typed-secrets.ts';
import type { Inputs } from './inputs.ts';

/** Always secret, whatever their values. */
const known = ['RAMPART_PSK', 'RAMPART_SESSION_ID', 'INPUT_GITHUB-TOKEN'];
/** For other names that look like secrets: shorter values may be ordinary words. */
const shortest = 16;

/**
 * Removes from all output the values of environment variables that look like secrets, the PSKs in files, and the values
 * that the account names. This happens before the first file of a pull request is read, because an error may quote one
 * of its lines.
 */
export async function hideSecrets(
  env: Environment,
  cwd: string,
  { account, accounts }: Pick<Inputs, 'account' | 'accounts'>,
): Promise<Redaction> {
  const redaction = createRedaction();
  const named = Object.entries(env)
    .filter(([name, value = '']) => known.includes(name) || isSecret(name, value))
    .map(([, value]) => value);
  const isNamed = account !== undefined || accounts !== undefined;
  const file = isNamed ? await readAccounts({ folder: cwd, env }) : undefined;
  const all = file?.ok === true ? file.value.accounts : [];
  const chosen = accounts === undefined ? all.filter(({ name }) => name === account) : all;
  const own = chosen.map((each) => secretOf(each, env, cwd));
  const files = Object.keys(env).map((name) => contentOf(keyFileOf(name.replace(/_FILE$/, ''), env), cwd));
  const secrets = [...own, ...named, ...files];
  redaction.hide(secrets.flatMap((each) => each || []));
  return redaction;
}

function secretOf({ key }: AccountConfig, env: Environment, cwd: string): string | undefined {
  if (key?.kind === 'variable') return env[key.variable];
  if (key?.kind === 'session') return env[key.sessionIdVariable];
  return key?.kind === 'file' ? contentOf(key.file, cwd) : undefined;
}

/** The path of a secret is not a secret. */
function isSecret(name: string, value: string): boolean {
  return soundsSecret(name) && !/_FILE$|_PATH$/i.test(name) && value.length >= shortest;
}

function contentOf(path: string | undefined, cwd: string): string | undefined {
  if (path === undefined || path === '') return undefined;
  const file = keyIn(path, cwd);
  return file.ok ? file.value.key.trim() : undefined;
}
