import { canonicalJson } from '../../../core/lib/canonical-json.ts';
import { sha256Hex } from '../../../core/lib/hash.ts';
import { parseJson } from '../../../core/lib/parse-json.ts';
import { type AuditEntry, type AuditRecord, auditFormatVersion, auditRecordSchema } from './audit-record.ts';

/** A record as a backend stores it. Its text never changes. */
export interface StoredRecord {
  /** The SHA-256 of the text, in lower-case hexadecimal digits. */
  readonly hash: string;
  /** Canonical JSON. */
  readonly text: string;
}

/** The last record of a chain. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

export const emptyChain: ChainHead = { seq: 0, hash: '0'.repeat(64) };

/** The records that follow the head, in order. `at` is the backend's time (RFC 3339). */
export function chainRecords(
  head: ChainHead,
  entries: readonly AuditEntry[],
  at: string,
): { readonly records: readonly StoredRecord[]; readonly head: ChainHead } {
  const records: StoredRecord[] = [];
  let { seq, hash } = head;
  for (const { kind, origin, what } of entries) {
    seq += 1;
    const record: AuditRecord = {
      format_version: auditFormatVersion,
      seq,
      at,
      kind,
      origin,
      what: { ...what },
      previous: hash,
    };
    const text = canonicalJson(record);
    hash = sha256Hex(text);
    records.push({ hash, text });
  }
  return { records, head: { seq, hash } };
}

/** Undefined if the text is not a record. */
export function parseRecord(text: string): AuditRecord | undefined {
  return auditRecordSchema.safeParse(parseJson(text)).data;
}

/** The chain head that a stored record would be, without checking the records before it. */
export function chainHeadOf({ hash, text }: StoredRecord): ChainHead | undefined {
  const record = parseRecord(text);
  return record === undefined ? undefined : { seq: record.seq, hash };
}
