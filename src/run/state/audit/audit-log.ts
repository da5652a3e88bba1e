import type { Clock } from '../../../core/lib/clock.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import type { AuditEntry } from './audit-record.ts';
import type { ChainHead, StoredRecord } from './chain.ts';

/** The append-only log of everything that was done on purpose. None of the methods rejects. */
export interface AuditLog {
  /**
   * Puts all entries at the end of the chain, or none. Two processes never follow the same record. The clock is only
   * asked by a backend that has none.
   */
  append(clock: Clock, entries: readonly AuditEntry[]): Promise<Result<ChainHead>>;
  /** The last ones, in the chain's order. */
  latest(count: number): Promise<Result<readonly StoredRecord[]>>;
  /** The chain from its start: the first page has the cursor 0. */
  page(cursor: number): Promise<Result<AuditPage>>;
  /** Puts a whole chain into a log that is empty, record by record as it was; fails where the log is not empty. */
  restore(records: readonly StoredRecord[]): Promise<Result<null>>;
}

export interface AuditPage {
  readonly records: readonly StoredRecord[];
  /** Of the next page; null after the last one. */
  readonly next: number | null;
}

export function notEmpty(place: string): Problem {
  return problem('state', `the audit log of ${place} is not empty`, {
    hint: 'import into a state that was never used',
  });
}

/** Reads the whole chain, page by page. */
export async function eachRecord(
  audit: AuditLog,
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
