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
  let cursor: string | undefined;
  do {
    const page = await store.plans.list({
      visible: 'all',
      states: ['waiting'],
      limit: pageSize,
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (!page.ok) return;
    for (const plan of page.value.items) {
      const left = plan.expiresAt.getTime() - clock.now();
      if (left <= 0 || left > soonMs) continue;
      await store.transaction(async (own) => {
        if (await own.tickets.useJti('expiring plan', plan.id, plan.expiresAt))
          await enqueueNotices([expiringNotice(plan)], parts, own);
      });
    }
    cursor = page.value.next;
  } while (cursor !== undefined);
}
