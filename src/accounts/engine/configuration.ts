import { isAutomated } from '../../core/lib/pipeline-systems.ts';
import type { Environment, SecretReader } from '../../core/lib/surroundings.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { Aliases } from '../../service/client/aliases.ts';
import { type Credentials, checkCredentials } from '../../service/client/credentials.ts';
import type { AccountConfig, KeySource } from '../config/account-config.ts';
import { configFileName, configRefVariable } from '../config/config-folder.ts';
import { readAliases } from '../config/read-accounts.ts';
import { keySourceOf, locationOf, readKey, tokenLocation } from '../config/read-key.ts';
import type { MaySend, SecretTarget } from './engine-parts.ts';

export interface Configuration {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Null for session credentials if RAMPART_COMPANY_ID is not set. */
  readonly companyId: string | null;
  readonly aliases: Aliases;
}

export interface ConfigurationOptions {
  readonly env: Environment;
  readonly cwd: string;
  /** The account that the command is for; absent if the environment names it. */
  readonly account?: AccountConfig;
  /** Called with each secret as soon as it is known. */
  readonly hide: (secrets: readonly string[]) => void;
  /** Called for each place to which a file of the checkout would send a secret. */
  readonly maySend: MaySend;
}

/**
 * The credentials and the service: from the environment, or from the variables and files that an account names. If only
 * the checkout names the address for the key, `maySend` decides.
 */
export async function readConfiguration(options: ConfigurationOptions): Promise<Result<Configuration>> {
  const { env, cwd, account, hide } = options;
  const aliases = account === undefined ? await readAliases({ folder: cwd, env }) : ok(account.aliases);
  if (!aliases.ok) return aliases;
  const problems: Problem[] = [];
  const warnings: Problem[] = [...aliases.problems];

  const baseUrl = account?.baseUrl ?? valueOf(env, 'RAMPART_BASE_URL');
  if (baseUrl === undefined) {
    problems.push(
      problem('configuration', "the service's address is not set", {
        hint: 'set RAMPART_BASE_URL; to try it without an account, add --emulator',
      }),
    );
  }
  const auth = account?.auth ?? valueOf(env, 'RAMPART_AUTH') ?? 'basic';
  if (auth !== 'basic' && auth !== 'json') {
    problems.push(
      problem('configuration', 'RAMPART_AUTH must be basic or json', { hint: 'unset it to use basic' }),
    );
  }
  const distrusted = account === undefined ? [] : distrustedKey(account, env);
  if (distrusted.length > 0) return failed(...distrusted);
  const found = account?.key === undefined ? keySourceOf(env) : ok(account.key);
  if (account !== undefined && !account.isReviewed) {
    const source = found.ok && found.value !== null ? found.value : usualKey;
    for (const target of targetsOf(account, source, cwd)) {
      const pinned = await options.maySend(target);
      if (!pinned.ok) return pinned;
      warnings.push(...pinned.problems);
    }
  }
  const companyId = account?.companyId ?? valueOf(env, 'RAMPART_COMPANY_ID');
  const credentials = found.ok
    ? await readCredentials(found.value, { companyId, auth, env, folder: cwd, hide })
    : found;
  if (!credentials.ok) return failed(...problems, ...credentials.problems);
  if (problems.length > 0) return failed(...problems);
  return ok(
    {
      baseUrl: baseUrl as string,
      credentials: credentials.value,
      companyId: companyId ?? null,
      aliases: aliases.value,
    },
    [...warnings, ...credentials.problems],
  );
}

/** Where a file of the checkout would send secrets: the key to the service, and a token to Vault. */
function targetsOf({ baseUrl }: AccountConfig, source: KeySource, cwd: string): readonly SecretTarget[] {
  const key = locationOf(source, cwd);
  const service = baseUrl === undefined ? [] : [{ baseUrl, key }];
  if (source.kind !== 'vault') return service;
  const { address, login } = source.vault;
  return [{ baseUrl: address, key: tokenLocation(login, cwd) }, ...service];
}

const usualKey: KeySource = { kind: 'variable', variable: 'RAMPART_PSK' };

/** In a pipeline, a file of the checkout may not choose which file of the machine is a key. */
function distrustedKey({ key, isReviewed, name }: AccountConfig, env: Environment): readonly Problem[] {
  if (isReviewed || key === undefined || key.kind === 'variable' || key.kind === 'session') return [];
  if (!isAutomated(env)) return [];
  return [
    problem(
      'unpinned-origin',
      `the key of account "${name}" is not read from a ${key.kind}: ${configFileName} is part of the checkout`,
      {
        hint: `read ${configFileName} from a reviewed commit with ${configRefVariable}`,
      },
    ),
  ];
}

function valueOf(env: Environment, name: string): string | undefined {
  const value = env[name] ?? '';
  return value === '' ? undefined : value;
}

interface CredentialParts extends SecretReader {
  readonly companyId: string | undefined;
  readonly auth: string;
}

async function readCredentials(
  source: KeySource | null,
  { companyId, auth, env, folder, hide }: CredentialParts,
): Promise<Result<Credentials>> {
  if (source?.kind === 'session') {
    const sessionId = valueOf(env, source.sessionIdVariable);
    const profileId = valueOf(env, source.profileIdVariable);
    if (sessionId !== undefined && profileId !== undefined) {
      return checkCredentials({ kind: 'session', sessionId, profileId });
    }
    const unset = [
      ...(sessionId === undefined ? [source.sessionIdVariable] : []),
      ...(profileId === undefined ? [source.profileIdVariable] : []),
    ];
    const names = unset.join(' and ');
    const both = `${source.sessionIdVariable} and ${source.profileIdVariable}`;
    return failed(
      missing(
        `${names} ${unset.length === 1 ? 'is' : 'are'} not set`,
        `set ${names}: session credentials need both ${both}`,
      ),
    );
  }
  const key = source === null ? ok(undefined) : await readKey(source, { env, folder, hide });
  if (!key.ok) return key;
  if (companyId === undefined && key.value === undefined)
    return failed(missing('no credentials are set', unchosenHint));
  if (companyId === undefined)
    return failed(missing('RAMPART_COMPANY_ID is not set', `set RAMPART_COMPANY_ID; ${trial}`));
  if (key.value === undefined) {
    const variable = source?.kind === 'variable' ? source.variable : undefined;
    return failed(
      variable === undefined
        ? missing(
            'neither RAMPART_PSK nor RAMPART_PSK_FILE is set',
            `set RAMPART_PSK_FILE to the path of a file with the PSK, or RAMPART_PSK to the PSK; ${trial}`,
          )
        : missing(
            `the variable ${variable} is not set`,
            `set ${variable}_FILE to the path of a file with the PSK, or ${variable} to the PSK, because the configuration takes the key from there; ${trial}`,
          ),
    );
  }
  const checked = checkCredentials({ kind: auth === 'json' ? 'json' : 'basic', companyId, psk: key.value });
  return checked.ok ? ok(checked.value, key.problems) : checked;
}

function missing(what: string, hint: string): Problem {
  return problem('missing-credentials', what, { hint });
}

const trial = 'to try it without an account, add --emulator';

const unchosenHint = `set RAMPART_COMPANY_ID and RAMPART_PSK (or RAMPART_PSK_FILE), or name an account of rampart.config.yaml with --account; ${trial}`;
