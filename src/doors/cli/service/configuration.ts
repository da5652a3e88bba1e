import { resolve } from 'node:path';
import { type Problem, problem, warning } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import { type KeyFile, keyOf, readKeyFile } from '../../../service/client/account-key.ts';
import type { Aliases } from '../../../service/client/aliases.ts';
import { type Credentials, checkCredentials } from '../../../service/client/credentials.ts';
import type { Environment } from '../shell/io.ts';
import { isAutomated } from '../trust/automation.ts';
import { type Ask, checkOrigin } from '../trust/check-origin.ts';
import { configFileName, configRefVariable } from '../trust/config-source.ts';
import { loadProfileFile, type Profile, type ProfileFile } from './profile-file.ts';

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
  readonly profile?: string;
  /** Asks the user at the terminal. */
  readonly ask: Ask;
}

/**
 * The credentials and the service: from the environment, or from the variables and files that a profile names. If only
 * the checkout names the address for the key, this is refused, or confirmed at a terminal.
 */
export async function readConfiguration(options: ConfigurationOptions): Promise<Result<Configuration>> {
  const { env, cwd } = options;
  const file = await loadProfileFile({ folder: cwd, env }, options.profile);
  if (!file.ok) return file;
  const { profile, aliases, isReviewed } = file.value;
  const settings: Settings = { ...fromEnvironment(env), ...fromProfile(profile, env) };
  const problems: Problem[] = [];
  const warnings: Problem[] = [...file.problems];

  if (settings.baseUrl === undefined) {
    problems.push(
      problem('configuration', "the service's address is not set", {
        hint: 'set RAMPART_BASE_URL; to try it without an account, add --emulator',
      }),
    );
  }
  const auth = settings.auth ?? 'basic';
  if (auth !== 'basic' && auth !== 'json') {
    problems.push(
      problem('configuration', 'RAMPART_AUTH must be basic or json', { hint: 'unset it to use basic' }),
    );
  }
  const distrusted = distrustedFiles(file.value, env);
  if (distrusted.length > 0) return failed(...distrusted);
  if (!isReviewed && profile.baseUrl !== undefined) {
    const key = keyLabel(settings, profile, cwd);
    const pinned = await checkOrigin({ ...options, baseUrl: profile.baseUrl, key });
    if (!pinned.ok) return pinned;
    warnings.push(...pinned.problems);
  }
  const credentials = readCredentials(settings, cwd, warnings);
  if (!credentials.ok) problems.push(...credentials.problems);
  if (problems.length > 0 || !credentials.ok) return failed(...problems);
  return ok(
    {
      baseUrl: settings.baseUrl as string,
      credentials: credentials.value,
      companyId: settings.companyId ?? null,
      aliases,
    },
    warnings,
  );
}

/** In a pipeline, a file of the checkout may not choose which file of the machine is a key. */
function distrustedFiles({ profile, isReviewed }: ProfileFile, env: Environment): readonly Problem[] {
  if (isReviewed || profile.pskFile === undefined || !isAutomated(env)) return [];
  return [
    problem(
      'unpinned-origin',
      `the profile refers to a key file, but ${configFileName} is part of the checkout`,
      {
        hint: `set RAMPART_PSK_FILE to the path, or read ${configFileName} from a reviewed commit with ${configRefVariable}`,
      },
    ),
  ];
}

/** The location of the key, for people and for the file of their answers; never the key. */
function keyLabel(settings: Settings, profile: Profile, cwd: string): string {
  if (settings.sessionId !== undefined)
    return `variable ${profile.sessionIdVariable ?? 'RAMPART_SESSION_ID'}`;
  if (settings.pskFile) return `file ${resolve(cwd, settings.pskFile)}`;
  return `variable ${profile.pskVariable ?? 'RAMPART_PSK'}`;
}

interface Settings {
  readonly baseUrl?: string;
  readonly companyId?: string;
  readonly psk?: string;
  readonly pskFile?: string;
  readonly auth?: string;
  readonly sessionId?: string;
  readonly profileId?: string;
}

function fromEnvironment(env: Environment): Settings {
  return withoutEmpty({
    baseUrl: env['RAMPART_BASE_URL'],
    companyId: env['RAMPART_COMPANY_ID'],
    psk: env['RAMPART_PSK'],
    pskFile: env['RAMPART_PSK_FILE'],
    auth: env['RAMPART_AUTH'],
    sessionId: env['RAMPART_SESSION_ID'],
    profileId: env['RAMPART_PROFILE_ID'],
  });
}

/** If a profile says where the secret is, the secret in the environment is ignored. */
function fromProfile(profile: Profile, env: Environment): Settings {
  const { pskVariable, pskFile, sessionIdVariable, profileIdVariable } = profile;
  const variable = (name: string | undefined) => (name === undefined ? undefined : (env[name] ?? ''));
  const settings = withoutEmpty({
    baseUrl: profile.baseUrl,
    companyId: profile.companyId,
    auth: profile.auth,
    sessionId: variable(sessionIdVariable),
    profileId: variable(profileIdVariable),
  });
  if (pskVariable === undefined && pskFile === undefined) return settings;
  return { ...settings, psk: variable(pskVariable) ?? '', pskFile: pskFile ?? '' };
}

function withoutEmpty(values: Readonly<Record<keyof Settings, string | undefined>> | object): Settings {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== ''),
  );
}

function readCredentials(settings: Settings, cwd: string, warnings: Problem[]): Result<Credentials> {
  const { companyId, sessionId, profileId, auth } = settings;
  if (sessionId !== undefined || profileId !== undefined) {
    if (sessionId === undefined || profileId === undefined) {
      return failed(
        missing(
          'session credentials need both RAMPART_SESSION_ID and RAMPART_PROFILE_ID, and one is not set',
        ),
      );
    }
    return checkCredentials({ kind: 'session', sessionId, profileId });
  }
  const psk = readPsk(settings, cwd, warnings);
  if (!psk.ok) return psk;
  if (companyId === undefined && psk.value === undefined) return failed(missing('no credentials are set'));
  if (companyId === undefined) return failed(missing('RAMPART_COMPANY_ID is not set'));
  if (psk.value === undefined) return failed(missing('neither RAMPART_PSK nor RAMPART_PSK_FILE is set'));
  return checkCredentials({ kind: auth === 'json' ? 'json' : 'basic', companyId, psk: psk.value });
}

function readPsk(settings: Settings, cwd: string, warnings: Problem[]): Result<string | undefined> {
  const psk = settings.psk || undefined;
  const pskFile = settings.pskFile || undefined;
  if (psk !== undefined && pskFile !== undefined) {
    return failed(
      problem('configuration', 'both RAMPART_PSK and RAMPART_PSK_FILE are set', { hint: 'set one of them' }),
    );
  }
  if (psk !== undefined) return keyOf(psk, 'the variable of the key');
  if (pskFile === undefined) return ok(undefined);
  const file = keyIn(pskFile, cwd);
  if (!file.ok) return file;
  if (file.value.isShared) {
    warnings.push(
      warning('configuration', `other users can read ${pskFile}`, { hint: `run: chmod 600 ${pskFile}` }),
    );
  }
  return ok(file.value.key);
}

/** The key in a file whose path is relative to a folder. */
export function keyIn(pskFile: string, cwd: string): Result<KeyFile> {
  return readKeyFile(resolve(cwd, pskFile), pskFile);
}

function missing(what: string): Problem {
  return problem('missing-credentials', what, {
    hint: 'set RAMPART_COMPANY_ID and RAMPART_PSK (or RAMPART_PSK_FILE); to try it without an account, add --emulator',
  });
}
