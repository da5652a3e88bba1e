import { type Problem, problem } from '../../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../../core/problem/result.ts';
import { keyOf, readKeyFile } from '../../../../service/client/account-key.ts';
import { parseBaseUrl } from '../../../../service/client/base-url.ts';
import { type Credentials, checkCredentials } from '../../../../service/client/credentials.ts';
import { allowedOriginsVariable, pinnedOrigins } from '../../../../service/client/pinned-origins.ts';
import { isUnknown, knownOrNull } from '../../protocol/value/unknown.ts';
import type { ProviderConfig } from './configuration.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ServiceSettings {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Null with session credentials if nothing sets it. */
  readonly companyId: string | null;
}

type Argument = 'base_url' | 'company_id' | 'psk' | 'psk_file' | 'auth';

const variables: Readonly<Record<Argument, string>> = {
  base_url: 'RAMPART_BASE_URL',
  company_id: 'RAMPART_COMPANY_ID',
  psk: 'RAMPART_PSK',
  psk_file: 'RAMPART_PSK_FILE',
  auth: 'RAMPART_AUTH',
};

/** Arguments of the provider block that are known only in an apply. */
export function unknownArguments(config: ProviderConfig): readonly string[] {
  const inEmulator = Object.entries(config.emulator ?? {});
  return [...Object.entries(config), ...inEmulator]
    .filter(([, value]) => isUnknown(value))
    .map(([name]) => name);
}

/**
 * The credentials and the service, from the block or else from the environment. Sends nothing. A key from the machine
 * is sent to an address in the block only if the environment pins its origin: a speculative plan runs the block of a
 * pull request.
 */
export function readSettings(config: ProviderConfig, env: Environment): Result<ServiceSettings> {
  const given = (name: Argument) => knownOrNull(config[name]) ?? (env[variables[name]] || null);
  const baseUrl = given('base_url');
  const problems: Problem[] = [];
  if (baseUrl === null) {
    problems.push(
      problem('configuration', 'the address of the service is not set', {
        hint: 'set base_url in the provider block, or RAMPART_BASE_URL. To work without an account, add an emulator block',
      }),
    );
  }
  const unpinned = unpinnedOrigin(config, env);
  if (unpinned.length > 0) return failed(...unpinned);
  const credentials = readCredentials(config, env, given);
  if (!credentials.ok) problems.push(...credentials.problems);
  if (baseUrl === null || !credentials.ok) return failed(...problems);
  return ok({ baseUrl, credentials: credentials.value, companyId: given('company_id') });
}

/** A key in the block itself belongs to the configuration, which could send it anywhere without this provider. */
function unpinnedOrigin({ base_url, psk }: ProviderConfig, env: Environment): readonly Problem[] {
  const baseUrl = knownOrNull(base_url);
  if (baseUrl === null || psk !== null) return [];
  const url = parseBaseUrl(baseUrl);
  if (!url.ok) return url.problems;
  const pinned = pinnedOrigins(env);
  if (!pinned.ok) return pinned.problems;
  const { origin } = url.value;
  if (pinned.value.has(origin)) return [];
  return [
    problem(
      'unpinned-origin',
      `the key of this machine is not sent to ${origin}, because only base_url in the provider block contains that address`,
      {
        hint: `set RAMPART_BASE_URL, or list the origin in ${allowedOriginsVariable}, in the environment that terraform runs in`,
      },
    ),
  ];
}

function readCredentials(
  config: ProviderConfig,
  env: Environment,
  given: (name: Argument) => string | null,
): Result<Credentials> {
  const sessionId = env['RAMPART_SESSION_ID'] || null;
  const profileId = env['RAMPART_PROFILE_ID'] || null;
  const hasSecret = config.psk !== null || config.psk_file !== null;
  if (!hasSecret && sessionId !== null && profileId !== null) {
    return checkCredentials({ kind: 'session', sessionId, profileId });
  }
  const companyId = given('company_id');
  if (companyId === null) return failed(missing('company_id', 'RAMPART_COMPANY_ID'));
  const psk = readPsk(config, given);
  if (!psk.ok) return psk;
  return checkCredentials({ kind: given('auth') === 'json' ? 'json' : 'basic', companyId, psk: psk.value });
}

/** The block overrides the environment, for the key and for its file. */
function readPsk(config: ProviderConfig, given: (name: Argument) => string | null): Result<string> {
  const psk = config.psk_file === null ? given('psk') : knownOrNull(config.psk);
  if (psk !== null) return keyOf(psk, 'the pre-shared key');
  const path = given('psk_file');
  if (path === null) return failed(missing('psk or psk_file', 'RAMPART_PSK or RAMPART_PSK_FILE'));
  const file = readKeyFile(path, path);
  return file.ok ? ok(file.value.key) : file;
}

function missing(argument: string, variable: string): Problem {
  return problem('missing-credentials', `the provider's argument ${argument} is not set`, {
    hint: `set ${argument} in the provider block, or ${variable} in the environment`,
  });
}
