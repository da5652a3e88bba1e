import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { DeliveryRow } from '../../../api/settings.ts';
import type { Result } from '../../../core/problem/problem.ts';
import { inTransaction, jsonRows, toJson } from '../../../run/state/postgres/in-transaction.ts';
import { type ListPage, type PageRequest, pageLimit, readCursor, toListPage } from '../../database/page.ts';
import { ifGiven, type StoreDb } from '../../database/query.ts';
import type { Stored } from '../../database/stored.ts';
import { changeAndAnnounce, type NewEvent } from '../../events/records/append-events.ts';

export interface NewNotification {
  /** The name of the channel in the settings. */
  readonly channel: string;
  readonly kind: string;
  readonly account: string | null;
  /** What the message is about, such as a cause. A waiting message of the same kind about it gets the new facts. */
  readonly topic: string;
  readonly facts: Readonly<Record<string, unknown>>;
  /** When it may be sent at the earliest, from now: the time that is left of a digest. */
  readonly delayMs: number;
}

export interface NotificationRecord extends Omit<NewNotification, 'delayMs'> {
  readonly id: string;
  /** This one included. */
  readonly attempts: number;
  readonly createdAt: Date;
}

export interface ChannelRecord {
  readonly channel: string;
  readonly dead: number;
  readonly lastSentAt: Date | null;
  /** Why the latest attempt failed; null after a success. */
  readonly problem: string | null;
}

/** A message with what became of it, and the topic that it is about. */
export interface DeliveryRecord extends Stored<DeliveryRow, 'created_at' | 'sent_at' | 'due_at'> {
  readonly topic: string;
}

export interface DeliveryQuery extends Omit<PageRequest, 'visible'> {
  readonly channel?: string | undefined;
  readonly state?: DeliveryRecord['state'] | undefined;
}

/** If a process that claimed messages dies, others may claim them after this time, in seconds. */
const claimSeconds = 300;

export function notificationsOn(db: StoreDb) {
  const changed = (statement: RawBuilder<{ readonly channel: string }>, within = db) =>
    changeAndAnnounce(within, statement, eventsOf);
  return {
    async enqueue(messages: readonly NewNotification[]): Promise<void> {
      if (messages.length === 0) return;
      const latest = new Map(
        messages.map((message) => [
          JSON.stringify([message.channel, message.kind, message.topic, message.account]),
          message,
        ]),
      );
      await sql`
        insert into rampart_server.notification (channel, kind, account, topic, facts, due_at)
        select channel, kind, account, topic, facts, clock_timestamp() + make_interval(secs => "delayMs" / 1000)
        from ${jsonRows(
          [...latest.values()],
          'channel text, kind text, account text, topic text, facts jsonb, "delayMs" double precision',
        )}
        on conflict (channel, kind, topic, (coalesce(account, ''))) where state = 'pending'
          do update set facts = excluded.facts
      `.execute(db);
    },

    /** Claims the messages of a channel that are due: nobody else gets them for some minutes. */
    async claim(channel: string, limit: number): Promise<readonly NotificationRecord[]> {
      const { rows } = await sql<NotificationRecord>`
        update rampart_server.notification set state = 'sending', attempts = attempts + 1,
          due_at = clock_timestamp() + make_interval(secs => ${claimSeconds})
        where id in (
          select id from rampart_server.notification
          where channel = ${channel} and state in ('pending', 'sending') and due_at <= clock_timestamp()
          order by due_at, id limit ${limit} for update skip locked
        )
        returning id::text as id, channel, kind, account, topic, facts, attempts, created_at as "createdAt"
      `.execute(db);
      return rows.toSorted((a, b) => Number(a.id) - Number(b.id));
    },

    /** The channels that have messages to send now. */
    async due(): Promise<readonly string[]> {
      const { rows } = await sql<{ channel: string }>`
        select distinct channel from rampart_server.notification
        where state in ('pending', 'sending') and due_at <= clock_timestamp() order by channel
      `.execute(db);
      return rows.map(({ channel }) => channel);
    },

    /** `facts` are added to those of the messages. */
    async sent(ids: readonly string[], facts: Readonly<Record<string, unknown>> = {}): Promise<void> {
      await changed(sql`
        update rampart_server.notification set state = 'sent', sent_at = clock_timestamp(), problem = null,
          facts = facts || ${toJson(facts)}
        where id = any(${ids}::bigint[]) returning channel
      `);
    },

    /** The facts of the latest message about a topic that was sent. */
    async lastSent(channel: string, kind: string, topic: string): Promise<unknown> {
      const { rows } = await sql<{ facts: unknown }>`
        select facts from rampart_server.notification
        where channel = ${channel} and state = 'sent' and kind = ${kind} and topic = ${topic}
        order by sent_at desc, id desc limit 1
      `.execute(db);
      return rows[0]?.facts;
    },

    /** Tries again after `retryMs`; with null, the messages are not sent again until someone requests it. `problem` holds no secret. */
    async failed(ids: readonly string[], problem: string, retryMs: number | null): Promise<void> {
      await changed(sql`
        update rampart_server.notification as old set problem = ${problem}, failed_at = clock_timestamp(),
          due_at = clock_timestamp() + make_interval(secs => coalesce(${retryMs}::double precision, 0) / 1000),
          state = case when ${retryMs === null} then 'dead' when ${isReplaced} then 'replaced' else 'pending' end
        where id = any(${ids}::bigint[]) and state = 'sending' returning channel
      `);
    },

    /** Sends the messages of a channel again that were given up. Returns how many. */
    async redrive(channel: string): Promise<number> {
      const rows = await changed(sql`
        update rampart_server.notification as old set state = 'pending', attempts = 0, due_at = clock_timestamp()
        where id in (
          select distinct on (kind, topic, account) id from rampart_server.notification
          where channel = ${channel} and state = 'dead' order by kind, topic, account, id desc
        ) and not ${isReplaced} returning channel
      `);
      return rows.length;
    },

    /** Latest first. A message may be about several accounts, so only callers who may see all of them may read it. */
    async list(query: DeliveryQuery): Promise<Result<ListPage<DeliveryRecord>>> {
      const cursor = readCursor(query.cursor, z.tuple([z.string().regex(/^\d{1,18}$/)]));
      if (!cursor.ok) return cursor;
      const limit = pageLimit(query.limit);
      const { rows } = await sql<DeliveryRecord>`
        select id::text as id, channel as name, kind, account, topic, state, attempts, created_at, sent_at,
          case when state in ('pending', 'sending') then due_at end as due_at, problem
        from rampart_server.notification
        where ${ifGiven(query.channel, (channel) => sql`channel = ${channel}`)}
          and ${ifGiven(query.state, (state) => sql`state = ${state}`)}
          and ${ifGiven(cursor.value, ([id]) => sql`id < ${id}::bigint`)}
        order by notification.id desc limit ${limit + 1}
      `.execute(db);
      return toListPage(rows, limit, ({ id }) => [id]);
    },

    /** Sends a message again: one that was given up, or a copy of one that was sent. False if it waits already. */
    async resend(id: string): Promise<boolean> {
      return inTransaction(db, async (transaction) => {
        await sql`
          update rampart_server.notification set state = 'replaced' where id = ${id}::bigint and state = 'dead'
        `.execute(transaction);
        const rows = await changed(
          sql`
            insert into rampart_server.notification (channel, kind, account, topic, facts)
            select channel, kind, account, topic, facts from rampart_server.notification
            where id = ${id}::bigint and state in ('sent', 'replaced')
            on conflict (channel, kind, topic, (coalesce(account, ''))) where state = 'pending' do nothing
            returning channel
          `,
          transaction,
        );
        return rows.length > 0;
      });
    },

    async channels(): Promise<readonly ChannelRecord[]> {
      const { rows } = await sql<ChannelRecord>`
        select channel,
          (count(*) filter (where state = 'dead'))::integer as dead, max(sent_at) as "lastSentAt",
          (array_agg(problem order by coalesce(sent_at, failed_at) desc nulls last, id desc))[1] as problem
        from rampart_server.notification group by channel order by channel
      `.execute(db);
      return rows;
    },
  };
}

/** A newer message about the same topic waits already, or is being sent: two must not wait. */
const isReplaced = sql`exists (
  select from rampart_server.notification as newer
  where (newer.state = 'pending' or newer.state = 'sending' and newer.id > old.id) and newer.id <> old.id
    and newer.channel = old.channel and newer.kind = old.kind and newer.topic = old.topic
    and coalesce(newer.account, '') = coalesce(old.account, '')
)`;

const eventsOf = (rows: readonly { readonly channel: string }[]): readonly NewEvent[] =>
  [...new Set(rows.map(({ channel }) => channel))].map((channel) => ({
    type: 'notification.changed',
    account: null,
    resource: channel,
  }));
