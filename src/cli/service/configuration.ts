import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Aliases } from '../../client/aliases.ts';
import { type Credentials, checkCredentials } from '../../client/credentials.ts';
import { type Problem, problem, warning } from '../../problem/problem.ts';
import { failed, ok, type Result } from '../../problem/result.ts';
import type { Environment } from '../shell/io.ts';
import { loadProfileFile, type Profile } from './profile-file.ts';

export interface Configuration {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Null with session credentials where RAMPART_COMPANY_ID does not say it. */
  readonly companyId: string | null;
  readonly aliases: Aliases;
}

export interface ConfigurationOptions {
  readonly env: Environment;
  readonly cwd: string;
  readonly profile?: string;
}

/** Who calls which service: from the environment, or from the variables and files that a profile names. */
export async function readConfiguration(options: ConfigurationOptions): Promise<Result<Configuration>> {
  const file = await loadProfileFile(options.cwd, options.profile);
  if (!file.ok) return file;
  const settings: Settings = {
    ...fromEnvironment(options.env),
    ...fromProfile(file.value.profile, options.env),
  };
  const problems: Problem[] = [];
  const warnings: Problem[] = [];

  if (settings.baseUrl === undefined) {
    problems.push(
      problem('configuration', 'the service’s address is not known', {
        hint: 'set RAMPART_BASE_URL; to try it without an account, add --emulator',
      }),
    );
  }
  const auth = settings.auth ?? 'basic';
  if (auth !== 'basic' && auth !== 'json') {
    problems.push(
      problem('configuration', 'RAMPART_AUTH is neither basic nor json', { hint: 'leave it out for basic' }),
    );
  }
  const credentials = await readCredentials(settings, options.cwd, warnings);
  if (!credentials.ok) problems.push(...credentials.problems);
  if (problems.length > 0 || !credentials.ok) return failed(...problems);
  return ok(
    {
      baseUrl: settings.baseUrl as string,
      credentials: credentials.value,
      companyId: settings.companyId ?? null,
      aliases: file.value.aliases,
    },
    warnings,
  );
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

/** Where a profile says where the secret is, the environment's own secret is not looked at. */
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

async function readCredentials(
  settings: Settings,
  cwd: string,
  warnings: Problem[],
): Promise<Result<Credentials>> {
  const { companyId, sessionId, profileId, auth } = settings;
  if (sessionId !== undefined || profileId !== undefined) {
    if (sessionId === undefined || profileId === undefined) {
      return failed(
        missing('session credentials are RAMPART_SESSION_ID and RAMPART_PROFILE_ID, and one is not set'),
      );
    }
    return checkCredentials({ kind: 'session', sessionId, profileId });
  }
  const psk = await readPsk(settings, cwd, warnings);
  if (!psk.ok) return psk;
  if (companyId === undefined && psk.value === undefined) return failed(missing('no credentials are set'));
  if (companyId === undefined) return failed(missing('RAMPART_COMPANY_ID is not set'));
  if (psk.value === undefined) return failed(missing('neither RAMPART_PSK nor RAMPART_PSK_FILE is set'));
  return checkCredentials({ kind: auth === 'json' ? 'json' : 'basic', companyId, psk: psk.value });
}

async function readPsk(
  settings: Settings,
  cwd: string,
  warnings: Problem[],
): Promise<Result<string | undefined>> {
  const psk = settings.psk || undefined;
  const pskFile = settings.pskFile || undefined;
  if (psk !== undefined && pskFile !== undefined) {
    return failed(
      problem('configuration', 'both RAMPART_PSK and RAMPART_PSK_FILE are set', { hint: 'set one of them' }),
    );
  }
  if (pskFile === undefined) return ok(psk);
  const path = resolve(cwd, pskFile);
  try {
    const text = await readFile(path, 'utf8');
    if (((await stat(path)).mode & 0o077) !== 0) {
      warnings.push(warning('configuration', `others can read ${pskFile}`, { hint: `chmod 600 ${pskFile}` }));
    }
    return ok(text.replace(/\r?\n$/, ''));
  } catch {
    return failed(
      problem('configuration', `the PSK file ${pskFile} can't be read`, { hint: 'see RAMPART_PSK_FILE' }),
    );
  }
}

function missing(what: string): Problem {
  return problem('missing-credentials', what, {
    hint: 'set RAMPART_COMPANY_ID and RAMPART_PSK (or RAMPART_PSK_FILE); to try it without an account, add --emulator',
  });
}
