import { resolve } from 'node:path';
import { openState } from '../../../../run/state/open-state.ts';
import {
  isStateUrlGiven,
  type StateUrlOptions,
  secretsOfUrl,
  stateUrlOf,
} from '../../../../run/state/state-url.ts';
import type { OpenState } from '../../fleet/run-record.ts';
import { knownOrNull } from '../../protocol/value/unknown.ts';
import type { ProviderConfig } from './configuration.ts';

export interface StateOpener {
  readonly open: OpenState;
  /** A database, not a folder. */
  readonly isShared: boolean;
  /** The address of the database and its password. */
  readonly secrets: readonly string[];
  /** Closes connections, if there are any. */
  close(): Promise<void>;
}

/**
 * The database of the `state` block or of the environment, or else the folder; null where none is given. An emulated
 * fleet is nobody else's, so its runs never go to a database.
 */
export function createStateOpener(
  config: Pick<ProviderConfig, 'state' | 'state_dir' | 'emulator'>,
  env: StateUrlOptions['env'],
): StateOpener | null {
  const stateDir = knownOrNull(config.state_dir);
  const given = config.emulator === null ? databaseOf(config, env) : undefined;
  if (stateDir === null && given === undefined) return null;
  let opened: ReturnType<OpenState> | undefined;
  const url = given === undefined ? undefined : stateUrlOf(given);
  const secrets = url?.ok === true && url.value !== undefined ? secretsOfUrl(url.value) : [];
  const open: OpenState = async () => {
    if (url?.ok === false) return url;
    return openState({ stateDir: resolve(stateDir ?? '.'), shown: stateDir ?? '', url: url?.value });
  };
  return {
    open: () => (opened ??= open()),
    isShared: given !== undefined,
    secrets,
    async close() {
      const state = await opened;
      if (state?.ok === true) await state.value.close();
    },
  };
}

/** The block has precedence over the environment. */
function databaseOf(
  { state }: Pick<ProviderConfig, 'state'>,
  env: StateUrlOptions['env'],
): StateUrlOptions | undefined {
  const path = (given: string) => resolve(given);
  const names = { url: 'url of the state block', file: 'url_file of the state block' };
  const block = {
    [names.url]: knownOrNull(state?.url) ?? undefined,
    [names.file]: knownOrNull(state?.url_file) ?? undefined,
  };
  if (isStateUrlGiven(block, names)) return { env: block, path, names };
  return isStateUrlGiven(env) ? { env, path } : undefined;
}
