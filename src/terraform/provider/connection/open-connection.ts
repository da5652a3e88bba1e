import type { Clock, Environment } from '../../../core/lib/surroundings.ts';
import { type Account, bareAddress } from '../../../core/model/account.ts';
import { ok } from '../../../core/problem/problem.ts';
import { requiredSigners } from '../../../run/signature/required-signers.ts';
import type { ListTime } from '../../../run/state/interface/state.ts';
import { type ListTracker, trackLists } from '../../../run/state/track-lists.ts';
import { createAdaptivePacer } from '../../../service/client/adaptive-pacer.ts';
import type { Client } from '../../../service/client/client.ts';
import { createClient } from '../../../service/client/create-client.ts';
import { type Credentials, secretsOf } from '../../../service/client/credentials.ts';
import { createCutoff } from '../../../service/client/cutoff.ts';
import { readOnlyOf } from '../../../service/client/read-only.ts';
import { systemClock } from '../../../service/client/system-clock.ts';
import { createUndiciExchange } from '../../../service/client/undici-exchange.ts';
import type { Exchange } from '../../../service/contract/message.ts';
import type { FleetInventoryPlace } from '../../fleet/fleet-inputs.ts';
import { log } from '../../protocol/plugin/log.ts';
import { knownOrNull } from '../../protocol/value/value.ts';
import type { ResultOfBlock } from './block-problem.ts';
import type { ProviderConfig } from './configuration.ts';
import { eventRecord } from './event-record.ts';
import { inventoryPlaceOf } from './inventory-place-of.ts';
import { readConnectionSettings } from './settings.ts';
import { createStateOpener, type StateOpener } from './state-opener.ts';

/** A client of one account, which has not sent anything yet. */
export interface ProviderConnection {
  readonly account: Account;
  readonly client: Client;
  /** Where runs are recorded; null: nowhere. */
  readonly state: StateOpener | null;
  readonly inventory: FleetInventoryPlace;
  /** The secrets, which no record may contain. */
  readonly secrets: readonly string[];
  /** Ends all requests after a few seconds. */
  interrupt(): void;
}

export interface Surroundings {
  readonly env: Environment;
  readonly clock: Clock;
  /** The pause between two lists while waiting for an enrollment, in milliseconds; a minute if absent. */
  readonly pollMs?: number;
  /** See `CoordinatorOptions`. */
  readonly settleMs?: number;
  /** The folder for temporary files; that of the system if absent. */
  readonly temporaryFolder?: string;
}

interface Channel {
  readonly account: Account;
  readonly exchange: Exchange;
  readonly credentials: Credentials;
  readonly close: () => Promise<void>;
}

/** Connects to the service that the block or the environment names, or to the emulated one. */
export async function openConnection(
  config: ProviderConfig,
  { env, clock }: Surroundings,
): Promise<ResultOfBlock<ProviderConnection>> {
  const opener = createStateOpener(config, env);
  if (!opener.ok) return opener;
  const state = opener.value;
  const inventory = inventoryPlaceOf(config, env, state);
  if (!inventory.ok) return inventory;
  const channel =
    config.emulator === null ? openHttp(config, env) : await openEmulated(config.emulator, clock);
  if (!channel.ok) return channel;
  const { account, exchange, credentials, close } = channel.value;
  const configured = knownOrNull(config.read_only) ?? readOnlyOf(env['RAMPART_READ_ONLY']);
  // The block comes from a pull request, so it can't lift what the operator requires.
  const readOnly =
    configured === false && requiredSigners(env) !== undefined ? ('unsigned' as const) : configured;
  const lists = trackLists(await listTimesOf(state, account), clock);
  const cutoff = createCutoff(systemClock);
  const client = createClient({
    exchange,
    credentials,
    clock,
    pacers(action, onWait) {
      const notBefore = lists.notBefore(action);
      return createAdaptivePacer({ clock, onWait, ...(notBefore === undefined ? {} : { notBefore }) });
    },
    onEvent(event) {
      lists.hear(event);
      const { level, message, fields } = eventRecord(event);
      log(level, message, fields, 'service');
    },
    readOnly,
    cutoff,
    async close() {
      cutoff.close();
      await close();
      await shareLists(state, account, lists);
      await state?.close();
    },
  });
  return ok(
    {
      account,
      client,
      state,
      inventory: inventory.value,
      secrets: [...secretsOf(credentials), ...(state?.secrets ?? [])],
      interrupt: () => cutoff.interrupt(),
    },
    channel.problems,
  );
}

/** Of everyone who shares the state. A state that can't be reached is a problem only where a run needs it. */
async function listTimesOf(opener: StateOpener | null, account: Account): Promise<readonly ListTime[]> {
  const state = await opener?.open();
  const times = state?.ok === true ? await state.value.listTimes(account) : undefined;
  return times?.ok === true ? times.value : [];
}

async function shareLists(opener: StateOpener | null, account: Account, lists: ListTracker): Promise<void> {
  const times = lists.learned();
  if (times.length === 0) return;
  const state = await opener?.open();
  if (state?.ok === true) await state.value.saveListTimes(account, times);
}

function openHttp(config: ProviderConfig, env: Environment): ResultOfBlock<Channel> {
  const settings = readConnectionSettings(config, env);
  if (!settings.ok) return settings;
  const { baseUrl, credentials, companyId } = settings.value;
  const http = createUndiciExchange({ baseUrl, env });
  if (!http.ok) return http;
  const service = bareAddress(new URL(baseUrl));
  return ok({ ...http.value, credentials, account: { companyId, service } });
}

async function openEmulated(
  block: NonNullable<ProviderConfig['emulator']>,
  clock: Clock,
): Promise<ResultOfBlock<Channel>> {
  const { openEmbeddedService } = await import('./emulated-service.ts');
  const seedFile = knownOrNull(block.seed_file);
  const stateFile = knownOrNull(block.state_file) ?? '';
  const opened = openEmbeddedService({ seedFile, stateFile }, clock);
  if (!opened.ok) return opened;
  const { companyId } = opened.value.credentials;
  return ok({ ...opened.value, account: { companyId, service: 'emulator' }, close: async () => undefined });
}
