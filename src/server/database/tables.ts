import type { ColumnType, Generated, GeneratedAlways, Kysely } from 'kysely';
import { type RawBuilder, sql } from 'kysely';
import type { Subject, Visible } from '../../api/access/grants.ts';

/** A condition on the column that holds the name of an account. */
export function visibleRows(visible: Visible, column: RawBuilder<unknown>): RawBuilder<unknown> {
  return visible === 'all' ? sql`true` : sql`${column} = any(${visible}::text[])`;
}

/** The tables of the schema `rampart_server`, as queries see them. Big integers are returned as text. */
export interface StoreTables {
  'rampart_server.pause': PauseTable;
  'rampart_server.session': SessionTable;
  'rampart_server.token': TokenTable;
  'rampart_server.ticket': TicketTable;
  'rampart_server.used_jti': UsedJtiTable;
  'rampart_server.source': SourceTable;
  'rampart_server.run_event': RunEventTable;
  'rampart_server.comment': CommentTable;
}

/** A connection, or a transaction on it. */
export type StoreDb = Kysely<StoreTables>;

/** JSON goes in as text, because the drivers disagree about arrays, and comes out as a value. */
type Json<Value> = ColumnType<Value, string, string>;

interface PauseTable {
  id: string;
  scope: string;
  by: Json<Subject>;
  reason: string;
  at: Generated<Date>;
  until: Date | null;
}

interface SessionTable {
  /** SHA-256 of the cookie, in hexadecimal digits. */
  hash: string;
  identity: Json<unknown>;
  created_at: Generated<Date>;
  seen_at: Generated<Date>;
  expires_at: Date;
}

interface TokenTable {
  id: string;
  /** SHA-256 of the token, in hexadecimal digits. */
  hash: string;
  name: string;
  grants: Json<readonly unknown[]>;
  created_by: Json<Subject>;
  created_at: Generated<Date>;
  expires_at: Date;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

interface TicketTable {
  kind: string;
  hash: string;
  value: Json<unknown>;
  expires_at: Date;
}

interface UsedJtiTable {
  issuer: string;
  jti: string;
  expires_at: Date;
}

interface SourceTable {
  name: string;
  commit: string | null;
  fetched_at: Date | null;
  problem: Json<unknown> | null;
}

interface RunEventTable {
  run: string;
  seq: number;
  at: Generated<Date>;
  type: string;
  step: string | null;
  text: string;
}

interface CommentTable {
  id: GeneratedAlways<string>;
  plan: string;
  subject: Json<Subject>;
  at: Generated<Date>;
  text: string;
}

/** The condition that a query makes with this value; all rows meet it if the query has no value. */
export function ifGiven<Value>(
  value: Value | undefined,
  condition: (value: Value) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return value === undefined ? sql`true` : condition(value);
}
