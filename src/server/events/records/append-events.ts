import { type RawBuilder, sql } from 'kysely';
import type { ServerEvent } from '../../../api/overview.ts';
import { inTransaction, jsonRows } from '../../../run/state/postgres/in-transaction.ts';
import type { StoreDb } from '../../database/query.ts';

/** `account` is null for events that everyone may see. */
export type NewEvent = Readonly<
  Pick<ServerEvent, 'type' | 'account'> & Partial<Pick<ServerEvent, 'resource' | 'data'>>
>;

/** The channel that wakes listeners. */
export const eventChannel = 'rampart_event';

/** The events become visible, and wake listeners, when the transaction commits. */
export async function appendEvents(db: StoreDb, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await sql`
    with written as (
      insert into rampart_server.event (type, account, resource, data)
      select type, account, resource, coalesce(data, '{}'::jsonb)
      from ${jsonRows(events, 'type text, account text, resource text, data jsonb')}
      returning 1
    )
    select pg_notify(${eventChannel}, '') from (select count(*) from written) as all_written
  `.execute(db);
}

/** Changes rows, and appends the events of those that changed in the same transaction. */
export function changeAndAnnounce<Row>(
  db: StoreDb,
  statement: RawBuilder<Row>,
  eventsOf: (changed: readonly Row[]) => readonly NewEvent[],
): Promise<readonly Row[]> {
  return inTransaction(db, async (transaction) => {
    const { rows } = await statement.execute(transaction);
    await appendEvents(transaction, eventsOf(rows));
    return rows;
  });
}
