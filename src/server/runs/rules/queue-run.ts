import type { ServerRunState } from '../../../api/states.ts';
import { pagesOf } from '../../database/page.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import type { Store } from '../../store/open-store.ts';

type QueueParts = { readonly store: Pick<Store, 'runs'> } & Pick<JobParts, 'queue'>;

/**
 * Adds jobs for runs that have none: their server ended between the two records, they wait for a time, or their job was
 * lost. Those in progress wait for no slot, like all that lost their worker.
 */
export async function requeueRuns(parts: QueueParts): Promise<number> {
  const options = { oncePerMs: requeueMs, onlyIfNone: true };
  const begun = await accountsWithRuns(['running', 'stopping'], parts);
  const continued = await parts.queue.send('run', begun, { ...options, continues: true });
  const waiting = await accountsWithRuns(['queued'], parts);
  return continued + (await parts.queue.send('run', waiting, options));
}

/** The accounts with a run in one of these states. */
async function accountsWithRuns(
  states: readonly ServerRunState[],
  { store }: QueueParts,
): Promise<readonly string[]> {
  const accounts = new Set<string>();
  const pages = pagesOf((cursor) => store.runs.list({ visible: 'all', states, limit: 500, cursor }));
  for await (const page of pages) if (page.ok) for (const { account } of page.value) accounts.add(account);
  return [...accounts];
}

/**
 * Queues the check that shows the result of a run. A check in progress may have read the fleet before the end of the
 * run, so this waits for its end.
 */
export async function queueCheckAfter(
  account: string,
  { queue, clock }: Pick<JobParts, 'queue' | 'clock'>,
): Promise<void> {
  for (let left = mostTries; left > 0; left -= 1) {
    if ((await queue.send('check', [account])) > 0) return;
    await clock.sleep(tryMs);
  }
}

const tryMs = 500;
/** After these, the check of the next cadence has to do. */
const mostTries = 40;

/** A run is queued again at most once in this time, in milliseconds. */
const requeueMs = 60_000;
