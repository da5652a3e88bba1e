import type { ServerSettings } from '../settings/server-settings.ts';
import type { Store } from '../store/open-store.ts';

const dayMs = 86_400_000;
/** Events are only for readers that were away for a while. */
const eventsDays = 7;

/** Removes records that are older than their retention. The embedded database is vacuumed, because nothing else does it. */
export async function pruneJob({
  store,
  settings,
  isEmbedded,
}: {
  readonly store: Pick<Store, 'prune' | 'vacuum'>;
  readonly settings: Pick<ServerSettings, 'retentionMs'>;
  readonly isEmbedded: boolean;
}): Promise<Readonly<Record<string, number>>> {
  const days = Math.ceil(settings.retentionMs / dayMs);
  const pruned = await store.prune({
    runsDays: days,
    historyDays: days,
    eventsDays: Math.min(days, eventsDays),
  });
  if (isEmbedded) await store.vacuum();
  return pruned;
}
