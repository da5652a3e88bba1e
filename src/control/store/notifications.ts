import { notBuilt } from './not-built.ts';
import type { StoreDb } from './tables.ts';

export interface NewNotification {
  /** The name of the channel in the settings. */
  readonly channel: string;
  readonly kind: string;
  readonly account: string | null;
  /** What the message is about, such as a cause. A pending message about the same topic takes the new facts in. */
  readonly topic: string;
  readonly facts: Readonly<Record<string, unknown>>;
  /** When it may be sent at the earliest, from now; the rest of a digest. */
  readonly delayMs: number;
}

export interface NotificationRecord extends Omit<NewNotification, 'delayMs'> {
  readonly id: string;
  readonly attempts: number;
  readonly createdAt: Date;
}

export interface ChannelRecord {
  readonly channel: string;
  readonly pending: number;
  readonly dead: number;
  readonly lastSentAt: Date | null;
  readonly problem: string | null;
}

export type Notifications = ReturnType<typeof notificationsOn>;

export function notificationsOn(_db: StoreDb) {
  return {
    enqueue: (_messages: readonly NewNotification[]): Promise<void> => notBuilt(),
    /** Claims the messages of a channel that are due, for some minutes: nobody else gets them meanwhile. */
    claim: (_channel: string, _limit: number): Promise<readonly NotificationRecord[]> => notBuilt(),
    /** The channels that have messages to send now. */
    due: (): Promise<readonly string[]> => notBuilt(),
    sent: (_ids: readonly string[]): Promise<void> => notBuilt(),
    /** Tries again after `retryMs`; null gives the messages up, until a redrive. */
    failed: (_ids: readonly string[], _problem: string, _retryMs: number | null): Promise<void> => notBuilt(),
    /** Sends the messages of a channel again that were given up. Returns how many. */
    redrive: (_channel: string): Promise<number> => notBuilt(),
    channels: (): Promise<readonly ChannelRecord[]> => notBuilt(),
  };
}
