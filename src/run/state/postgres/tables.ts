import type { Generated, JSONColumnType } from 'kysely';
import type { JournalRecord, RunRecord } from '../journal/record.ts';
import type { LockHolder } from '../lease/lease-holder.ts';

/** The tables of the schema `rampart`, as queries see them. Big integers are returned as text. */
export interface Tables {
  'rampart.lease': LeaseTable;
  'rampart.run': RunTable;
  'rampart.record': RecordTable;
  'rampart.fleet': FleetTable;
  'rampart.audit': AuditTable;
}

interface LeaseTable {
  account: string;
  epoch: number;
  /** Null after it was released. */
  holder: JSONColumnType<LockHolder> | null;
  until: Date;
}

interface RunTable {
  run_id: string;
  account: string;
  head: JSONColumnType<RunRecord>;
  started_at: Date;
  /** The record of its end. */
  last: JSONColumnType<JournalRecord> | null;
}

interface RecordTable {
  run_id: string;
  seq: number;
  type: string;
  kind: string | null;
  body: JSONColumnType<JournalRecord>;
}

interface AuditTable {
  seq: number;
  /** The SHA-256 of the body. */
  hash: string;
  /** Canonical JSON, which never changes. */
  body: string;
}

interface FleetTable {
  account: string;
  /** A snapshot, compressed with gzip. */
  snapshot: Uint8Array;
  saved_at: Generated<Date>;
}
