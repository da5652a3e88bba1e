import { sql } from 'kysely';
import type { Visible } from '../../../api/access/grants.ts';
import type { ServerEvent } from '../../../api/overview.ts';
import { type StoreDb, visibleRows } from '../../database/query.ts';
import type { DatabaseListener } from '../../database/store-database.ts';
import type { Stored } from '../../database/stored.ts';
import { appendEvents, eventChannel, type NewEvent } from './append-events.ts';

export type { NewEvent } from './append-events.ts';

/** The id is opaque text, from which a reader resumes. */
export type EventRecord = Stored<ServerEvent, 'at'>;

/** Sources and notifications belong to no account, and their names may be those of others. */
export const ofServer: readonly EventRecord['type'][] = ['source.changed', 'notification.changed'];

export function eventsOn(db: StoreDb, notifier: DatabaseListener) {
  return {
    /** Becomes visible, and wakes listeners, when the transaction commits. */
    append: (...events: readonly NewEvent[]): Promise<void> => appendEvents(db, events),

    /**
     * Whether all events after an id are still here. False after the id of another database, of no event, or of one that is
     * older than the retention.
     */
    async canResume(id: string): Promise<boolean> {
      const [xid, number] = partsOf(id);
      const { rows } = await sql`
        select 1 from rampart_server.event
        where (xid, id) <= (${xid}::xid8, ${number}::bigint)
          and ${xid}::xid8 < pg_snapshot_xmax(pg_current_snapshot())
        limit 1
      `.execute(db);
      return rows.length > 0;
    },

    /** The events after an id, oldest first. After an unknown id, these are all events. */
    async after(id: string, visible: Visible, limit = 500): Promise<readonly EventRecord[]> {
      const [xid, number] = partsOf(id);
      const { rows } = await sql<Omit<EventRecord, 'id'> & { xid: string; number: string }>`
        select xid::text as xid, id::text as number, at, type, account, resource, data
        from rampart_server.event
        where (xid, id) > (
            case when ${xid}::xid8 < pg_snapshot_xmax(pg_current_snapshot()) then ${xid}::xid8 else '0'::xid8 end,
            ${number}::bigint)
          and ${isSettled}
          and ${visible === 'all' ? sql`true` : sql`(case when account is null then type <> all(${ofServer}::text[]) else ${visibleRows(visible, sql`account`)} end)`}
        order by event.xid, event.id limit ${limit}
      `.execute(db);
      return rows.map(({ xid, number, ...event }) => ({ ...event, id: `${xid}-${number}` }));
    },

    /** The id of the latest event, from which a new reader starts. */
    async latest(): Promise<string> {
      const { rows } = await sql<{ id: string }>`
        select xid || '-' || id as id from rampart_server.event where ${isSettled}
        order by event.xid desc, event.id desc limit 1
      `.execute(db);
      return rows[0]?.id ?? '0-0';
    },

    /**
     * Calls `onWake` when there may be new events: after each commit with events, after the connection came back, and
     * every few seconds. Returns how to stop.
     */
    listen(onWake: () => void): () => Promise<void> {
      return notifier(eventChannel, onWake);
    },
  };
}

function partsOf(id: string): readonly [xid: string, number: string] {
  const [xid = '0', number = '0'] = /^\d{1,19}-\d{1,18}$/.test(id) ? id.split('-') : [];
  return [xid, number];
}

/**
 * Transactions commit in another order than they begin. A reader that went past an event of an open transaction's
 * successor would never see the open one's events, so it waits for the open one, for some seconds at most: a long
 * transaction of someone else on the same server must not stop the stream.
 */
const isSettled = sql`(xid < pg_snapshot_xmin(pg_current_snapshot())
  or at < clock_timestamp() - interval '10 seconds')`;
