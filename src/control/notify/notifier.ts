import type { ServerSettings } from '../settings/server-settings.ts';
import type { Store } from '../store/open-store.ts';
import { accountNotices, expiringNotice, planNotice, runNotice } from './account-notices.ts';
import type { Notice } from './notice.ts';
import { routeNotices } from './route-notices.ts';

export interface NotifierParts {
  readonly store: Pick<Store, 'accounts' | 'causes' | 'plans' | 'notifications'>;
  readonly settings: Pick<ServerSettings, 'notifications' | 'accounts'>;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Turns what happens into messages that wait for their channel. Its methods reject only if the database fails. */
export interface Notifier {
  enqueue(...notices: readonly Notice[]): Promise<void>;
  /** Does some work on an account, and reports how the account differs afterwards. */
  watching<T>(account: string, work: () => Promise<T>): Promise<T>;
  /** Reports the plans that wait and expire in this span of time. */
  expiring(from: Date, until: Date): Promise<void>;
}

/** An account has few causes, since hosts with the same cause are one. */
const mostCauses = 20;
const pageSize = 500;

export function createNotifier({ store, settings, now }: NotifierParts): Notifier {
  const { notifications: channels, accounts } = settings;
  const enqueue = async (...notices: readonly Notice[]) => {
    const messages = routeNotices(notices, channels, accounts, now());
    if (messages.length > 0) await store.notifications.enqueue(messages);
  };
  return {
    enqueue,
    async watching(account, work) {
      if (channels.length === 0) return work();
      const before = await store.accounts.find(account, 'all');
      const result = await work();
      const after = await store.accounts.find(account, 'all');
      if (after === undefined || after.version === before?.version) return result;
      const causes = (after.drifted ?? 0) > 0 ? await causesOf(account) : [];
      const notices = [...accountNotices({ before, after }, causes)];
      if (after.plan !== null && after.plan.id !== before?.plan?.id) {
        const plan = await store.plans.find(after.plan.id, 'all');
        if (plan?.state === 'waiting') notices.push(planNotice(plan));
      }
      await enqueue(...notices);
      return result;
    },
    async expiring(from, until) {
      let cursor: string | undefined;
      do {
        const page = await store.plans.list({
          visible: 'all',
          states: ['waiting'],
          limit: pageSize,
          ...(cursor === undefined ? {} : { cursor }),
        });
        if (!page.ok) return;
        const soon = page.value.items.filter(({ expiresAt }) => expiresAt > from && expiresAt <= until);
        await enqueue(...soon.map(expiringNotice));
        cursor = page.value.next;
      } while (cursor !== undefined);
    },
  };

  async function causesOf(account: string) {
    const page = await store.causes.list({ visible: 'all', account, limit: mostCauses });
    return page.ok ? page.value.items : [];
  }
}

/** How a run ended, as a notice; nothing if it has not ended. */
export function noticesOfRun(run: Parameters<typeof runNotice>[0] | undefined): readonly Notice[] {
  const notice = run === undefined ? undefined : runNotice(run);
  return notice === undefined ? [] : [notice];
}
