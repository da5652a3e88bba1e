import type { ServerSettings } from '../../settings/server-settings.ts';
import type { Store } from '../../store/open-store.ts';
import { expiringNotice } from './account-notices.ts';
import type { Notice } from './notice.ts';
import { routeNotices } from './route-notices.ts';

export interface NotifierParts {
  readonly store: Pick<Store, 'plans' | 'notifications' | 'tickets'>;
  readonly settings: Pick<ServerSettings, 'notifications' | 'accounts'>;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Turns what happens into messages that wait for their channel. Its methods reject only if the database fails. */
export interface Notifier {
  enqueue(...notices: readonly Notice[]): Promise<void>;
  /** Reports the plans that wait and expire soon, each once. */
  expiring(): Promise<void>;
}

const pageSize = 500;
/** How long before its end a waiting plan is reported, in milliseconds. */
const soonMs = 4 * 3_600_000;

export function createNotifier({ store, settings, now }: NotifierParts): Notifier {
  const { notifications: channels, accounts } = settings;
  const enqueue = async (...notices: readonly Notice[]) => {
    const messages = routeNotices(notices, channels, accounts, now());
    if (messages.length > 0) await store.notifications.enqueue(messages);
  };
  return {
    enqueue,
    async expiring() {
      if (channels.length === 0) return;
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
          const left = plan.expiresAt.getTime() - now();
          if (left <= 0 || left > soonMs) continue;
          if (await store.tickets.useJti('expiring plan', plan.id, plan.expiresAt))
            await enqueue(expiringNotice(plan));
        }
        cursor = page.value.next;
      } while (cursor !== undefined);
    },
  };
}
