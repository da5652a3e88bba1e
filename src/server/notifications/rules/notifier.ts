import { openRunStates } from '../../../api/runs.ts';
import type { ChainHead } from '../../../run/state/audit/chain.ts';
import type { ServerSettings } from '../../settings/server-settings.ts';
import type { Store } from '../../store/open-store.ts';
import { accountNotices, expiringNotice, planNotice, runNotice } from './account-notices.ts';
import type { Notice } from './notice.ts';
import { routeNotices } from './route-notices.ts';

export interface NotifierParts {
  readonly store: Pick<Store, 'accounts' | 'causes' | 'plans' | 'runs' | 'notifications' | 'tickets'>;
  readonly settings: Pick<ServerSettings, 'notifications' | 'accounts'>;
  /** The last signed head of the audit log, of which messages about runs keep a copy; null if nothing is signed. */
  readonly auditHead: () => Promise<ChainHead | null>;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Turns what happens into messages that wait for their channel. Its methods reject only if the database fails. */
export interface Notifier {
  enqueue(...notices: readonly Notice[]): Promise<void>;
  /** Does some work on an account, and reports how the account differs afterwards. */
  watching<T>(account: string, work: () => Promise<T>): Promise<T>;
  /** Works on the run of an account, and reports how it ended. */
  watchingRun<T>(account: string, work: () => Promise<T>): Promise<T>;
  /** Reports the plans that wait and expire soon, each once. */
  expiring(): Promise<void>;
}

/** An account has few causes, since hosts with the same cause are one. */
const mostCauses = 20;
const pageSize = 500;
/** How long before its end a waiting plan is reported, in milliseconds. */
const soonMs = 4 * 3_600_000;

export function createNotifier({ store, settings, auditHead, now }: NotifierParts): Notifier {
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
    async watchingRun(account, work) {
      if (channels.length === 0) return work();
      const page = await store.runs.list({
        visible: 'all',
        account,
        states: openRunStates,
        limit: 1,
      });
      const open = page.ok ? page.value.items[0] : undefined;
      const result = await work();
      const run = open === undefined ? undefined : await store.runs.find(open.id, 'all');
      const notice = run === undefined ? undefined : runNotice(run, await auditHead());
      if (notice !== undefined) await enqueue(notice);
      return result;
    },
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

  async function causesOf(account: string) {
    const page = await store.causes.list({ visible: 'all', account, limit: mostCauses });
    return page.ok ? page.value.items : [];
  }
}
