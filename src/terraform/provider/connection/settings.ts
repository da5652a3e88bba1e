import type { Environment } from '../../../core/lib/surroundings.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import { keyOf, readKeyFile } from '../../../service/client/account-key.ts';
import { parseBaseUrl } from '../../../service/client/base-url.ts';
import { type Credentials, checkCredentials } from '../../../service/client/credentials.ts';
import { allowedOriginsVariable, pinnedOrigins } from '../../../service/client/pinned-origins.ts';
import { isUnknown, knownOrNull } from '../../protocol/value/value.ts';
import { type BlockProblem, inArgument, type ResultOfBlock } from './block-problem.ts';
import type { ProviderConfig } from './configuration.ts';

export interface ConnectionSettings {
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
  const { emulator, state } = config;
  return [config, emulator ?? {}, state ?? {}]
    .flatMap((block) => Object.entries(block))
    .filter(([, value]) => isUnknown(value))
    .map(([name]) => name);
}

/**
 * The credentials and the service, from the block or else from the environment. Sends nothing. A key from the machine
 * is sent to an address in the block only if the environment pins its origin: a speculative plan runs the block of a
 * pull request.
 */
export function readConnectionSettings(
  config: ProviderConfig,
  env: Environment,
): ResultOfBlock<ConnectionSettings> {
  const setting = settingsOf(config, env);
  const baseUrl = setting('base_url');
  const problems: BlockProblem[] = [];
  if (baseUrl.value === null) {
    problems.push({
      ...problem('configuration', 'the address of the service is not set', {
        hint: 'set base_url in the provider block, or RAMPART_BASE_URL. To work without an account, add an emulator block',
      }),
      path: ['base_url'],
    });
  } else {
    const url = inArgument(baseUrl.path, parseBaseUrl(baseUrl.value));
    if (!url.ok) return url;
    const unpinned = inArgument(baseUrl.path, pinned(url.value.origin, config, env));
    if (!unpinned.ok) return unpinned;
  }
  const credentials = readCredentials(config, env, setting);
  if (!credentials.ok) problems.push(...credentials.problems);
  if (baseUrl.value === null || !credentials.ok) return { ok: false, problems };
  return ok({
    baseUrl: baseUrl.value,
    credentials: credentials.value,
    companyId: setting('company_id').value,
  });
}

interface Setting {
  readonly value: string | null;
  /** The argument that sets it; null if the environment does. */
  readonly path: readonly [Argument] | null;
}

function settingsOf(config: ProviderConfig, env: Environment): (name: Argument) => Setting {
  return (name) => {
    const own = knownOrNull(config[name]);
    return own === null ? { value: env[variables[name]] || null, path: null } : { value: own, path: [name] };
  };
}

/** A key in the block itself belongs to the configuration, which could send it anywhere without this provider. */
function pinned(origin: string, { base_url, psk }: ProviderConfig, env: Environment): Result<unknown> {
  if (knownOrNull(base_url) === null || psk !== null) return ok(null);
  const origins = pinnedOrigins(env);
  if (!origins.ok || origins.value.has(origin)) return origins;
  return failed(
    problem(
      'unpinned-origin',
      `the key of this machine is not sent to ${origin}, because only base_url in the provider block contains that address`,
      {
        hint: `set RAMPART_BASE_URL, or list the origin in ${allowedOriginsVariable}, in the environment that terraform runs in`,
      },
    ),
  );
}

function readCredentials(
  config: ProviderConfig,
  env: Environment,
  setting: (name: Argument) => Setting,
): ResultOfBlock<Credentials> {
  const sessionId = env['RAMPART_SESSION_ID'] || null;
  const profileId = env['RAMPART_PROFILE_ID'] || null;
  const hasSecret = config.psk !== null || config.psk_file !== null;
  if (!hasSecret && sessionId !== null && profileId !== null) {
    return checkCredentials({ kind: 'session', sessionId, profileId });
  }
  const { value: kind } = setting('auth');
  if (kind !== null && kind !== 'basic' && kind !== 'json') {
    return failed(
      problem('configuration', 'RAMPART_AUTH must be basic or json', { hint: 'unset it to use basic' }),
    );
  }
  const companyId = setting('company_id');
  if (companyId.value === null) return missing('company_id', 'company_id', 'RAMPART_COMPANY_ID');
  const psk = readPsk(config, setting);
  if (!psk.ok) return psk;
  const { value: key, path } = psk.value;
  const checked = checkCredentials({ kind: kind ?? 'basic', companyId: companyId.value, psk: key });
  const isWithoutKey = checked.problems.some(({ code }) => code === 'missing-credentials');
  return inArgument(isWithoutKey ? path : companyId.path, checked);
}

/** The block overrides the environment, for the key and for its file. */
function readPsk(
  { psk_file }: ProviderConfig,
  setting: (name: Argument) => Setting,
): ResultOfBlock<Setting & { readonly value: string }> {
  const psk = setting('psk');
  if (psk.value !== null && (psk_file === null || psk.path !== null)) {
    const key = inArgument(psk.path, keyOf(psk.value, 'the pre-shared key'));
    return key.ok ? ok({ value: key.value, path: psk.path }) : key;
  }
  const file = setting('psk_file');
  if (file.value === null) return missing('psk', 'psk or psk_file', 'RAMPART_PSK or RAMPART_PSK_FILE');
  const read = inArgument(file.path, readKeyFile(file.value, file.value));
  return read.ok ? ok({ value: read.value.key, path: file.path }) : read;
}

function missing(argument: Argument, shown: string, variable: string): ResultOfBlock<never> {
  return inArgument(
    [argument],
    failed(
      problem('missing-credentials', `the provider's argument ${shown} is not set`, {
        hint: `set ${shown} in the provider block, or ${variable} in the environment`,
      }),
    ),
  );
}
