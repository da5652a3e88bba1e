import type { Query } from '../../data/api.ts';

/** The parameters of the address that filter the audit log. */
export const filterNames = ['q', 'account', 'by', 'kind', 'from', 'to'] as const;

/** The query of the API. Local times of the address become UTC. */
export function auditQueryOf(get: (name: string) => string): Query {
  return {
    q: get('q'),
    account: get('account'),
    by: get('by'),
    kind: get('kind'),
    from: utcTime(get('from')),
    to: utcTime(get('to')),
  };
}

/** `2026-11-23T08:00` in the reader's zone as a time in UTC; null if it is no time. */
function utcTime(local: string): string | null {
  const time = new Date(local);
  return local === '' || Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** `run-started` as `run started`. */
export function kindText(kind: string): string {
  return kind.replaceAll('-', ' ');
}

/** The kinds of records, as suggestions: a later server may have others. */
export const auditKinds = [
  'run-started',
  'run-ended',
  'approval',
  'unlock',
  'migration',
  'state-import',
  'prune',
  'rollout-started',
  'rollout-resumed',
  'rollout-ended',
  'rollout-aborted',
  'rollout-undo-started',
  'rollout-undo-ended',
  'login',
  'login-refused',
  'logout',
  'write-denied',
  'token-created',
  'token-revoked',
  'token-exchanged',
  'plan-approval-given',
  'plan-approved',
  'plan-rejected',
  'paused',
  'resumed',
  'drift-ignored',
  'drift-ignore-ended',
  'plan-commented',
  'change-proposed',
  'rehearsal-requested',
  'check-requested',
  'plan-requested',
  'run-stop-requested',
  'run-undo-requested',
  'window-overridden',
  'rollout-start-requested',
  'rollout-stop-requested',
  'rollout-resume-requested',
  'rollout-abort-requested',
  'notification-tested',
  'notification-redriven',
] as const;
