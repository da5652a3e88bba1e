import type { Queue } from '../queue/queue.ts';
import { sourceOf } from '../settings/read-server-settings.ts';
import type { ServerSettings } from '../settings/server-settings.ts';
import type { Sources } from '../sources/open-sources.ts';
import type { Store } from '../store/open-store.ts';

export interface FetchParts {
  readonly settings: ServerSettings;
  readonly sources: Pick<Sources, 'refresh'>;
  readonly store: Pick<Store, 'sources'>;
  readonly queue: Pick<Queue, 'send'>;
}

/** Looks for a new commit of a source. If there is one, all servers use it, and the accounts of the source are checked. */
export async function fetchSourceJob(
  name: string,
  { settings, sources, store, queue }: FetchParts,
  signal: AbortSignal,
): Promise<void> {
  if (!settings.sources.some((source) => source.name === name)) return;
  const found = await sources.refresh(name, signal);
  if (!found.ok) {
    const [first] = found.problems;
    if (first === undefined || signal.aborted) return;
    const { code, message, hint } = first;
    await store.sources.failed(name, { code, message, ...(hint === undefined ? {} : { hint }) });
    return;
  }
  const isNew = await store.sources.fetched(name, found.value.commit);
  if (!isNew) return;
  const accounts = settings.accounts.filter((account) => sourceOf(settings, account).name === name);
  await queue.send(
    'check',
    accounts.map((account) => ({ key: account.name })),
  );
}
