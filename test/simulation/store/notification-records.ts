import { ok } from '../../../src/core/problem/problem.ts';
import type {
  DeliveryRecord,
  NotificationRecord,
} from '../../../src/server/notifications/records/notifications.ts';
import type { Store } from '../../../src/server/store/open-store.ts';
import { rowsOf } from './table.ts';
import type { Tables } from './tables.ts';

/** A message with when it may be sent, or claimed by someone else. */
export interface NotificationRow extends NotificationRecord, Pick<DeliveryRecord, 'state' | 'problem'> {
  readonly sentAt: Date | null;
  readonly dueAt: Date;
}

/** As in the database, in milliseconds: longer than a message takes. */
const claimMs = 300_000;

export function notificationsIn(
  { notifications }: Tables,
  now: () => number,
): Pick<Store['notifications'], 'enqueue' | 'claim' | 'due' | 'sent' | 'failed' | 'list'> {
  const isDue = ({ state, dueAt }: NotificationRow) =>
    (state === 'pending' || state === 'sending') && dueAt.getTime() <= now();
  const waiting = (of: Topic) =>
    rowsOf(notifications).find((row) => row.state === 'pending' && isSameTopic(row, of));
  const rowsWith = (ids: readonly string[]) => ids.flatMap((id) => notifications.get(id) ?? []);
  return {
    async enqueue(messages) {
      const latest = new Map(
        messages.map((each) => [JSON.stringify([each.channel, each.kind, each.topic, each.account]), each]),
      );
      for (const { channel, kind, account, topic, facts, delayMs } of latest.values()) {
        const known = waiting({ channel, kind, account, topic });
        if (known !== undefined) {
          notifications.set(known.id, { ...known, facts });
          continue;
        }
        const id = String(rowsOf(notifications).length + 1);
        const createdAt = new Date(now());
        const dueAt = new Date(now() + delayMs);
        const common = { id, channel, kind, account, topic, facts, createdAt, dueAt };
        notifications.set(id, { ...common, state: 'pending', attempts: 0, sentAt: null, problem: null });
      }
    },
    async claim(channel, limit) {
      const due = rowsOf(notifications)
        .filter((row) => row.channel === channel && isDue(row))
        .toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || Number(a.id) - Number(b.id))
        .slice(0, limit)
        .map((row) => ({ ...row, attempts: row.attempts + 1 }));
      for (const row of due)
        notifications.set(row.id, { ...row, state: 'sending', dueAt: new Date(now() + claimMs) });
      return due
        .map(({ id, kind, account, topic, facts, attempts, createdAt }) => ({
          id,
          channel,
          kind,
          account,
          topic,
          facts,
          attempts,
          createdAt,
        }))
        .toSorted((a, b) => Number(a.id) - Number(b.id));
    },
    due: async () =>
      [
        ...new Set(
          rowsOf(notifications)
            .filter(isDue)
            .map(({ channel }) => channel),
        ),
      ].toSorted(),
    async sent(ids, facts = {}) {
      for (const row of rowsWith(ids))
        notifications.set(row.id, {
          ...row,
          state: 'sent',
          sentAt: new Date(now()),
          problem: null,
          facts: { ...row.facts, ...facts },
        });
    },
    async failed(ids, problem, retryMs) {
      // As in one statement: which rows newer ones replace is decided before any of them changes.
      const changed = rowsWith(ids)
        .filter(({ state }) => state === 'sending')
        .map((row): NotificationRow => {
          const state = retryMs === null ? 'dead' : waiting(row) === undefined ? 'pending' : 'replaced';
          return { ...row, state, problem, dueAt: new Date(now() + (retryMs ?? 0)) };
        });
      for (const row of changed) notifications.set(row.id, row);
    },
    async list({ limit = 100 }) {
      const items = rowsOf(notifications)
        .map(({ channel: name, createdAt: created_at, sentAt: sent_at, dueAt, ...row }) => ({
          ...row,
          name,
          created_at,
          sent_at,
          due_at: row.state === 'pending' || row.state === 'sending' ? dueAt : null,
        }))
        .toReversed();
      return ok({ items: items.slice(0, limit) });
    },
  };
}

type Topic = Pick<NotificationRow, 'channel' | 'kind' | 'topic' | 'account'>;

export function isSameTopic(one: Topic, other: Topic): boolean {
  return (
    one.channel === other.channel &&
    one.kind === other.kind &&
    one.topic === other.topic &&
    one.account === other.account
  );
}
