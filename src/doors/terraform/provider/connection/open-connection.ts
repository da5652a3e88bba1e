import type { Clock } from '../../../../core/lib/clock.ts';
import type { Account } from '../../../../core/model/account.ts';
import { ok, type Result } from '../../../../core/problem/result.ts';
import { createAdaptivePacer } from '../../../../service/client/adaptive-pacer.ts';
import type { Client } from '../../../../service/client/client.ts';
import { createClient } from '../../../../service/client/create-client.ts';
import { type Credentials, secretsOf } from '../../../../service/client/credentials.ts';
import { createCutoff } from '../../../../service/client/cutoff.ts';
import { readOnlyOf } from '../../../../service/client/read-only.ts';
import { systemClock } from '../../../../service/client/system-clock.ts';
import { createUndiciExchange } from '../../../../service/client/undici-exchange.ts';
import type { Exchange } from '../../../../service/contract/message.ts';
import { knownOrNull } from '../../protocol/value/unknown.ts';
import type { ProviderConfig } from './configuration.ts';
import { type Environment, readSettings } from './settings.ts';

/** A client of one account, which has sent nothing yet. */
export interface Connection {
  readonly account: Account;
  readonly client: Client;
  readonly isReadOnly: boolean;
  /** What no record may hold. */
  readonly secrets: readonly string[];
  /** Ends all requests after a few seconds. */
  interrupt(): void;
}

export interface Surroundings {
  readonly env: Environment;
  readonly clock: Clock;
  /** How long waits for an enrolment keep still between two lists, in milliseconds; a minute when absent. */
  readonly pollMs?: number;
}

interface Channel {
  readonly account: Account;
  readonly exchange: Exchange;
  readonly credentials: Credentials;
  readonly close: () => Promise<void>;
}

/** To the service that the block or the environment names, or to the emulated one. */
export async function openConnection(
  config: ProviderConfig,
  { env, clock }: Surroundings,
): Promise<Result<Connection>> {
  const channel =
    config.emulator === null ? openHttp(config, env) : await openEmulated(config.emulator, clock);
  if (!channel.ok) return channel;
  const { account, exchange, credentials, close } = channel.value;
  const readOnly = knownOrNull(config.read_only) ?? readOnlyOf(env['RAMPART_READ_ONLY']);
  const cutoff = createCutoff(systemClock);
  const client = createClient({
    exchange,
    credentials,
    clock,
    pacers: (_action, onWait) => createAdaptivePacer({ clock, onWait }),
    readOnly,
    cutoff,
    async close() {
      cutoff.close();
      await close();
    },
  });
  return ok(
    {
      account,
      client,
      isReadOnly: readOnly !== false,
      secrets: secretsOf(credentials),
      interrupt: () => cutoff.interrupt(),
    },
    channel.problems,
  );
}

function openHttp(config: ProviderConfig, env: Environment): Result<Channel> {
  const settings = readSettings(config, env);
  if (!settings.ok) return settings;
  const { baseUrl, credentials, companyId } = settings.value;
  const http = createUndiciExchange({ baseUrl, env });
  if (!http.ok) return http;
  const { origin, pathname } = new URL(baseUrl);
  const service = `${origin}${pathname}`.replace(/\/+$/, '');
  return ok({ ...http.value, credentials, account: { companyId, service } });
}

async function openEmulated(
  block: NonNullable<ProviderConfig['emulator']>,
  clock: Clock,
): Promise<Result<Channel>> {
  const { openEmulatedService } = await import('./emulated-service.ts');
  const seedFile = knownOrNull(block.seed_file);
  const stateFile = knownOrNull(block.state_file) ?? '';
  const opened = openEmulatedService({ seedFile, stateFile }, clock);
  if (!opened.ok) return opened;
  const { companyId } = opened.value.credentials;
  return ok({ ...opened.value, account: { companyId, service: 'emulator' }, close: async () => undefined });
}
