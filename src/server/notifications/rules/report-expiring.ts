import { pagesOf } from '../../database/page.ts';
import type { Store } from '../../store/open-store.ts';
import { expiringNotice } from './account-notices.ts';
import { enqueueNotices, type NoticeParts } from './route-notices.ts';

const pageSize = 500;
/** How long before its end a waiting plan is reported, in milliseconds. */
const soonMs = 4 * 3_600_000;

/** Reports the plans that wait and expire soon, each once. */
export async function reportExpiring(
  parts: NoticeParts & { readonly store: Pick<Store, 'plans' | 'transaction'> },
): Promise<void> {
  const { store, settings, clock } = parts;
  if (settings.notifications.length === 0) return;
  const query = { visible: 'all', states: ['waiting'], limit: pageSize } as const;
  for await (const page of pagesOf((cursor) => store.plans.list({ ...query, cursor }))) {
    if (!page.ok) return;
    for (const plan of page.value) {
      const left = plan.expiresAt.getTime() - clock.now();
      if (left <= 0 || left > soonMs) continue;
      await store.transaction(async (own) => {
        if (await own.tickets.useJti('expiring plan', plan.id, plan.expiresAt))
          await enqueueNotices([expiringNotice(plan)], parts, own);
      });
    }
  }
}
