import { join } from 'node:path';
import type { Environment } from '../../../core/lib/surroundings.ts';

/** The folder for settings of the user, outside of every project; undefined if the user has none. */
export function userFolder(env: Environment): string | undefined {
  const home = env['HOME'] || env['USERPROFILE'];
  const folder = env['XDG_CONFIG_HOME'] || env['APPDATA'] || (home ? join(home, '.config') : '');
  return folder === '' ? undefined : join(folder, 'rampart');
}
