import { sql } from 'kysely';
import type { JournalRecord } from '../journal/record.ts';
import { toJson } from './in-transaction.ts';

/** A record as a row: its number in the run, and the columns that queries use. */
export interface RecordRow {
  readonly seq: number;
  readonly type: string;
  /** The kind of the step that it belongs to. */
  readonly kind: string | null;
  readonly body: JournalRecord;
}

/** Numbers the records of one run, in their order. */
export function startRows(): (record: JournalRecord) => RecordRow {
  const kinds = new Map<string, string>();
  let seq = 0;
  return (body) => {
    seq += 1;
    if (body.type === 'begin') kinds.set(body.step, body.kind);
    const kind = body.type === 'begin' || body.type === 'outcome' ? kinds.get(body.step) : undefined;
    return { seq, type: body.type, kind: kind ?? null, body };
  };
}

/** The rows as a table named `row`, in a single parameter. */
export function rowsAsTable(rows: readonly RecordRow[]) {
  return sql`jsonb_to_recordset(${toJson(rows)}) as row (seq integer, type text, kind text, body jsonb)`;
}
