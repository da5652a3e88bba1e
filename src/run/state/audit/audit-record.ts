import { z } from 'zod';
import type { Origin } from '../journal/record.ts';
import { originSchema } from '../journal/record-schema.ts';

export const auditFormatVersion = '1.0';

export type AuditKind =
  | 'run-started'
  | 'run-ended'
  | 'approval'
  | 'unlock'
  | 'migration'
  | 'state-import'
  | 'prune'
  | 'rollout-started'
  | 'rollout-continued'
  | 'rollout-ended'
  | 'rollout-aborted'
  | 'rollout-undo-started'
  | 'rollout-undo-ended'
  | 'login'
  | 'login-refused'
  | 'logout'
  | 'write-denied'
  | 'token-created'
  | 'token-revoked'
  | 'token-exchanged'
  | 'plan-approval-given'
  | 'plan-approved'
  | 'plan-rejected'
  | 'paused'
  | 'resumed'
  | 'drift-ignored'
  | 'drift-ignore-ended'
  | 'plan-commented'
  | 'change-proposed'
  | 'rehearsal-requested'
  | 'check-requested'
  | 'plan-requested'
  | 'run-stop-requested'
  | 'run-undo-requested'
  | 'window-overridden'
  | 'rollout-start-requested'
  | 'rollout-stop-requested'
  | 'rollout-continue-requested'
  | 'rollout-abort-requested'
  | 'notification-tested'
  | 'notification-redriven';

/** One event, before it has a position in the chain. */
export interface AuditEntry {
  readonly kind: AuditKind;
  /** Who did it, from where, and why. */
  readonly origin: Origin;
  /** What was done, as plain JSON: the run, the account, counts. */
  readonly what: Readonly<Record<string, unknown>>;
}

/** One event in the chain. A later version may add kinds. */
export const auditRecordSchema = z.looseObject({
  format_version: z.string(),
  /** From 1, without a gap. */
  seq: z.int().positive(),
  /** RFC 3339, from the backend's clock. */
  at: z.iso.datetime({ offset: true }),
  kind: z.string(),
  origin: originSchema,
  what: z.record(z.string(), z.unknown()),
  /** The SHA-256 of the exact text of the previous record; 64 zeros in the first one. */
  previous: z.string(),
});
export type AuditRecord = z.infer<typeof auditRecordSchema>;
