import type { AuditLog } from '../audit/audit-log.ts';

/**
 * The same log, whose appends of this process wait for each other. Without it, runs of several accounts would compete for
 * the lock of the file, and look for it only a few times per second.
 */
export function auditInTurn(audit: AuditLog): AuditLog {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    ...audit,
    append(clock, entries) {
      const appended = turn.then(() => audit.append(clock, entries));
      turn = appended.catch(() => undefined);
      return appended;
    },
  };
}
