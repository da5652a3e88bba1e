import { createTurns } from '../../../core/lib/turns.ts';
import type { AuditLog } from '../audit/audit-log.ts';

/**
 * The same log, but the appends of this process run one after another. Without it, runs of several accounts would
 * compete for the lock of the file, and check it only a few times per second.
 */
export function auditInTurn(audit: AuditLog): AuditLog {
  const inTurn = createTurns();
  return {
    ...audit,
    append: (clock, entries) => inTurn(() => audit.append(clock, entries)),
    saveHead: (head, isFirst) => inTurn(() => audit.saveHead(head, isFirst)),
  };
}
