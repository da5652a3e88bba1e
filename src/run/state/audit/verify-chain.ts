import { sha256Hex } from '../../../core/lib/hash.ts';
import type { AuditRecord } from './audit-record.ts';
import { type ChainHead, emptyChain, parseRecord, type StoredRecord } from './chain.ts';

export interface ChainFault {
  readonly kind: 'changed' | 'missing' | 'added' | 'replaced' | 'cut-off' | 'unsigned' | 'not-as-recorded';
  /** The record's number, or that of the first missing record. */
  readonly seq: number;
  readonly message: string;
}

export interface Verification {
  readonly records: number;
  /** Null if there is no record. */
  readonly head: ChainHead | null;
  /** Only the first faults, in order; empty if the chain is intact. */
  readonly faults: readonly ChainFault[];
  readonly faultCount: number;
}

export interface ChainVerifier {
  /** The next record in the order of the backend; undefined if it is not one. */
  add(stored: StoredRecord): AuditRecord | undefined;
  /** Another fault of the same log. */
  report(kind: ChainFault['kind'], seq: number, message: string): void;
  end(): Verification;
}

const mostFaults = 100;

/**
 * Verifies a chain from its first record. `keptHeads` are the hashes of records that were saved elsewhere. Without one, the
 * loss of the last records can't be detected, because a shorter chain is valid too.
 */
export function verifyChain(...keptHeads: readonly (string | undefined)[]): ChainVerifier {
  const faults: ChainFault[] = [];
  let faultCount = 0;
  let records = 0;
  let head = emptyChain;
  /** The hashes that the next record may name as its predecessor. More than one only after a fault. */
  let links = new Set([emptyChain.hash]);
  const notFound = new Set(keptHeads.filter((each) => each !== undefined && each !== emptyChain.hash));

  const report = (kind: ChainFault['kind'], seq: number, message: string) => {
    faultCount += 1;
    if (faults.length < mostFaults) faults.push({ kind, seq, message });
  };

  return {
    report,
    add({ hash, text }) {
      records += 1;
      const expected = head.seq + 1;
      const actual = sha256Hex(text);
      const record = parseRecord(text);
      const isIntact = actual === hash && record !== undefined;
      const seq = record?.seq ?? expected;
      if (isIntact) notFound.delete(hash);
      if (!isIntact) report('changed', seq, `record ${seq} was changed: it does not match its hash`);
      if (seq < expected) {
        if (isIntact) report('added', seq, `record ${seq} was added: an earlier record has the same number`);
        if (seq === head.seq) links = links.add(hash);
        return record;
      }
      if (seq > expected) report('missing', expected, missingRecords(expected, seq - 1));
      else if (isIntact && !links.has(record.previous)) report('replaced', seq - 1, replaced(seq));
      head = { seq, hash };
      links = new Set([hash, actual]);
      return record;
    },
    end() {
      for (const keptHead of notFound)
        report(
          'cut-off',
          head.seq,
          `no record has the hash ${keptHead}: records at the end of the log were removed, or this record was replaced`,
        );
      return { records, head: records === 0 ? null : head, faults, faultCount };
    },
  };
}

function missingRecords(from: number, to: number): string {
  return from === to ? `record ${from} is missing` : `records ${from} to ${to} are missing`;
}

function replaced(seq: number): string {
  return seq === 1
    ? 'record 1 refers to an earlier record: the start of the log was removed'
    : `record ${seq} does not follow record ${seq - 1}: one of them was replaced`;
}
