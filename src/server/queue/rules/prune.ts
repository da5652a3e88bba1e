import type { ServerSettings } from '../../settings/server-settings.ts';
import type { Store } from '../../store/open-store.ts';

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
  const pruned = await store.prune(settings.retentionMs);
  if (isEmbedded) await store.vacuum();
  return pruned;
}
