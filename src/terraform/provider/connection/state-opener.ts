import { resolve } from 'node:path';
import { secretsOfUrl } from '../../../core/lib/postgres-url.ts';
import { failed, ok, problem } from '../../../core/problem/problem.ts';
import { auditKeysOf } from '../../../run/state/audit/audit-keys.ts';
import { openState } from '../../../run/state/open-state.ts';
import { linkedOut } from '../../../run/state/origin/linked-folder.ts';
import { trackedRecords } from '../../../run/state/origin/tracked-records.ts';
import { isStateUrlGiven, type StateUrlOptions, stateUrlOf } from '../../../run/state/state-url.ts';
import type { OpenState } from '../../fleet/run-record.ts';
import { isPresent, knownOrNull } from '../../protocol/value/value.ts';
import { inArgument, type ResultOfBlock } from './block-problem.ts';
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
 * The database of the `state` block or of the environment, or else the folder; null if none is set. An emulated fleet
 * is private, so its runs never go to a database.
 */
export function createStateOpener(
  config: Pick<ProviderConfig, 'state' | 'state_dir' | 'emulator'>,
  env: StateUrlOptions['env'],
): ResultOfBlock<StateOpener | null> {
  const stateDir = knownOrNull(config.state_dir);
  const url = config.emulator === null ? databaseOf(config, env) : ok(undefined);
  if (!url.ok) return url;
  if (stateDir === null && url.value === undefined) return ok(null);
  let opened: ReturnType<OpenState> | undefined;
  const open: OpenState = async () => {
    const linked = url.value === undefined && linkedOut(stateDir ?? '.', stateDir ?? '', process.cwd());
    if (linked) return failed(linked);
    // Each plan and apply relies on these records.
    const tracked =
      url.value === undefined ? await trackedRecords(stateDir ?? '.', { cwd: process.cwd(), env }) : [];
    if (tracked.length > 0) return failed(...tracked);
    const folder = resolve(stateDir ?? '.');
    const auditKeys = auditKeysOf(env, (given) => resolve(given), folder);
    if (!auditKeys.ok) return auditKeys;
    return openState({ stateDir: folder, shown: stateDir ?? '', url: url.value, auditKeys: auditKeys.value });
  };
  return ok({
    open: () => (opened ??= open()),
    isShared: url.value !== undefined,
    secrets: url.value === undefined ? [] : secretsOfUrl(url.value),
    async close() {
      const state = await opened;
      if (state?.ok === true) await state.value.close();
    },
  });
}

/** The block has precedence over the environment. */
function databaseOf(
  { state }: Pick<ProviderConfig, 'state'>,
  env: StateUrlOptions['env'],
): ResultOfBlock<string | undefined> {
  const path = (given: string) => resolve(given);
  const names = { url: 'url of the state block', file: 'url_file of the state block' };
  const block = {
    [names.url]: knownOrNull(state?.url) ?? undefined,
    [names.file]: knownOrNull(state?.url_file) ?? undefined,
  };
  if (isStateUrlGiven(block, names)) {
    const argument = isPresent(state?.url) ? 'url' : 'url_file';
    return inArgument(['state', argument], stateUrlOf({ env: block, path, names }));
  }
  if (isStateUrlGiven(env)) return stateUrlOf({ env, path });
  if (state === null) return ok(undefined);
  return inArgument(
    ['state', 'url'],
    failed(
      problem('configuration', 'the state block does not name a database', {
        hint: 'set url or url_file in the block, or RAMPART_STATE_URL in the environment',
      }),
    ),
  );
}
