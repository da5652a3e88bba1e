import type { Environment } from '../../core/lib/surroundings.ts';
import { type Account, bareAddress } from '../../core/model/account.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { recallQuery } from '../../run/state/recall-runs.ts';
import { trackLists } from '../../run/state/track-lists.ts';
import { parseBaseUrl } from '../../service/client/base-url.ts';
import { secretsOf } from '../../service/client/credentials.ts';
import { createCutoff } from '../../service/client/cutoff.ts';
import { allowedOriginsVariable, pinnedOrigins } from '../../service/client/pinned-origins.ts';
import { systemClock } from '../../service/client/system-clock.ts';
import type { AccountConfig } from '../config/account-config.ts';
import { configFileName } from '../config/config-folder.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { type Connection, connectionOn, shareLists } from './connection.ts';
import type { EngineParts, MaySend } from './engine-parts.ts';
import type { RunSource } from './planning.ts';

/** A connection to one account, with the records of its earlier runs. */
export interface OpenAccount extends Connection {
  /** The runs that planning needs, which were read together with the times of lists. */
  readonly runs: RunSource;
}

/** Reads the key of an account and the records of its runs. Sends nothing to its service yet. */
export async function openAccount(account: AccountConfig, parts: EngineParts): Promise<Result<OpenAccount>> {
  const { env, folder, clock, hide, state, exchanges, signal, bound, maxWaitMs, onEvent } = parts;
  const maySend = parts.maySend ?? pinnedOnly(env);
  const configuration = await readConfiguration({ env, cwd: folder, account, hide, maySend });
  if (!configuration.ok) return configuration;
  const { baseUrl, credentials, aliases } = configuration.value;
  hide(secretsOf(credentials));
  const exchange = exchanges.to(baseUrl, bound);
  if (!exchange.ok) return exchange;
  const service = toAccount(configuration.value);
  const earlier = await readEarlier(service, parts);
  if (!earlier.ok) return earlier;
  const lists = trackLists(earlier.value.listTimes, clock);
  // Time on a socket is real time, whatever clock the work uses.
  const cutoff = createCutoff(systemClock);
  const interrupt = () => cutoff.interrupt();
  if (signal?.aborted === true) interrupt();
  signal?.addEventListener('abort', interrupt);
  const connection = connectionOn({
    account: service,
    exchange: exchange.value,
    credentials,
    aliases,
    lists,
    env,
    clock,
    cutoff,
    maxWaitMs,
    onEvent,
    close: async () => {
      signal?.removeEventListener('abort', interrupt);
      await shareLists(state, service, lists);
      return ok(null);
    },
  });
  return ok({ ...connection, runs: earlier.value.runs }, configuration.problems);
}

export function toAccount({ baseUrl, companyId }: Pick<Configuration, 'baseUrl' | 'companyId'>): Account {
  return { companyId, service: bareAddress(new URL(baseUrl)) };
}

/** The runs for planning and the times of lists, in one round trip. */
async function readEarlier(account: Account, { state, clock }: EngineParts) {
  const skew = await state.clockSkewMs();
  if (!skew.ok) return skew;
  const query = recallQuery(account, { now: clock.now() + skew.value });
  const earlier = await state.readEarlier(account, query);
  if (!earlier.ok) return earlier;
  const { listTimes } = earlier.value;
  const runs: RunSource = {
    clockSkewMs: async () => skew,
    listRuns: async (asked) =>
      (asked.since ?? 0) >= query.since ? ok(earlier.value.runs, earlier.problems) : state.listRuns(asked),
  };
  return ok({ listTimes, runs });
}

/** Secrets are sent only to origins that the environment pins. */
function pinnedOnly(env: Environment): MaySend {
  return async ({ baseUrl, key }) => {
    const origin = unpinnedOrigin(baseUrl, env);
    if (!origin.ok || origin.value === null) return origin.ok ? ok(null) : origin;
    return failed(unpinned(key, origin.value, `add the origin to ${allowedOriginsVariable}`));
  };
}

/** The origin of an address if the environment does not pin it, else null. */
export function unpinnedOrigin(baseUrl: string, env: Environment): Result<string | null> {
  const url = parseBaseUrl(baseUrl);
  if (!url.ok) return url;
  const pinned = pinnedOrigins(env);
  if (!pinned.ok) return pinned;
  return ok(pinned.value.has(url.value.origin) ? null : url.value.origin);
}

export function unpinned(key: string, origin: string, hint: string): Problem {
  return problem(
    'unpinned-origin',
    `the key in ${key} is not sent to ${origin}: only ${configFileName} in this folder contains that address`,
    { hint },
  );
}
