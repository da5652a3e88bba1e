import type { Cluster } from '../cluster/cluster.ts';
import type { ReceivedMessage } from '../cluster/receiver.ts';
import { isSameTopic, type NotificationRow } from '../store/notification-records.ts';

/** What people get of the notices that were decided. */
export interface NoticeWatch {
  /** Why a message is wrong; undefined if it is not. */
  receives(message: ReceivedMessage): string | undefined;
  /** Why a notice was lost; undefined if none was. */
  lostWhy(): string | undefined;
}

interface Taken {
  readonly at: number;
  readonly message: ReceivedMessage;
}

/** A notice that was claimed last before the end of a history is still on its way, in milliseconds. */
const onItsWayMs = 6 * 60_000;

export function watchNotices(clusterOf: () => Cluster): NoticeWatch {
  /** By the ids of notices, the last message that had them. */
  const taken = new Map<string, Taken>();
  return {
    receives(message) {
      const { world, database } = clusterOf();
      for (const notice of message.claimed) {
        const before = taken.get(notice.id);
        taken.set(notice.id, { at: world.now(), message });
        if (!contains(message, notice)) return `"${notice.topic}" is not in the message about it`;
        if (before === undefined || !before.message.isAcknowledged) continue;
        // The sender may not have been able to record it.
        if (before.message.machine.hasStoppedSince(before.at) || database.hasFailedSince(before.at)) continue;
        return `"${notice.topic}" is sent again`;
      }
      return undefined;
    },
    lostWhy() {
      const { database, world } = clusterOf();
      const rows = [...database.tables.notifications.entries()].map(([, row]) => row);
      for (const row of rows) {
        const why = faultOf(row, rows, world.now());
        if (why !== undefined) return `"${row.topic}" of ${row.account ?? 'no account'} is ${why}`;
      }
      return undefined;
    },
  };

  function faultOf(row: NotificationRow, rows: readonly NotificationRow[], now: number): string | undefined {
    const { id, state, problem, dueAt, createdAt } = row;
    switch (state) {
      case 'sent':
        return taken.has(id) ? undefined : 'sent, and nobody got it';
      case 'dead':
        return problem === null ? 'given up for no reason' : undefined;
      case 'replaced':
        return rows.some((other) => Number(other.id) > Number(id) && isSameTopic(other, row))
          ? undefined
          : 'replaced by nothing';
      case 'pending':
      case 'sending': {
        const isNew = createdAt.getTime() > now - onItsWayMs;
        const isTriedAgain = problem !== null && dueAt.getTime() > now;
        return isNew || isTriedAgain ? undefined : `${state}, and nobody sends it`;
      }
    }
  }
}

/** Notices about one topic are one section, which has the title of the first and names the accounts of all. */
function contains(
  { body }: ReceivedMessage,
  { kind, account, facts }: ReceivedMessage['claimed'][number],
): boolean {
  if (body.left_out > 0) return true;
  return body.notices.some(
    (section) =>
      section.kind === kind &&
      (account === null
        ? section.heading.startsWith(String(facts['title']).slice(0, 100))
        : [section.heading, ...section.lines].some((text) => text.includes(account))),
  );
}
