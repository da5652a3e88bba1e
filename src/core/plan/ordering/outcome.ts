import type { HostId, ObservedHost } from '../../model/observed.ts';
import type { HostDifference } from '../difference/compare.ts';

/** The host after the plan; null if it is deleted, undefined if the plan does not change it. */
export type OutcomeOf = (change: HostDifference) => ObservedHost | null | undefined;

/**
 * The same result that `predict` derives from the steps, but from one change alone: a host whose rename is blocked
 * keeps its name.
 */
export function outcomeOf(blocked: ReadonlySet<HostId>): OutcomeOf {
  return ({ host, rename, move, antivirus, delete: isDeleted }) => {
    if (isDeleted) return null;
    const to = blocked.has(host.id) ? undefined : rename;
    if (to === undefined && move === undefined && !antivirus) return undefined;
    const after = { ...host, name: to ?? host.name, groupId: move?.id ?? host.groupId };
    return antivirus
      ? { ...after, antivirus: { supported: true, ...host.antivirus, installed: true } }
      : after;
  };
}
