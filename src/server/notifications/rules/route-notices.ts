import { type LabeledAccount, mayDo } from '../../../api/access/grants.ts';
import type { Clock } from '../../../core/lib/surroundings.ts';
import type { NotificationSettings, ServerSettings } from '../../settings/server-settings.ts';
import type { Store } from '../../store/open-store.ts';
import type { NewNotification } from '../records/notifications.ts';
import type { Notice } from './notice.ts';

/** What routing notices needs. */
export interface NoticeParts {
  readonly settings: Pick<ServerSettings, 'notifications' | 'accounts'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Adds the messages for notices. `own` is the transaction of the reported change: a crash neither loses nor repeats a
 * notice.
 */
export async function enqueueNotices(
  notices: readonly Notice[],
  { settings, clock }: NoticeParts,
  own: Pick<Store, 'notifications'>,
): Promise<void> {
  const messages = routeNotices(notices, settings.notifications, settings.accounts, clock.now());
  if (messages.length > 0) await own.notifications.enqueue(messages);
}

/**
 * One message for each channel that wants a notice. A channel with `where` gets only notices about accounts that it
 * selects. A digest is sent at the end of its slot, so a message waits for the rest of the slot.
 *
 * @public
 */
export function routeNotices(
  notices: readonly Notice[],
  channels: readonly NotificationSettings[],
  accounts: readonly LabeledAccount[],
  now: number,
): readonly NewNotification[] {
  const byName = new Map<string | null, LabeledAccount>(accounts.map((account) => [account.name, account]));
  return notices.flatMap(({ kind, account, topic, facts }) =>
    channels
      .filter((channel) => channel.kinds.includes(kind) && selects(channel, account, byName))
      .map(
        ({ name, digestMs }): NewNotification => ({
          channel: name,
          kind,
          account,
          topic,
          facts: { ...facts },
          delayMs: digestMs === null ? 0 : digestMs - (now % digestMs),
        }),
      ),
  );
}

function selects(
  { where }: NotificationSettings,
  account: string | null,
  byName: ReadonlyMap<string | null, LabeledAccount>,
): boolean {
  if (where === undefined) return true;
  const known = byName.get(account);
  return known !== undefined && mayDo([{ role: 'viewer', where }], 'read', known);
}
