import { readAccounts } from '../../control/accounts/read-accounts.ts';
import { keyIn } from '../../control/accounts/read-token.ts';
import type { Environment } from '../cli/shell/io.ts';
import { createRedaction, type Redaction } from '../cli/shell/redaction.ts';

/** Always secret, whatever their values. */
const known = ['RAMPART_PSK', 'RAMPART_SESSION_ID', 'INPUT_GITHUB-TOKEN'];
const soundsSecret = /psk|secret|passw|token|credential|private|session|(?:^|_)key/i;
/** For other names that look like secrets: shorter values may be ordinary words. */
const shortest = 16;

/**
 * Removes from all output the values of environment variables that look like secrets, the PSK in a file, and the values
 * that the account names. This happens before the first file of a pull request is read, because an error may quote one
 * of its lines.
 */
export async function hideSecrets(
  env: Environment,
  cwd: string,
  account: string | undefined,
): Promise<Redaction> {
  const redaction = createRedaction();
  const named = Object.entries(env)
    .filter(([name, value = '']) => known.includes(name) || isSecret(name, value))
    .map(([, value]) => value);
  const file = account === undefined ? undefined : await readAccounts({ folder: cwd, env });
  const chosen = file?.ok === true ? file.value.accounts.find(({ name }) => name === account) : undefined;
  const key = chosen?.key;
  const variables = [
    key?.kind === 'variable' ? env[key.variable] : undefined,
    key?.kind === 'session' ? env[key.sessionIdVariable] : undefined,
  ];
  const keyFile = key?.kind === 'file' ? key.file : undefined;
  const files = [env['RAMPART_PSK_FILE'], keyFile].map((path) => contentOf(path, cwd));
  const secrets = [...named, ...variables, ...files].filter((each) => each !== undefined && each !== '');
  const company = chosen?.companyId ?? env['RAMPART_COMPANY_ID'];
  redaction.hide(secrets as readonly string[]);
  if (company !== undefined) {
    redaction.hide(secrets.map((each) => Buffer.from(`${company}:${each}`).toString('base64')));
  }
  return redaction;
}

/** The path of a secret is not a secret. */
function isSecret(name: string, value: string): boolean {
  return soundsSecret.test(name) && !/_FILE$|_PATH$/i.test(name) && value.length >= shortest;
}

function contentOf(path: string | undefined, cwd: string): string | undefined {
  if (path === undefined || path === '') return undefined;
  const file = keyIn(path, cwd);
  return file.ok ? file.value.key.trim() : undefined;
}
