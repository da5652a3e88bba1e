import type { Result } from '../../core/problem/problem.ts';
import type { AuditKind } from '../../run/state/audit/audit-record.ts';
import type { Store } from '../store/open-store.ts';
import type { RouteCall } from './route.ts';

/** Records what the caller is about to do. An act that can't be recorded must not happen. */
export function recordAct(
  { parts, identity, peer }: Pick<RouteCall, 'parts' | 'identity' | 'peer'>,
  kind: AuditKind,
  what: Readonly<Record<string, unknown>>,
  reason?: string,
): Promise<Result<null>> {
  return parts.acts.record({ kind, by: identity.subject, from: peer.address, what, reason });
}

/** Records an act that the transaction of a store makes: both happen, or neither. The transaction fails if it can't be recorded. */
export function recordActWithin(
  store: Pick<Store, 'db'>,
  { parts, identity, peer }: Pick<RouteCall, 'parts' | 'identity' | 'peer'>,
  kind: AuditKind,
  what: Readonly<Record<string, unknown>>,
  reason?: string,
): void {
  parts.acts.recordWithin(store.db, {
    kind,
    by: identity.subject,
    from: peer.address,
    what,
    reason,
  });
}
