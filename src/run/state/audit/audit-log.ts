import type { Clock } from '../../../core/lib/surroundings.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import type { AuditEntry } from './audit-record.ts';
import type { ChainHead, StoredRecord } from './chain.ts';
import type { SignedHead } from './signed-head.ts';

/** The append-only log of everything that was done on purpose. No method rejects. */
export interface AuditLog {
  /**
   * Appends all entries to the chain, or none. Two processes never append to the same record. The clock measures waits;
   * a backend with its own clock takes no times from it.
   */
  append(clock: Clock, entries: readonly AuditEntry[]): Promise<Result<ChainHead>>;
  /** The last records, in the order of the chain. */
  latest(count: number): Promise<Result<readonly StoredRecord[]>>;
  /** A page of the chain; the first page has the cursor 0. */
  page(cursor: number): Promise<Result<AuditPage>>;
  /** Copies a whole chain into an empty log, record by record without changes; fails if the log is not empty. */
  restore(records: readonly StoredRecord[]): Promise<Result<null>>;
  /** The text of the last signed head, which is stored next to the log; null if there is none. */
  readHead(): Promise<Result<string | null>>;
  /**
   * Replaces the last signed head, unless a head of more records is there. The first head replaces none: of two processes
   * that sign a log for the first time, one gets false.
   */
  saveHead(head: SignedHead, isFirst?: boolean): Promise<Result<boolean>>;
}

export interface AuditPage {
  readonly records: readonly StoredRecord[];
  /** The cursor of the next page; null after the last one. */
  readonly next: number | null;
}

export function notEmpty(place: string): Problem {
  return problem('state', `the audit log of ${place} is not empty`, {
    hint: 'import into a state that was never used',
  });
}

/** Reads the whole chain, page by page. */
export async function eachRecord(
  audit: Pick<AuditLog, 'page'>,
  work: (stored: StoredRecord) => void,
): Promise<Result<null>> {
  for (let cursor: number | null = 0; cursor !== null; ) {
    const page: Awaited<ReturnType<AuditLog['page']>> = await audit.page(cursor);
    if (!page.ok) return failed(...page.problems);
    page.value.records.forEach(work);
    cursor = page.value.next;
  }
  return ok(null);
}
