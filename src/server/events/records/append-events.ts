import { sql } from 'kysely';
import { jsonRows } from '../../../run/state/postgres/in-transaction.ts';
import type { StoreDb } from '../../database/tables.ts';

export type EventType =
  | 'account.changed'
  | 'plan.changed'
  | 'run.changed'
  | 'run.event'
  | 'rollout.changed'
  | 'source.changed'
  | 'notification.changed';

export interface NewEvent {
  readonly type: EventType;
  /** Null for events that everyone may see. */
  readonly account: string | null;
  /** The id of the plan, run, rollout or source. */
  readonly resource?: string | null;
  readonly data?: Readonly<Record<string, string | number | boolean | null>>;
}

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
