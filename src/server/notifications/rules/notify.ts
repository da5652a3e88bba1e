import type { Clock, Environment } from '../../../core/lib/surroundings.ts';
import type { Result } from '../../../core/problem/problem.ts';
import { createGuardedHttp } from '../../../service/client/guarded-fetch.ts';
import { forgePrefix } from '../../plans/records/commit-plans.ts';
import type { ServerSettings } from '../../settings/server-settings.ts';
import type { Store } from '../../store/open-store.ts';
import { type DeliverParts, deliver, sendTest } from './deliver.ts';
import { deliverToForge, type ForgeDelivery, testForge } from './deliver-to-forge.ts';

export interface NotifyParts {
  readonly settings: Pick<ServerSettings, 'notifications' | 'sources' | 'url' | 'folder' | 'allow'>;
  readonly store: Pick<Store, 'notifications' | 'plans'>;
  readonly env: Environment;
  readonly hide: (secrets: readonly string[]) => void;
  readonly clock: Clock;
  /** Hears why messages of a channel were not sent, and after how many milliseconds they are sent again; null: never. */
  readonly onUnsent?: (channel: string, message: string, retryMs: number | null) => void;
}

/** The most messages of one job; the next tick sends the rest. */
const mostMessages = 20;

/** Sends what is due for one channel of people, or for the forge of one source. */
export async function notifyJob(channel: string, parts: NotifyParts, signal: AbortSignal): Promise<void> {
  const work = channel.startsWith(forgePrefix) ? deliverToForge : deliver;
  await withHttp(parts, signal, async (sending) => {
    for (let sent = 0; sent < mostMessages && !signal.aborted; sent += 1) {
      const onFailure = (message: string, retryMs: number | null) =>
        parts.onUnsent?.(channel, message, retryMs);
      if (!(await work(channel, { ...sending, onFailure }))) return;
    }
  });
}

/** Sends a test message through one channel now; the value is its receiver. */
export async function testNotification(name: string, parts: NotifyParts): Promise<Result<string>> {
  return withHttp(
    parts,
    undefined,
    async (sending) => (await testForge(name, sending)) ?? sendTest(name, sending),
  );
}

async function withHttp<T>(
  { settings, store, env, hide, clock }: NotifyParts,
  signal: AbortSignal | undefined,
  work: (parts: DeliverParts & ForgeDelivery) => Promise<T>,
): Promise<T> {
  const { allow, folder } = settings;
  const http = createGuardedHttp({ allowed: allow, env });
  try {
    return await work({
      settings,
      store,
      env,
      folder,
      hide,
      allow,
      http,
      now: () => clock.now(),
      ...(signal === undefined ? {} : { signal }),
    });
  } finally {
    await http.close();
  }
}
