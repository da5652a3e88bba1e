import { join } from 'node:path';

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined if it is not set or empty. */
export function valueOf(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

/** The folder for settings of the user, outside of every project; undefined if the user has none. */
export function userFolder(env: Environment): string | undefined {
  const home = env['HOME'] || env['USERPROFILE'];
  const folder = env['XDG_CONFIG_HOME'] || env['APPDATA'] || (home ? join(home, '.config') : '');
  return folder === '' ? undefined : join(folder, 'rampart');
}
